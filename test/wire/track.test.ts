import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stringifyAnalysis } from '../../src/index.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { hearOnce } from '../support/heard-once.ts'
import { openInline } from '../support/open.ts'
import { nativeId, openLibrary } from '../support/reference-library.ts'
import { taggedMp3 } from '../support/tagged-mp3.ts'
import { BASE, Client } from '../support/wire.ts'

hearOnce()

const WAVE = await waveBytes(clip({ seconds: 4 }))
const MD5 = createHash('md5').update(WAVE).digest('hex')

async function served(bytes: Uint8Array): Promise<string> {
  const server = createServer((_, response) => response.end(bytes))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.wav`
}

const SUMMARY = [
  'acousticness',
  'analysis_url',
  'audio_md5',
  'danceability',
  'duration',
  'energy',
  'first_downbeat',
  'instrumentalness',
  'key',
  'key_confidence',
  'liveness',
  'loudness',
  'loudness_range',
  'max_momentary_loudness',
  'max_short_term_loudness',
  'mode',
  'mode_confidence',
  'speechiness',
  'tempo',
  'tempo_confidence',
  'time_signature',
  'time_signature_confidence',
  'track_gain',
  'true_peak',
  'valence',
  'voice',
]

describe('track/upload', () => {
  it.each(['a multipart form', 'a raw body', 'an address'])('takes %s', async (form) => {
    const music = await openInline()
    const client = new Client(music, { allowPrivate: true })
    const query = { filetype: 'wav', wait: true, bucket: 'audio_summary' }
    const answer =
      form === 'a multipart form'
        ? await client.postForm('track/upload', query, { track: new Blob([WAVE]) })
        : form === 'a raw body'
          ? await client.postBytes('track/upload', query, WAVE)
          : await client.post('track/upload', { ...query, url: await served(WAVE) })
    expect(answer.status.message).toBe('Success')
    const { track } = answer.data
    expect(track).toMatchObject({ status: 'complete', md5: MD5, samplerate: 22050 })
    expect(Object.keys(track).sort()).toEqual([
      'analyzer_version',
      'audio_md5',
      'audio_summary',
      'bitrate',
      'id',
      'md5',
      'samplerate',
      'song_id',
      'status',
    ])
    expect(Object.keys(track.audio_summary).sort()).toEqual(SUMMARY)
    expect(track.audio_summary.duration).toBe(4)
    expect(track.audio_summary.audio_md5).toBe(track.audio_md5)
    expect(answer.text).toContain('"duration":4.0')
  })

  it('answers at once when it is not to wait', async () => {
    const music = await openInline()
    const client = new Client(music)
    const bytes = taggedMp3({ TIT2: 'Mine', TPE1: 'Me', TALB: 'Ours' })
    const { data } = await client.postBytes('track/upload', { filetype: 'mp3' }, bytes)
    expect(data.track).toMatchObject({
      status: 'pending',
      title: 'Mine',
      artist: 'Me',
      release: 'Ours',
    })
    for (const name of ['id', 'md5', 'analyzer_version']) {
      expect(data.track).toHaveProperty(name, expect.any(String))
    }
    await music.call('track/wait', { id: data.track.id })
  })

  it.each(['wav', 'mp3', 'au', 'ogg', 'm4a', 'mp4', 'flac', 'opus', 'aiff'])(
    'takes the filetype %s, and lets the content decide',
    async (filetype) => {
      const music = await openInline()
      const client = new Client(music)
      const { data } = await client.postBytes('track/upload', { filetype, wait: true }, WAVE)
      expect(data.track).toMatchObject({ status: 'complete', md5: MD5 })
    },
  )

  it('says of a damaged file that it is in error, and why', async () => {
    const client = new Client(await openInline())
    const query = { filetype: 'wav', wait: 'true' }
    const { data } = await client.postBytes('track/upload', query, WAVE.subarray(0, 40))
    expect(data.track).toMatchObject({ status: 'error', error: expect.any(String) })
  })

  it('refuses what is no audio by its first bytes, and keeps nothing of it', async () => {
    const music = await openInline()
    const client = new Client(music, { allowPrivate: true })
    const page = '<!DOCTYPE html><title>Not found</title>'
    const query = { filetype: 'mp3', wait: true }
    const answers = [
      await client.postBytes('track/upload', query, page),
      await client.postForm('track/upload', query, { track: new Blob([page]) }),
      await client.post('track/upload', { url: await served(Buffer.from(page)) }),
    ].map(({ http, status }) => [http, status.code, status.message])
    expect(answers).toEqual(
      ['track', 'track', 'url'].map((name) => [
        400,
        5,
        expect.stringMatching(
          new RegExp(
            `^${name} - Invalid parameter: .* no audio file that audile knows: it begins with "<!DOCTYPE html><"`,
          ),
        ),
      ]),
    )
    expect((await music.tracks.list()).total).toBe(0)
  })

  it('says of an empty file that it is empty, and passes over one beside an address', async () => {
    const music = await openInline()
    const client = new Client(music, { allowPrivate: true })
    const empty = { track: new Blob([]) }
    for (const { http, status } of [
      await client.postForm('track/upload', { filetype: 'wav' }, empty),
      await client.postForm('track/upload', {}, empty),
      await client.postBytes('track/upload', { filetype: 'wav' }, ''),
    ]) {
      expect([http, status.code, status.message]).toEqual([
        400,
        5,
        'track - Invalid parameter: the file that was sent is empty (0 bytes)',
      ])
    }
    const beside = await client.postForm('track/upload', { url: await served(WAVE) }, empty)
    expect(beside.data.track.md5).toBe(MD5)
    const { data } = await client.post('catalog/create', { name: 'A', type: 'song' })
    const update = await client.postForm(
      'catalog/update',
      { id: data.id },
      {
        data: new Blob([]),
      },
    )
    expect(update.status).toMatchObject({
      code: 4,
      message: 'data - Missing parameter: what was sent is empty (0 bytes)',
    })
  })

  it('takes a bucket without wait, and fills it as soon as there is something', async () => {
    const music = await openInline()
    const client = new Client(music)
    const query = { filetype: 'wav', bucket: 'audio_summary' }
    const first = await client.postBytes('track/upload', query, WAVE)
    expect(first.data.track).toMatchObject({ status: 'pending', md5: MD5 })
    const { id } = first.data.track
    await music.call('track/wait', { id })
    for (const { data } of [
      await client.postBytes('track/upload', query, WAVE),
      await client.post('track/analyze', { id, bucket: 'audio_summary', wait: 'false' }),
    ]) {
      expect(data.track).toMatchObject({ id, status: 'complete' })
      expect(data.track.audio_summary.duration).toBe(4)
    }
  })

  it('waits no longer than it may', async () => {
    const music = await openInline()
    const client = new Client(music, { limits: { waitSeconds: 0.001 } })
    const query = { filetype: 'wav', wait: true, bucket: 'audio_summary' }
    // No other test may have heard it: its analysis would be there at once.
    const unheard = await waveBytes(clip({ seconds: 9, seed: 4711 }))
    const { data } = await client.postBytes('track/upload', query, unheard)
    expect(data.track).toMatchObject({ status: 'pending' })
    await music.call('track/wait', { id: data.track.id })
    const known = await client.postBytes('track/upload', query, unheard)
    expect(known.data.track).toMatchObject({ status: 'complete', id: data.track.id })
    expect(known.data.track.audio_summary.tempo).toBeGreaterThan(0)
  })

  it('refuses what contradicts itself', async () => {
    const client = new Client(await openInline())
    const url = 'http://example.org/a.mp3'
    const answers = [
      await client.post('track/upload'),
      await client.postBytes('track/upload', {}, WAVE),
      await client.postForm('track/upload', {}, { track: new Blob([WAVE]) }),
      await client.postBytes('track/upload', { filetype: 'exe' }, WAVE),
      await client.postBytes('track/upload', { filetype: 'wav', url }, WAVE),
      await client.postBytes('track/upload', { filetype: 'wav', wait: 1, bucket: 'tempo' }, WAVE),
      await client.postBytes('track/upload', { filetype: 'wav', wait: 'soon' }, WAVE),
      await client.post('track/upload', { url: 'file:///etc/passwd' }),
      await client.post('track/upload', { file: '/etc/passwd' }),
    ].map(({ http, status }) => [http, status.code, status.message])
    expect(answers).toEqual([
      [400, 4, 'url - Missing parameter: give an address, or send a file'],
      [400, 4, 'filetype - Missing parameter: say what the file is'],
      [400, 4, 'filetype - Missing parameter: say what the file is'],
      [400, 5, expect.stringMatching(/^filetype - Invalid parameter: "exe" is not one of "wav"/)],
      [400, 5, `url - Invalid parameter: "${url}" beside a file; give one of them`],
      [400, 5, 'bucket - Invalid parameter: bucket "tempo" is not one of "audio_summary"'],
      [400, 5, 'wait - Invalid parameter: "soon" is not one of "true", "false"'],
      [400, 5, 'url - Invalid parameter: "file:///etc/passwd" must be an http or https address'],
      [400, 5, expect.stringMatching(/^method - Invalid parameter: "file"; known are /)],
    ])
    expect((await client.get('track/profile', { md5: MD5 })).status.code).toBe(5)
  })
})

describe('track/profile and track/analyze', () => {
  async function uploaded() {
    const music = await openInline()
    const client = new Client(music)
    const track = await music.tracks.upload({ bytes: WAVE, wait: true })
    return { music, client, id: track.id }
  }

  it('answer by id and by md5, with the summary when it is asked for', async () => {
    const { client, id } = await uploaded()
    const plain = await client.get('track/profile', { id })
    expect(plain.data.track).toMatchObject({ id, md5: MD5, status: 'complete' })
    expect(plain.data.track).not.toHaveProperty('audio_summary')
    const full = await client.get('track/profile', { md5: MD5, bucket: 'audio_summary' })
    expect(full.data.track).toEqual({
      ...plain.data.track,
      audio_summary: expect.objectContaining({ key: expect.any(Number) }),
    })
    const query = { md5: MD5, wait: 'true', bucket: 'audio_summary' }
    const analyzed = await client.postForm('track/analyze', query)
    expect(analyzed.data).toEqual(full.data)
    expect((await client.post('track/analyze', { id, wait: 'false' })).data).toEqual(plain.data)
  })

  it('refuse an unknown track as the service did, for clients then upload it', async () => {
    const { client, id } = await uploaded()
    const md5 = '0'.repeat(32)
    for (const answer of [
      await client.get('track/profile', { md5 }),
      await client.post('track/analyze', { md5 }),
      await client.get('track/profile', { id: 'TRXXXXX00000000000' }),
    ]) {
      expect(answer.http).toBe(400)
      expect(answer.status.code).toBe(5)
      expect(answer.status.message).toMatch(/^The Identifier specified does not exist/)
    }
    expect((await client.get('track/profile')).status.code).toBe(4)
    expect((await client.post('track/analyze')).status.code).toBe(4)
    expect((await client.get('track/profile', { id, md5: MD5 })).status.code).toBe(5)
    expect((await client.get('track/profile', { id, bucket: 'x' })).status.code).toBe(5)
  })

  it('answer unknown for a track that is only known by name', async () => {
    const client = new Client(await openLibrary())
    const { data } = await client.get('track/profile', { id: nativeId('TR', 1) })
    expect(data.track).toMatchObject({
      status: 'unknown',
      catalog: '7digital-US',
      foreign_id: '7digital-US:track:111',
      foreign_release_id: '7digital-US:release:9',
      preview_url: 'http://example.org/111.mp3',
      release_image: 'http://example.org/9.jpg',
      song_id: nativeId('SO', 1),
    })
  })
})

describe('the analysis_url', () => {
  it('serves the document with fixed decimals, and no key', async () => {
    const music = await openInline()
    const client = new Client(music)
    const track = await music.tracks.upload({ bytes: WAVE, wait: true })
    const query = { id: track.id, bucket: 'audio_summary' }
    const { data } = await client.get('track/profile', query)
    const url = data.track.audio_summary.analysis_url
    expect(url).toMatch(new RegExp(`^${BASE}analysis/${track.id}\\?signature=`))
    const response = await client.handle(new Request(url))
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const text = await response.text()
    expect(text).toBe(stringifyAnalysis(await track.analysis()))
    expect(text).toMatch(/"tempo":\d+\.\d{3},/)

    const songs = await client.get('song/profile', {
      track_id: track.id,
      bucket: 'audio_summary',
    })
    expect(songs.data.songs[0].audio_summary.analysis_url).toBe(url)
    const head = await client.handle(new Request(url, { method: 'HEAD' }))
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('is for nobody who was not told it', async () => {
    const music = await openInline()
    const client = new Client(music)
    const track = await music.tracks.upload({ bytes: WAVE, wait: true })
    const url = `${BASE}analysis/${track.id}`
    const wrong = new Client(music)
    const { data } = await wrong.get('track/profile', { id: track.id, bucket: 'audio_summary' })
    for (const one of [url, `${url}?signature=x`, data.track.audio_summary.analysis_url]) {
      const answer = await client.send(new Request(one))
      expect([answer.http, answer.status.code]).toEqual([400, 5])
    }
    const posted = await client.send(new Request(url, { method: 'POST' }))
    expect(posted.status.code).toBe(5)
  })

  it('stands where the host says, and lasts as long as its secret', async () => {
    const music = await openInline()
    const track = await music.tracks.upload({ bytes: WAVE, wait: true })
    const options = { secret: 'a secret of 16 characters', baseUrl: 'https://example.org/music/' }
    const { data } = await new Client(music, options).get('track/profile', {
      id: track.id,
      bucket: 'audio_summary',
    })
    const url = data.track.audio_summary.analysis_url
    expect(url).toMatch(/^https:\/\/example\.org\/music\/api\/v4\/analysis\//)
    const response = await new Client(music, options).handle(new Request(url))
    expect(response.status).toBe(200)
  })

  it('keeps the scheme and the path before it that the request has', async () => {
    const music = await openInline()
    const client = new Client(music)
    const track = await music.tracks.upload({ bytes: WAVE, wait: true })
    const query = `api_key=local&id=${track.id}&bucket=audio_summary`
    const { data } = await client.send(new Request(`audile://app/x/api/v4/track/profile?${query}`))
    expect(data.track.audio_summary.analysis_url).toMatch(
      /^audile:\/\/app\/x\/api\/v4\/analysis\/TR/,
    )
    const response = await client.handle(new Request(data.track.audio_summary.analysis_url))
    expect(response.status).toBe(200)
  })

  it('does not take a Host header for more than a host', async () => {
    const music = await openInline()
    const client = new Client(music)
    const { id } = await music.tracks.upload({ bytes: WAVE, wait: true })
    const asked = (host: string) =>
      client.raw('track/profile', { id, bucket: 'audio_summary' }, { headers: { host } })
    for (const host of [
      'localhost',
      'LOCALHOST:80',
      '127.0.0.1:8080',
      '[::1]:1',
      'xn--80ak.example',
    ]) {
      expect((await asked(host)).status, host).toBe(200)
    }
    for (const host of ['evil.example/x?', 'me@evil.example', 'a b', 'a:b', '[', 'a:1:2', '"']) {
      const response = await asked(host)
      expect([response.status, await response.text()], host).toEqual([
        400,
        expect.stringContaining('the header Host is'),
      ])
    }
  })
})

describe('the analysis document', () => {
  async function analysed() {
    const music = await openInline()
    const client = new Client(music)
    const { id } = await music.tracks.upload({ bytes: WAVE, wait: true })
    const { data } = await client.get('track/profile', { id, bucket: 'audio_summary' })
    const url: string = data.track.audio_summary.analysis_url
    const get = (headers: Record<string, string> = {}, method = 'GET') =>
      client.handle(new Request(url, { method, headers }))
    return { get, text: await (await get()).text() }
  }

  it('can be kept for a day, by whoever asked, and is not sent again unchanged', async () => {
    const { get, text } = await analysed()
    const { headers, status } = await get()
    const etag = String(headers.get('etag'))
    expect(status).toBe(200)
    expect(etag).toMatch(/^"[\w-]+"$/)
    expect(headers.get('cache-control')).toBe('private, max-age=86400')
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get({ 'if-none-match': known })
      expect([again.status, await again.text()], known).toEqual([304, ''])
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('cache-control')).toBe('private, max-age=86400')
      expect(again.headers.get('content-type')).toBeNull()
    }
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
    expect((await get({ 'if-none-match': etag }, 'HEAD')).status).toBe(304)
  })

  it.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['br', null],
    ['gzip;q=0', null],
    ['*;q=0.5, gzip;q=0', null],
    ['identity, gzip;q=0.5', null],
    ['gzip;q=rubbish', null],
    ['gzip', 'gzip'],
    ['GZIP;Q=0.1', 'gzip'],
    ['x-gzip', 'gzip'],
    ['*', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
    ['br;q=1, gzip; q=0.2, identity; q=0.1', 'gzip'],
    ['identity;q=0, *', 'gzip'],
    ['gzip, *;q=0', 'gzip'],
  ])('is sent to who accepts %j in the coding %s', async (accepted, coding) => {
    const { get, text } = await analysed()
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
    const response = await get(headers)
    expect(response.headers.get('content-encoding')).toBe(coding)
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect((coding ? gunzipSync(bytes) : bytes).toString()).toBe(text)
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    const head = await get(headers, 'HEAD')
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(response.headers))
    expect(await head.text()).toBe('')
  })

  it('has a tag for each coding, by either of which it is known', async () => {
    const { get } = await analysed()
    const gzipped = await get({ 'accept-encoding': 'gzip' })
    const plain = await get()
    const [tag = '', other] = [gzipped, plain].map(({ headers }) => String(headers.get('etag')))
    expect(tag).not.toBe(other)
    expect((await get({ 'if-none-match': tag })).status).toBe(304)
  })

  it.each(['*;q=0', 'identity;q=0', 'br, identity;q=0'])(
    'is not sent to who excludes both codings, as by %s',
    async (accepted) => {
      const { get } = await analysed()
      const response = await get({ 'accept-encoding': accepted })
      expect(response.status).toBe(406)
      expect(JSON.parse(await response.text()).response.status.code).toBe(5)
      expect(response.headers.get('cache-control')).toBe('no-store')
    },
  )
})
