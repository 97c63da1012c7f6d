import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type Audile,
  AudileError,
  type AudileOptions,
  ClosedError,
  DecodeError,
  ParameterError,
  type Track,
} from '../../src/index.ts'
import { clip, waveBytes, waveFile } from '../support/clips.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { taggedMp3 } from '../support/tagged-mp3.ts'

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('was not rejected')
    },
    (error: unknown) => error as AudileError,
  )

/** Makes all analyses of a closed database those of an older analyzer. */
function outdate(database: string): void {
  const db = new Sqlite(database)
  db.exec("UPDATE analyses SET analyzer_version = '0.0.1'")
  db.close()
}

async function reopened(music: Audile, database: string): Promise<Audile> {
  await music.close()
  return openInline({ database })
}

/** A worker script that ends its thread at the first message. */
function dyingWorker(folder: string): string {
  const path = join(folder, 'worker.mjs')
  writeFileSync(
    path,
    "import { parentPort } from 'node:worker_threads'\nparentPort.on('message', () => process.exit(1))\n",
  )
  return path
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  // Whoever asks ends idle connections: else one may be ended that is just taken for the next.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('track/upload', () => {
  it('answers pending at once, and the analysis follows', async () => {
    const music = await openInline()
    const file = await waveFile(scratch(), 'song.wav')
    const track = await music.tracks.upload({ file })
    expect(track.id).toMatch(/^TR[A-Z]{5}[0-9A-F]{11}$/)
    expect(track.answer).toMatchObject({ id: track.id, status: 'pending' })
    expect(track.answer.md5).toBe(md5(readFileSync(file)))
    expect(track.answer.audioSummary).toBeUndefined()
    const answer = await track.analyzed()
    expect(answer).toMatchObject({ status: 'complete', samplerate: 22_050 })
    expect(answer.audioMd5).toMatch(/^[0-9a-f]{32}$/)
    expect(answer.bitrate).toBe(706)
  })

  it('waits when asked to, and fills the bucket', async () => {
    const music = await openInline()
    const file = await waveFile(scratch(), 'song.wav', clip({ seconds: 4 }))
    const { answer } = await music.tracks.upload({ file, wait: true, bucket: ['audio_summary'] })
    expect(answer.status).toBe('complete')
    const summary = answer.audioSummary
    expect(summary).toMatchObject({ analysisUrl: `audile:analysis/${answer.id}`, duration: 4 })
    expect(summary?.key).toBeGreaterThanOrEqual(-1)
    expect(summary?.loudness).toBeLessThan(0)
    expect([0, 1]).toContain(summary?.mode)
  })

  it('names the file and what its tags say in the document, but not where the file is', async () => {
    const music = await openInline({ fetch })
    const tagged = taggedMp3({ TIT2: 'Mine', TPE1: 'Me', TALB: 'Ours', TCON: 'Ska' }, 2)
    const file = join(scratch(), 'a song.mp3')
    writeFileSync(file, tagged)
    const { meta } = await (await music.tracks.upload({ file, wait: true })).analysis()
    expect(meta).toMatchObject({
      filename: 'a song.mp3',
      title: 'Mine',
      artist: 'Me',
      album: 'Ours',
      genre: 'Ska',
    })
    const other = taggedMp3({ TIT2: 'Yours' }, 2)
    const track = await music.tracks.upload({ bytes: other, wait: true })
    expect((await track.analysis()).meta.filename).toBeUndefined()
    await music.tracks.remove(track.id)
    const address = await serve((_, response) => response.end(other))
    const url = `${address}/music/an%20other%2Fsong.mp3?key=secret`
    const fetched = await music.tracks.upload({ url, wait: true })
    expect((await fetched.analysis()).meta.filename).toBe('song.mp3')
  })

  it('has the full document, with its published names', async () => {
    const music = await openInline()
    const track = await music.tracks.upload({ ...clip({ seconds: 5 }), wait: true })
    const { meta, track: whole, beats, segments } = await track.analysis()
    expect(whole.duration).toBe(5)
    const { audioSummary } = await track.profile({ bucket: ['audio_summary'] })
    expect(audioSummary).toMatchObject({
      tempo: whole.tempo,
      key: whole.key,
      mode: whole.mode,
      loudness: whole.loudness,
      timeSignature: whole.time_signature,
    })
    expect(whole.sample_md5).toBe((await track.profile()).audioMd5)
    expect(meta.analyzer_version).toBe(track.answer.analyzerVersion)
    expect(segments[0]).toMatchObject({ start: 0, pitches: expect.any(Array) })
    expect(beats.length).toBeGreaterThan(3)
  })

  it('takes bytes in every form, the same bytes being one track', async () => {
    const music = await openInline()
    const bytes = await waveBytes(clip())
    const ids = new Set<string>()
    const stream = () => new Blob([new Uint8Array(bytes)]).stream()
    async function* pieces() {
      for (let i = 0; i < bytes.length; i += 1000) yield bytes.subarray(i, i + 1000)
    }
    for (const form of [
      bytes,
      new Uint8Array(bytes).buffer,
      new Blob([new Uint8Array(bytes)]),
      stream(),
      pieces(),
    ]) {
      const track = await music.tracks.upload({ bytes: form, filetype: 'wav', wait: true })
      expect(track.answer).toMatchObject({ status: 'complete', md5: md5(bytes) })
      ids.add(track.id)
    }
    const file = join(scratch(), 'same.bin')
    writeFileSync(file, bytes)
    ids.add((await music.tracks.upload({ file })).id)
    expect(ids.size).toBe(1)
    expect((await music.tracks.list()).total).toBe(1)
  })

  it('takes samples', async () => {
    const music = await openInline()
    const { samples, sampleRate } = clip({ seconds: 2, sampleRate: 8000 })
    const stereo = [samples[0] as Float32Array, samples[0] as Float32Array]
    const track = await music.tracks.upload({ samples: stereo, sampleRate, wait: true })
    expect(track.answer).toMatchObject({ status: 'complete', samplerate: 8000 })
    expect((await track.analysis()).track.duration).toBe(2)
  })

  it('downloads an address', async () => {
    const bytes = await waveBytes(clip())
    const base = await serve((request, response) => {
      if (request.url === '/gone') response.writeHead(410, 'Gone').end()
      else if (request.url === '/moved') response.writeHead(302, { location: '/song' }).end()
      else response.end(bytes)
    })
    const music = await openInline()
    const track = await music.tracks.upload({ url: `${base}/moved`, wait: true })
    expect(track.answer).toMatchObject({ status: 'complete', md5: md5(bytes) })
    const gone = await failure(music.tracks.upload({ url: `${base}/gone` }))
    expect(gone).toBeInstanceOf(DecodeError)
    expect(gone.message).toMatch(/gone could not be downloaded: the server answered 410 Gone/)
  })

  it('caps downloads in size and time', async () => {
    const base = await serve((request, response) => {
      if (request.url === '/slow') response.write('RIFF')
      else response.end(new Uint8Array(5000))
    })
    const small = await openInline({ limits: { uploadBytes: 4096 } })
    const large = await failure(small.tracks.upload({ url: `${base}/large` }))
    expect(large).toMatchObject({ code: 'limit_exceeded', status: 5 })
    expect(large.message).toMatch(/4096 bytes of limits.uploadBytes/)
    const short = await openInline({ limits: { downloadSeconds: 0.2 } })
    const slow = await failure(short.tracks.upload({ url: `${base}/slow` }))
    expect(slow).toMatchObject({ code: 'limit_exceeded' })
    expect(slow.message).toMatch(/0.2 s of limits.downloadSeconds/)
  })

  it('uses the fetch it was given', async () => {
    const bytes = await waveBytes(clip())
    const asked: string[] = []
    const music = await openInline({
      fetch: async (input) => {
        asked.push(String(input))
        return new Response(new Uint8Array(bytes))
      },
    })
    await music.tracks.upload({ url: 'https://music.invalid/a', wait: true })
    expect(asked).toEqual(['https://music.invalid/a'])
  })

  it.each([
    [{}, 'missing_parameter', /track - Missing parameter: give file, url, bytes or samples/],
    [{ file: 'a', url: 'b' }, 'invalid_parameter', /url .*beside file/],
    [
      { file: 'a', bucket: 'audio_summary' },
      'invalid_parameter',
      /bucket .*only when wait is true/,
    ],
    [{ file: 'a', wait: true, bucket: ['tracks'] }, 'invalid_parameter', /bucket/],
    [{ file: 'a', wait: 'yes' }, 'invalid_parameter', /wait .*"yes" must be a boolean/],
    [{ url: 'ftp://x/y' }, 'invalid_parameter', /url .*http or https/],
    [{ file: 'a', filetype: 'doc' }, 'invalid_parameter', /filetype .*"doc" is not one of "wav"/],
    [
      { file: 'a', weight: 1 },
      'invalid_parameter',
      /^weight - Unknown parameter; known are file, url, bytes, samples, sampleRate, filetype/,
    ],
    [{ byte: new Uint8Array(9) }, 'invalid_parameter', /^byte - Unknown .*did you mean "bytes"\?/],
    [{ source: 1 }, 'invalid_parameter', /^source - Unknown parameter; give file, url, bytes/],
    [{ url: 'b', bytes: new Uint8Array(9) }, 'invalid_parameter', /^bytes .*beside url/],
    [{ samples: [], sampleRate: 44_100 }, 'invalid_parameter', /samples/],
    [{ samples: [new Float32Array(9)], sampleRate: 0 }, 'invalid_parameter', /sampleRate/],
    [{ bytes: 'text' }, 'invalid_parameter', /bytes/],
  ])('refuses %j', async (input, code, message) => {
    const music = await openInline()
    const error = await failure(music.tracks.upload(input as never))
    expect(error).toBeInstanceOf(ParameterError)
    expect(error.code).toBe(code)
    expect(error.message).toMatch(message)
    expect((await music.tracks.list()).total).toBe(0)
  })

  it('says which file is not there, and that a folder is not a file', async () => {
    const music = await openInline()
    const folder = scratch()
    const missing = await failure(music.tracks.upload({ file: join(folder, 'no.mp3') }))
    expect(missing).toBeInstanceOf(DecodeError)
    expect(missing.message).toMatch(/no\.mp3: there is no such file/)
    const error = await failure(music.tracks.upload({ file: folder }))
    expect(error.message).toMatch(/is not a file.*uploadFolder/)
  })

  it.each([
    ['JSON', '{\n  "name": "x"\n}', /: it begins with "\{\\n {2}\\"name\\": \\"x\\"/],
    [
      'a picture',
      Buffer.from('89504e470d0a1a0a', 'hex'),
      /: it begins with the bytes 89 50 4e 47 0d 0a 1a 0a\./,
    ],
    ['zeros', new Uint8Array(1000), /the bytes 00 00 /],
    ['an empty file', '', / is empty \(0 bytes\)\.$/],
  ])('refuses what is no audio, as %s, and makes no track of it', async (_, content, message) => {
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database })
    const file = join(scratch(), 'package.json')
    writeFileSync(file, content)
    const bytes = Buffer.from(content)
    const base = await serve((_, response) => response.end(bytes))
    for (const [input, name] of [
      [{ file }, file],
      [{ bytes }, 'What was given'],
      [{ url: `${base}/a.mp3` }, `${base}/a.mp3`],
      [{ file, wait: true }, file],
    ] as const) {
      const error = await failure(music.tracks.upload(input))
      expect(error).toBeInstanceOf(DecodeError)
      expect(error.message).toMatch(message)
      expect(error.message.startsWith(`${name} is `)).toBe(true)
    }
    expect((await music.tracks.list()).total).toBe(0)
    expect(readdirSync(`${database}-audio`)).toEqual([])
  })

  it('lets ffmpeg decide of what audile does not know, and removes what it refused', async () => {
    const music = await openInline({ ffmpegPath: '/usr/bin/false' })
    const track = await music.tracks.upload({ bytes: Buffer.from('no music'), wait: true })
    expect(track.answer.status).toBe('error')
    await music.tracks.remove(track.id)
    expect((await music.tracks.list()).total).toBe(0)
  })

  it('takes known audio again where the ffmpeg that read it is not set any more', async () => {
    const database = join(scratch(), 'music.db')
    const bytes = Buffer.from('no music')
    const first = await openInline({ database, ffmpegPath: '/usr/bin/false' })
    const { id } = await first.tracks.upload({ bytes, wait: true })
    await first.close()
    const music = await openInline({ database })
    expect((await music.tracks.upload({ bytes })).id).toBe(id)
  })

  it('makes of damaged audio a track in error, with its reason', async () => {
    const music = await openInline()
    const damaged = (await waveBytes(clip())).subarray(0, 40)
    const track = await music.tracks.upload({ bytes: damaged, wait: true })
    expect(track.answer.status).toBe('error')
    expect(track.answer.error).toMatch(/./)
    const error = await failure(track.analyzed())
    expect(error).toBeInstanceOf(DecodeError)
    expect(error.message).toBe(track.answer.error)
    expect(await failure(track.analysis())).toBeInstanceOf(DecodeError)
    expect(await track.profile()).toMatchObject({ status: 'error', error: track.answer.error })
  })

  it('stops waiting on abort, with the signal’s own reason; the work goes on', async () => {
    const music = await openInline()
    const abort = new AbortController()
    const reason = new Error('enough')
    const file = await waveFile(scratch(), 'long.wav', clip({ seconds: 20 }))
    music.on('track', ({ progress, status }) => {
      if (status === 'pending' && progress > 0) abort.abort(reason)
    })
    const error = await failure(music.tracks.upload({ file, wait: true, signal: abort.signal }))
    expect(error).toBe(reason)
    const [track] = (await music.tracks.list()).tracks
    expect((await (track as Track).analyzed()).status).toBe('complete')
    expect(await failure(music.tracks.upload({ file, signal: abort.signal }))).toBe(reason)
  })

  it('lets go of a stream that a refused call leaves unread', async () => {
    const music = await openInline()
    let cancelled = false
    const bytes = new ReadableStream<Uint8Array>({
      cancel() {
        cancelled = true
      },
    })
    await failure(music.tracks.upload({ bytes, bucket: 'audio_summary' }))
    expect(cancelled).toBe(true)
    expect(await failure(music.call('track/upload', { source: 999 }))).toMatchObject({
      code: 'invalid_parameter',
      message: expect.stringMatching(/999 was not offered/),
    })
    expect(await failure(music.tracks.upload('song.mp3' as never))).toMatchObject({
      message: 'upload takes an object, e.g. { file: "song.mp3" }',
    })
  })

  it('finds the kept bytes when the database was moved', async () => {
    const folder = scratch()
    const first = await openInline({ database: join(folder, 'a', '..', 'music.db') })
    const { id } = await first.tracks.upload({ ...clip(), wait: true })
    await first.close()
    const moved = join(scratch(), 'moved.db')
    renameSync(join(folder, 'music.db'), moved)
    renameSync(join(folder, 'music.db-audio'), `${moved}-audio`)
    const old = new Date(Date.now() - 7_200_000)
    for (const name of readdirSync(`${moved}-audio`))
      utimesSync(join(`${moved}-audio`, name), old, old)
    const db = new Sqlite(moved)
    db.exec("UPDATE analyses SET analyzer_version = '0.0.1'")
    db.close()
    const music = await openInline({ database: moved })
    expect((await music.tracks.analyze({ id }, { wait: true })).answer.status).toBe('complete')
  })

  it('notices a file that changes while it is taken in', async () => {
    const music = await openInline()
    const file = await waveFile(scratch(), 'song.wav', clip({ seconds: 3 }))
    const later = await waveBytes(clip({ seconds: 8, seed: 5 }))
    let over = false
    const uploading = music.tracks
      .upload({ file, wait: true })
      .catch((error: Error) => error)
      .finally(() => {
        over = true
      })
    // Who goes on for ever to change it can keep it from being taken in for ever.
    for (let turn = 0; !over && (await music.call('track/list', {})).total === 0; turn++) {
      if (turn < 50) writeFileSync(file, later)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const uploaded = await uploading
    if (uploaded instanceof Error) {
      // It was looked at between two writes.
      expect(uploaded.message).toMatch(/song\.wav is empty/)
      return
    }
    const { answer, id } = uploaded
    if (answer.status === 'complete') {
      const { track } = await (await music.tracks.get(id)).analysis()
      const bytes = track.duration === 8 ? later : await waveBytes(clip({ seconds: 3 }))
      expect(answer.md5).toBe(md5(bytes))
    } else {
      expect(answer.error).toMatch(/has changed/)
    }
  })

  it('gives up a stream that hangs, on abort and on close', async () => {
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database })
    async function* hanging() {
      yield new Uint8Array(10)
      await new Promise(() => {})
    }
    const abort = new AbortController()
    const reason = new Error('enough')
    const aborted = failure(music.tracks.upload({ bytes: hanging(), signal: abort.signal }))
    const closed = failure(music.tracks.upload({ bytes: hanging() }))
    await music.tracks.list()
    abort.abort(reason)
    expect(await aborted).toBe(reason)
    await music.close()
    expect(await closed).toBeInstanceOf(ClosedError)
    expect(readdirSync(`${database}-audio`)).toEqual([])
  })

  it('keeps uploaded bytes beside the database, or not', async () => {
    for (const keepAudio of [true, false]) {
      const database = join(scratch(), 'music.db')
      const music = await openInline({ database, keepAudio })
      const track = await music.tracks.upload({ ...clip(), wait: true })
      await expect
        .poll(() => existsSync(join(`${database}-audio`, track.answer.md5 as string)))
        .toBe(keepAudio)
    }
  })
})

describe('track/analyze and track/profile', () => {
  it('take an id or an md5, and exactly one', async () => {
    const music = await openInline()
    const track = await music.tracks.upload({ ...clip(), wait: true })
    const { md5: hash } = track.answer
    const bucket = ['audio_summary'] as ['audio_summary']
    expect((await music.tracks.profile({ md5: hash })).id).toBe(track.id)
    const upper = (hash as string).toUpperCase()
    expect((await music.tracks.analyze({ md5: upper }, { wait: true, bucket })).id).toBe(track.id)
    const both = await failure(music.tracks.profile({ id: track.id, md5: hash }))
    expect(both).toMatchObject({ code: 'invalid_parameter', status: 5 })
    expect(await failure(music.tracks.profile({} as never))).toMatchObject({
      code: 'missing_parameter',
    })
    expect((await track.profile({ bucket })).audioSummary?.duration).toBe(3)
    expect((await track.profile()).audioSummary).toBeUndefined()
  })

  it('do not know what was never uploaded', async () => {
    const music = await openInline()
    for (const reference of [{ id: 'TRAAAAA00000000000' }, { md5: '0'.repeat(32) }]) {
      for (const call of [music.tracks.profile(reference), music.tracks.analyze(reference)]) {
        const error = await failure(call)
        expect(error).toMatchObject({ code: 'unknown_identifier', status: 5 })
        expect(error.message).toMatch(/^The Identifier specified does not exist/)
      }
    }
    for (const reference of [{ file: '/m/help.mp3' }, '/m/help.mp3']) {
      const error = await failure(music.tracks.get(reference))
      expect(error.code).toBe('unknown_identifier')
      expect(error.message).toMatch(/^No track has the file "\/m\/help\.mp3"; .*upload or scan it/)
    }
    expect(await failure(music.tracks.profile({ md5: 'short' }))).toMatchObject({
      code: 'invalid_parameter',
    })
  })

  it('bucket without wait is an error of analyze', async () => {
    const music = await openInline()
    const track = await music.tracks.upload(clip())
    const error = await failure(track.analyze({ bucket: ['audio_summary'] }))
    expect(error).toMatchObject({ code: 'invalid_parameter', status: 5 })
  })

  it('find an analysis of an older analyzer unavailable, and renew it', async () => {
    const database = join(scratch(), 'music.db')
    const first = await openInline({ database })
    const { id } = await first.tracks.upload({ ...clip(), wait: true })
    await first.close()
    outdate(database)
    const music = await openInline({ database })
    const track = await music.tracks.get(id)
    expect(track.answer).toMatchObject({ status: 'unavailable', analyzerVersion: '0.0.1' })
    const bucket = ['audio_summary'] as ['audio_summary']
    expect((await track.profile({ bucket })).audioSummary?.duration).toBe(3)
    expect((await track.analysis()).track.duration).toBe(3)
    const again = await track.analyze({ wait: true, bucket })
    expect(again.answer.status).toBe('complete')
    expect(again.answer.audioSummary?.duration).toBe(3)
  })

  it('end in error when the file is gone or has changed', async () => {
    for (const change of [
      (path: string) => rmSync(path),
      (path: string) => writeFileSync(path, 'changed'),
    ]) {
      const database = join(scratch(), 'music.db')
      const first = await openInline({ database })
      const file = await waveFile(scratch(), 'song.wav')
      const { id } = await first.tracks.upload({ file, wait: true })
      await first.close()
      change(file)
      outdate(database)
      const music = await openInline({ database })
      const { answer } = await music.tracks.analyze({ id }, { wait: true })
      expect(answer.status).toBe('error')
      expect(answer.error).toMatch(/song\.wav.*(gone|has changed).*upload it again/)
      // The same bytes from elsewhere mend it.
      const mended = await music.tracks.upload({ bytes: await waveBytes(clip()), wait: true })
      expect(mended.answer).toMatchObject({ id, status: 'complete' })
      expect(mended.answer.error).toBeUndefined()
    }
  })

  const reasons: [
    why: string,
    options: (folder: string) => Partial<AudileOptions>,
    break_: (file: string) => void,
    error: RegExp,
  ][] = [
    ['its file is gone', () => ({}), (file) => rmSync(file), /song\.wav.*gone/],
    [
      'its file has changed',
      () => ({}),
      (file) => writeFileSync(file, 'changed'),
      /song\.wav has changed/,
    ],
    [
      'its file is longer than is allowed now',
      () => ({ limits: { decodedSeconds: 1 } }),
      () => {},
      /1 s/,
    ],
    [
      'the worker dies of it',
      (folder) => ({ workers: 1, workerPath: dyingWorker(folder) }),
      () => {},
      /./,
    ],
  ]
  it.each(reasons)('keep the analysis that there was when %s', async (_, options, spoil, error) => {
    const folder = scratch()
    const database = join(folder, 'music.db')
    const first = await openInline({ database })
    const file = await waveFile(scratch(), 'song.wav')
    const { id } = await first.tracks.upload({ file, wait: true })
    const document = await (await first.tracks.get(id)).analysis()
    const bucket: ['audio_summary'] = ['audio_summary']
    const [song] = await first.songs.search({ title: 'song', bucket })
    await first.close()
    outdate(database)
    spoil(file)
    const music = await openInline({ database, ...options(folder) })
    // Twice: failing again must not hide it either.
    for (let attempt = 0; attempt < 2; attempt++) {
      const tried = await music.tracks.analyze({ id }, { wait: true, bucket })
      expect(tried.answer.status).toBe('error')
      expect(tried.answer.error).toMatch(error)
      expect(tried.answer.audioSummary?.duration).toBe(3)
      expect((await failure(tried.analyzed())).message).toMatch(error)
    }
    for (const again of [false, true]) {
      const at = again ? await reopened(music, database) : music
      const track = await at.tracks.get(id)
      expect(track.answer).toMatchObject({ status: 'unavailable', analyzerVersion: '0.0.1' })
      expect(track.answer.error).toMatch(error)
      expect(await track.analysis()).toEqual(document)
      expect((await track.profile({ bucket })).audioSummary?.duration).toBe(3)
      const [found] = await at.songs.search({ title: 'song', bucket, minTempo: 1 })
      expect(found).toEqual(song)
      const [listed] = (await at.tracks.list({ sort: 'tempo-desc', bucket })).tracks
      expect(listed?.answer).toMatchObject({ status: 'unavailable', audioSummary: {} })
    }
    const last = await openInline({ database })
    const mended = await last.tracks.upload({ bytes: await waveBytes(clip()), wait: true })
    expect(mended.answer).toMatchObject({ id, status: 'complete' })
    expect(mended.answer.error).toBeUndefined()
  })

  it('keep the analysis of audio that was not kept', async () => {
    const database = join(scratch(), 'music.db')
    const first = await openInline({ database, keepAudio: false })
    const { id } = await first.tracks.upload({ ...clip(), wait: true })
    await first.close()
    outdate(database)
    const music = await openInline({ database, keepAudio: false })
    const track = await music.tracks.analyze({ id }, { wait: true })
    expect(track.answer).toMatchObject({ status: 'error', error: /was not kept/ })
    expect(await track.profile()).toMatchObject({ status: 'unavailable', error: /was not kept/ })
    expect((await track.analysis()).track.duration).toBe(3)
  })

  it('keep what is known of a song while its track is analysed anew', async () => {
    const database = join(scratch(), 'music.db')
    const first = await openInline({ database })
    const { id } = await first.tracks.upload({ ...clip(), wait: true })
    const { songId } = await first.tracks.profile({ id })
    await first.close()
    outdate(database)
    // As a process leaves it that ended during the analysis.
    const db = new Sqlite(database)
    db.exec("UPDATE tracks SET status = 'pending'")
    db.close()
    const music = await openInline({ database })
    const [song] = await music.songs.profile({ id: songId as string, bucket: 'audio_summary' })
    expect(song?.audioSummary?.loudness).toBeLessThan(0)
    const { answer } = await music.tracks.analyze({ id }, { wait: true })
    expect(answer.status).toBe('complete')
  })

  it('are not ready while pending', async () => {
    const music = await openInline()
    const track = await music.tracks.upload(clip({ seconds: 10 }))
    expect(await failure(track.analysis())).toMatchObject({ code: 'not_ready', status: 5 })
  })
})

describe('tracks', () => {
  it('list in pages and orders', async () => {
    const music = await openInline()
    for (const [seed, seconds] of [5, 2, 4].entries()) {
      await music.tracks.upload({ ...clip({ seconds, seed: seed + 1 }), wait: true })
    }
    const bucket = ['audio_summary'] as ['audio_summary']
    const page = await music.tracks.list({ sort: 'duration-desc', results: 2, bucket })
    expect(page).toMatchObject({ start: 0, total: 3 })
    expect(page.tracks.map(({ answer }) => answer.audioSummary?.duration)).toEqual([5, 4])
    const rest = await music.tracks.list({ sort: 'duration-desc', results: 2, start: 2, bucket })
    expect(rest.tracks.map(({ answer }) => answer.audioSummary?.duration)).toEqual([2])
    expect(await failure(music.tracks.list({ results: 101 }))).toMatchObject({ status: 5 })
  })

  it('are removed with what was kept of them, but never a file of the user’s', async () => {
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database })
    const file = await waveFile(scratch(), 'song.wav')
    const own = await music.tracks.upload({ file, wait: true })
    const kept = await music.tracks.upload({ ...clip({ seed: 7 }), wait: true })
    const copy = join(`${database}-audio`, kept.answer.md5 as string)
    expect(existsSync(copy)).toBe(true)
    for (const { id } of [own, kept]) {
      expect(await music.tracks.remove(id)).toEqual({ id })
      expect(await failure(music.tracks.get(id))).toMatchObject({ code: 'unknown_identifier' })
    }
    expect(existsSync(copy)).toBe(false)
    expect(existsSync(file)).toBe(true)
  })

  it('removed while pending end the waiting', async () => {
    const music = await openInline()
    const track = await music.tracks.upload(clip({ seconds: 30 }))
    const waiting = failure(track.analyzed())
    await music.tracks.remove(track.id)
    expect(await waiting).toMatchObject({ code: 'unknown_identifier' })
  })

  it('tell their progress', async () => {
    const music = await openInline()
    const steps: [string, number][] = []
    music.on('track', ({ status, progress }) => steps.push([status, progress]))
    await music.tracks.upload({ ...clip({ seconds: 30 }), wait: true })
    expect(steps[0]).toEqual(['pending', 0])
    expect(steps.at(-1)).toEqual(['complete', 1])
    const values = steps.map(([, progress]) => progress)
    expect(values).toEqual([...values].sort((a, b) => a - b))
  })
})

describe('uploadFolder', () => {
  async function library() {
    const folder = scratch()
    mkdirSync(join(folder, 'b', 'deep'), { recursive: true })
    mkdirSync(join(folder, '.hidden'))
    const seeds = { 'b/deep/one.wav': 1, 'b.wav': 2, 'b/two.bin': 3, 'z.wav': 4 }
    for (const [name, seed] of Object.entries(seeds)) {
      await waveFile(folder, name, clip({ seconds: 1, seed }))
    }
    await waveFile(folder, '.hidden/no.wav', clip({ seed: 9 }))
    writeFileSync(join(folder, 'cover.jpg'), new Uint8Array(300).fill(0xd8))
    writeFileSync(join(folder, 'broken.wav'), 'RIFF____WAVEfmt ')
    writeFileSync(join(folder, 'empty.mp3'), '')
    symlinkSync(folder, join(folder, 'loop'), 'junction')
    return folder
  }

  it('yields each audio file below, by content, as it is done', async () => {
    const music = await openInline()
    const folder = await library()
    const steps: { done: number; total: number; file: string }[] = []
    const tracks: Track[] = []
    for await (const track of music.tracks.uploadFolder(folder, {
      onProgress: (step) => steps.push(step),
    })) {
      tracks.push(track)
    }
    expect(tracks.map(({ answer }) => answer.status).sort()).toEqual([
      'complete',
      'complete',
      'complete',
      'complete',
      'error',
    ])
    expect(steps.map(({ done }) => done)).toEqual([1, 2, 3, 4, 5])
    expect(steps.every(({ total }) => total === 5)).toBe(true)
    const names = steps.map(({ file }) => relative(folder, file).replaceAll('\\', '/')).sort()
    expect(names).toEqual(['b.wav', 'b/deep/one.wav', 'b/two.bin', 'broken.wav', 'z.wav'])
  })

  it('scans in pages that neither miss nor repeat', async () => {
    const music = await openInline()
    const folder = await library()
    const whole = await music.call('track/audio-files', { folder })
    const paged: string[] = []
    for (let more = true; more; ) {
      const page = await music.call('track/audio-files', {
        folder,
        results: 1,
        after: paged.at(-1),
      })
      paged.push(...page.files)
      more = page.more
    }
    expect(paged).toEqual(whole.files)
    expect(whole.more).toBe(false)
  })

  // Node cannot name what has such bytes in its name, so nobody can read it, root neither.
  it.runIf(process.platform === 'linux')(
    'tells of files and folders that cannot be read',
    async () => {
      const music = await openInline()
      const folder = scratch()
      await waveFile(folder, 'a.wav', clip({ seconds: 1 }))
      const named = (name: string) =>
        Buffer.concat([Buffer.from(`${folder}/${name}`), Buffer.of(0xff)])
      mkdirSync(named('b'))
      writeFileSync(named('c'), 'of no use')
      const told: string[] = []
      const onProgress = ({ file, error }: { file: string; error?: Error }) =>
        told.push(`${relative(folder, file)} ${error?.name ?? 'fine'}`)
      for await (const _ of music.tracks.uploadFolder(folder, { onProgress }));
      expect(told.sort()).toEqual(['a.wav fine', 'b\ufffd DecodeError', 'c\ufffd DecodeError'])
      const pages: string[] = []
      for (let more = true; more; ) {
        const page = await music.call('track/audio-files', {
          folder,
          results: 1,
          after: pages.at(-1),
        })
        pages.push(...page.files)
        more = page.more
      }
      expect(pages).toHaveLength(3)
    },
  )

  it('can be left early', async () => {
    const music = await openInline()
    for await (const _ of music.tracks.uploadFolder(await library())) break
    expect((await music.tracks.list()).total).toBeGreaterThan(0)
  })

  it('ends with the error when the engine is gone, not as if all were well', async () => {
    const music = await openInline()
    const run = async () => {
      for await (const _ of music.tracks.uploadFolder(await library())) await music.close()
    }
    expect(await failure(run())).toBeInstanceOf(ClosedError)
  })

  it('stops with the signal’s reason', async () => {
    const music = await openInline()
    const abort = new AbortController()
    const reason = new Error('enough')
    const run = async () => {
      for await (const _ of music.tracks.uploadFolder(await library(), { signal: abort.signal })) {
        abort.abort(reason)
      }
    }
    expect(await failure(run())).toBe(reason)
  })

  it('says that a folder is not there', async () => {
    const music = await openInline()
    const run = async () => {
      for await (const _ of music.tracks.uploadFolder(join(scratch(), 'no'))) break
    }
    expect((await failure(run())).message).toMatch(/there is no such folder/)
  })
})

describe('Audile', () => {
  it('rejects all calls after it is closed, and closes once', async () => {
    const music = await openInline()
    const track = await music.tracks.upload(clip({ seconds: 30 }))
    const waiting = failure(track.analyzed())
    await Promise.all([music.close(), music.close()])
    expect(await waiting).toBeInstanceOf(ClosedError)
    expect(await failure(music.tracks.list())).toMatchObject({ code: 'closed', status: -1 })
    await music.close()
  })

  it('goes on with what was pending when it was closed', async () => {
    const database = join(scratch(), 'music.db')
    const first = await openInline({ database })
    const { id } = await first.tracks.upload(clip({ seconds: 30 }))
    await first.close()
    const music = await openInline({ database })
    expect((await (await music.tracks.get(id)).analyzed()).status).toBe('complete')
  })

  it('has keys, and refuses others', async () => {
    const music = await openInline()
    const key = await music.keys.create({ commercial: true })
    expect(key).toMatchObject({ commercial: true, apiKey: expect.stringMatching(/^\w{17}$/) })
    const fixed = await music.keys.create({ apiKey: 'N6E4NIOVYMTHNDM8J' })
    expect(fixed).toMatchObject({ apiKey: 'N6E4NIOVYMTHNDM8J', commercial: false })
    expect((await music.as(key.apiKey).tracks.list()).total).toBe(0)
    const stranger = await failure(music.as('Weezer').tracks.list())
    expect(stranger).toMatchObject({ code: 'invalid_key', status: 1 })
    expect(stranger.message).toBe('api_key - Invalid key: "Weezer" is not a valid, active api key')
    await music.keys.revoke(key.id)
    expect(await failure(music.as(key.apiKey).tracks.list())).toMatchObject({ status: 1 })
    expect(await failure(music.keys.revoke(key.id))).toMatchObject({ code: 'unknown_identifier' })
    const keys = await music.keys.list()
    expect(keys).toHaveLength(3)
    expect(JSON.stringify(keys)).not.toContain(fixed.apiKey)
  })

  it('makes keys of 17 random capitals and digits, which every old client sends', async () => {
    const music = await openInline()
    const keys = await Promise.all(Array.from({ length: 200 }, () => music.keys.create({})))
    for (const { apiKey } of keys) expect(apiKey).toMatch(/^[A-Z0-9]{17}$/)
    expect(new Set(keys.map(({ apiKey }) => apiKey)).size).toBe(200)
    // Each of the 36 is missing from 3,400 draws once in 10^40 runs.
    expect(new Set(keys.flatMap(({ apiKey }) => [...apiKey])).size).toBe(36)
  })

  it('keeps the key that calls are made with when no other is named', async () => {
    const database = join(scratch(), 'music.db')
    const before = await openInline({ database, apiKey: 'mine' })
    for (const { id } of await before.keys.list()) {
      const error = await failure(before.keys.revoke(id))
      expect(error).toMatchObject({ code: 'not_allowed', status: 2 })
      expect(error.message).toMatch(/"mine".*keys\.create\(\)/)
    }
    await before.close()
    const music = await openInline({ database })
    expect(await music.keys.list()).toHaveLength(2)
    const refused = []
    for (const { id } of await music.keys.list()) {
      refused.push(await music.keys.revoke(id).catch(({ message }: Error) => message))
    }
    // The one that this program is not opened with can be ended.
    expect(refused).toEqual(expect.arrayContaining([expect.stringMatching(/The key "local"/)]))
    expect((await music.tracks.list()).total).toBe(0)
  })

  it('names the method that was meant', async () => {
    const music = await openInline()
    const error = await failure(music.call('track/uplod' as never, {} as never))
    expect(error).toBeInstanceOf(AudileError)
    expect(error.message).toMatch(/no method "track\/uplod"; did you mean "track\/upload"\?/)
    expect(await failure(music.call('__proto__' as never, {} as never))).toMatchObject({
      status: 5,
    })
  })

  it('uses the clock it was given', async () => {
    const music = await openInline({ now: () => Date.UTC(2013, 7, 4, 21, 41, 59, 426) })
    const track = await music.tracks.upload(clip())
    expect(track.id).toMatch(/^TR[A-Z]{5}1404B479E02$/)
  })
})
