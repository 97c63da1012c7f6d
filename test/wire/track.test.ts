import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stringifyAnalysis } from '../../src/index.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { openInline } from '../support/open.ts'
import { nativeId, openLibrary } from '../support/reference-library.ts'
import { taggedMp3 } from '../support/tagged-mp3.ts'
import { BASE, Client } from '../support/wire.ts'

const WAVE = await waveBytes(clip())
const MD5 = createHash('md5').update(WAVE).digest('hex')

async function served(bytes: Uint8Array): Promise<string> {
  const server = createServer((_, response) => response.end(bytes))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.wav`
}

const SUMMARY = [
  'analysis_url',
  'danceability',
  'duration',
  'energy',
  'key',
  'loudness',
  'mode',
  'tempo',
  'time_signature',
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
    expect(track.audio_summary.duration).toBe(3)
    expect(answer.text).toContain('"duration":3.0')
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
    await music.call('track/settled', { id: data.track.id })
  })

  it.each(['wav', 'mp3', 'au', 'ogg', 'm4a', 'mp4', 'flac', 'opus', 'aiff'])(
    'takes the filetype %s, and lets the content decide',
    async (filetype) => {
      const music = await openInline()
      const client = new Client(music)
      const { status } = await client.postBytes('track/upload', { filetype }, 'no sound')
      expect(status.code).toBe(0)
    },
  )

  it('says of sound that is none that it is in error, and why', async () => {
    const client = new Client(await openInline())
    const { data } = await client.postBytes('track/upload', { filetype: 'wav', wait: 'true' }, 'no')
    expect(data.track).toMatchObject({ status: 'error', error: expect.any(String) })
  })

  it('waits no longer than it may', async () => {
    const music = await openInline()
    const client = new Client(music, { limits: { waitSeconds: 0.001 } })
    const query = { filetype: 'wav', wait: true, bucket: 'audio_summary' }
    const { data } = await client.postBytes('track/upload', query, WAVE)
    expect(data.track).toMatchObject({ status: 'pending', md5: MD5 })
    await music.call('track/settled', { id: data.track.id })
    const known = await client.postBytes('track/upload', query, WAVE)
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
      await client.postBytes('track/upload', { filetype: 'wav', bucket: 'audio_summary' }, WAVE),
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
      [400, 5, 'bucket - Invalid parameter: "audio_summary" is valid only when wait is true'],
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
    expect(
      (await client.post('track/analyze', { id, bucket: 'audio_summary' })).status.message,
    ).toBe('bucket - Invalid parameter: "audio_summary" is valid only when wait is true')
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
})
