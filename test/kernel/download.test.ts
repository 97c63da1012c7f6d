import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Audile, DecodeError } from '../../src/index.ts'
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
  await music.call('feed/settled', { ids: [id] })
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
