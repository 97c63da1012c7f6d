import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Audile, DecodeError } from '../../src/index.ts'
import { unlessAborted } from '../../src/kernel/abort.ts'
import {
  type DownloadAnswer,
  type DownloadOptions,
  openDownload,
  Refused,
} from '../../src/kernel/download.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'

const WAVE = await waveBytes(clip())
const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>
<item><title>A story</title><guid>1</guid></item></channel></rss>`
/** A server of the public internet, as far as its address tells. */
const PUBLIC = 'http://93.184.216.34'

/** A server of the own network. It answers `/to/<address>` by a redirect there. */
async function homeServer() {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    if (url.startsWith('/to/')) response.writeHead(302, { location: url.slice(4) }).end()
    else response.end(url.endsWith('.rss') ? FEED : WAVE)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { asked, port, base: `http://127.0.0.1:${port}` }
}

/** Answers for {@link PUBLIC}, where `/to/<address>` redirects; asks all other servers. */
const online: typeof fetch = async (input, init) => {
  const url = String(input)
  if (!url.startsWith(PUBLIC)) return fetch(input, init)
  const [, location] = /\/to\/(.*)$/.exec(url) ?? []
  if (location !== undefined) return new Response(null, { status: 302, headers: { location } })
  return new Response(url.endsWith('.rss') ? FEED : new Uint8Array(WAVE))
}

/** Adds a feed and waits for its first refresh; why it failed. */
async function feedError(music: Audile, url: string): Promise<string | undefined> {
  const { id } = await music.feeds.add({ url })
  await music.call('feed/wait', { ids: [id] })
  return (await music.feeds.list()).find((feed) => feed.id === id)?.error
}

describe('an address of the own network', () => {
  it('may be named by the application, and lead on within that network', async () => {
    const { base, port, asked } = await homeServer()
    const music = await openInline()
    for (const url of [`${base}/a`, `http://localhost:${port}/to/${base}/to//a`]) {
      expect((await music.tracks.upload({ url, wait: true })).answer.status).toBe('complete')
    }
    expect(await feedError(music, `http://localhost:${port}/to/${base}/a.rss`)).toBeUndefined()
    expect(asked.length).toBe(6)
  })

  it.each(['127.0.0.1', 'localhost', '127.1', '[::ffff:127.0.0.1]', 'LOCALHOST.', 'my.localhost'])(
    'is never asked because a public server redirects there, as %s',
    async (host) => {
      const { port, asked } = await homeServer()
      const music = await openInline({ fetch: online })
      for (const url of [
        `${PUBLIC}/to/http://${host}:${port}/secret`,
        // On the way back from the public internet.
        `http://127.0.0.1:${port}/to/${PUBLIC}/to/http://${host}:${port}/secret`,
      ]) {
        const uploaded = await failure(music.tracks.upload({ url }))
        expect(uploaded).toBeInstanceOf(DecodeError)
        expect(uploaded.message).toMatch(
          /could not be downloaded: "93\.184\.216\.34" redirects to ".*:\d+", which is no public address/,
        )
        expect((await failure(music.songs.identify({ url }))).message).toContain(
          'no public address',
        )
        expect(await feedError(music, url)).toMatch(/redirects to ".*", which is no public address/)
      }
      expect(asked.filter((path) => path === '/secret')).toEqual([])
      expect((await music.tracks.list()).total).toBe(0)
    },
  )

  it('yields nothing through a fetch that follows redirects by itself', async () => {
    const { base } = await homeServer()
    const music = await openInline({
      fetch: (input, init) => {
        const [, location] = /\/to\/(.*)$/.exec(String(input)) ?? []
        return fetch(location ?? input, { ...init, redirect: 'follow' })
      },
    })
    const url = `${PUBLIC}/to/${base}/secret`
    expect((await failure(music.tracks.upload({ url }))).message).toContain('no public address')
    expect((await music.tracks.list()).total).toBe(0)
  })
})

describe('redirects', () => {
  it('lead from one public server to the next', async () => {
    const music = await openInline({ fetch: online })
    const url = `${PUBLIC}/to/${PUBLIC.replace('http', 'https').replace('34', '35')}/a`
    const other: typeof fetch = async () => new Response(new Uint8Array(WAVE))
    const both = await openInline({
      fetch: (input, init) => (String(input).startsWith(PUBLIC) ? online : other)(input, init),
    })
    expect((await both.tracks.upload({ url, wait: true })).answer.status).toBe('complete')
    expect(await feedError(music, `${PUBLIC}/to/${PUBLIC}/a.rss`)).toBeUndefined()
  })

  it.each([
    ['/to/file:///etc/passwd', /only http and https/],
    ['/to/http://me:secret@93.184.216.34/', /password/],
    ['/to/http://:', /no address/],
    ['/to/to/', /more than 10 times/],
  ])('to %s are refused', async (path, message) => {
    const circle: typeof fetch = async (input, init) =>
      String(input).endsWith('/to/')
        ? new Response(null, { status: 307, headers: { location: '/to/' } })
        : online(input, init)
    const music = await openInline({ fetch: circle })
    const error = await failure(music.tracks.upload({ url: PUBLIC + path }))
    expect(error).toBeInstanceOf(DecodeError)
    expect(error.message).toMatch(message)
  })
})

describe('a download', () => {
  const URL_ASKED = `${PUBLIC}/a`
  const PIECE = new Uint8Array(10)

  /** Options with a server that gives these answers one after the other, and what it was asked. */
  function server(...answers: Partial<DownloadAnswer>[]) {
    const asked: { address: string; headers: Record<string, string> }[] = []
    let ended = 0
    const options: DownloadOptions = {
      signal: new AbortController().signal,
      time: { seconds: 1e6, error: () => new Error('too slow') },
      request: async (address, { headers }) => {
        asked.push({ address, headers })
        const bytes = (async function* () {
          yield PIECE
          yield PIECE
        })()
        const end = () => ended++
        return { status: 200, headers: {}, bytes, end, ...answers[asked.length - 1] }
      },
      failure: (why, cause) => new Error(`it failed: ${why}`, { cause }),
    }
    return { asked, options, ended: () => ended }
  }

  async function lengthOf(bytes: AsyncIterable<Uint8Array>): Promise<number> {
    let length = 0
    for await (const piece of bytes) length += piece.length
    return length
  }

  it('gives the bytes, up to a limit', async () => {
    const { options, ended } = server()
    const whole = await openDownload(URL_ASKED, options)
    expect(await lengthOf(whole.bytes)).toBe(20)
    await whole.close()
    expect(ended()).toBe(1)
    const size = (bytes: number) => ({ bytes, error: () => new Error('too large') })
    const enough = await openDownload(URL_ASKED, { ...options, size: size(20) })
    expect(await lengthOf(enough.bytes)).toBe(20)
    const large = await openDownload(URL_ASKED, { ...options, size: size(19) })
    await expect(lengthOf(large.bytes)).rejects.toThrow('too large')
  })

  it('asks whether what is known has changed', async () => {
    const { options, asked } = server({ status: 304 }, { headers: { etag: '"2"' } })
    const known = { etag: '"1"', lastModified: 'Mon, 1 Jan 2024 00:00:00 GMT' }
    const headers = { accept: 'text/xml' }
    const same = await openDownload(URL_ASKED, { ...options, headers, known })
    expect(same).toMatchObject({ unchanged: true, ...known })
    expect(asked[0]?.headers).toEqual({
      ...{ accept: 'text/xml', 'if-none-match': '"1"' },
      'if-modified-since': known.lastModified,
    })
    const other = await openDownload(URL_ASKED, { ...options, known: { ...known, etag: null } })
    expect(other).toMatchObject({ unchanged: false, etag: '"2"', lastModified: null })
    expect(asked[1]?.headers).not.toHaveProperty('if-none-match')
    const unasked = openDownload(URL_ASKED, server({ status: 304 }).options)
    await expect(unasked).rejects.toThrow('the server answered 304')
  })

  it('tells the address for the next time, until a redirect is not for good', async () => {
    const to = (status: number, path: string) => ({ status, headers: { location: path } })
    const { options, ended } = server(to(301, '/b'), to(308, '/c'), to(302, '/d'), to(301, '/e'))
    const { from, moved } = await openDownload(URL_ASKED, options)
    expect([from, moved]).toEqual([`${PUBLIC}/e`, `${PUBLIC}/c`])
    expect(ended()).toBe(4)
  })

  it('says why it failed, with the causes, and ends what was begun', async () => {
    const { options, ended } = server({ status: 410, statusText: 'Gone' })
    const error = await failure(openDownload(URL_ASKED, options))
    expect(error.message).toBe('it failed: the server answered 410 Gone')
    expect(error.cause).toBeInstanceOf(Refused)
    expect(ended()).toBe(1)
    const cause = new Error('connect ECONNREFUSED')
    const request = () => Promise.reject(new Error('fetch failed', { cause }))
    const refused = openDownload(URL_ASKED, { ...options, request })
    await expect(refused).rejects.toThrow('it failed: fetch failed: connect ECONNREFUSED')
  })

  it('ends with its time, or with the reason of the signal', async () => {
    const { options } = server()
    const request: DownloadOptions['request'] = (_address, { signal }) =>
      unlessAborted(new Promise<never>(() => {}), signal)
    const time = { ...options.time, seconds: 0.001 }
    const slow = openDownload(URL_ASKED, { ...options, request, time })
    await expect(slow).rejects.toThrow(/^too slow$/)
    const leave = new AbortController()
    const left = openDownload(URL_ASKED, { ...options, request, signal: leave.signal })
    leave.abort(new Error('enough'))
    await expect(left).rejects.toThrow(/^enough$/)
  })
})
