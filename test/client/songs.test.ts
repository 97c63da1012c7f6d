import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type AudileError, type Evidence, ParameterError, Song } from '../../src/index.ts'
import { encodeCodes } from '../../src/recognition/systems/codes.ts'
import { decodeCode } from '../../src/recognition/systems/decode-code.ts'
import { joined, waveFile } from '../support/clips.ts'
import { mp3Bytes, oggBytes } from '../support/encode.ts'
import { hearOnce } from '../support/heard-once.ts'
import { integerClip } from '../support/integer-clips.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { tune } from '../support/tune.ts'

hearOnce()

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('was not rejected')
    },
    (error: unknown) => error as AudileError,
  )

describe('songs.identify', () => {
  it('knows a song again by a piece of its sound, and no other', async () => {
    const music = await openInline()
    const track = await music.tracks.upload({ ...tune({ seed: 1 }), wait: true })
    await music.tracks.upload({ ...tune({ seed: 2 }), wait: true })
    const file = await waveFile(scratch(), 'heard.wav', tune({ seed: 1 }))
    const [song, ...others] = await music.songs.identify({ file, start: 4, length: 12 })
    expect(song).toBeInstanceOf(Song)
    expect(others).toEqual([])
    expect(song?.id).toMatch(/^SO[A-Z]{5}[0-9A-F]{11}$/)
    expect(song?.id).toBe((await track.profile()).songId)
    expect(song?.score).toBeGreaterThan(10)
    expect(song?.message).toMatch(/^OK \(match type \d\)$/)
    expect(await music.songs.identify(tune({ seed: 3 }))).toEqual([])
  })

  it.each([3.15, 4.11, 4.12])('knows a song again by its code of version %s', async (version) => {
    const music = await openInline()
    const track = await music.tracks.upload({ ...tune({ seed: 4 }), wait: true })
    await music.tracks.upload({ ...tune({ seed: 5 }), wait: true })
    const query = await music.songs.fingerprint(tune({ seed: 4 }), { version })
    expect(query.metadata).toMatchObject({ version })
    expect(query.metadata.codeCount).toBeGreaterThan(30)
    const { songId } = await track.profile()
    expect((await music.songs.identify(query)).map(({ id }) => id)).toEqual([songId])
    const { code } = query
    expect((await music.songs.identify({ code, version })).map(({ id }) => id)).toEqual([songId])
    // The version is often forgotten: then the code tells it.
    expect((await music.songs.identify({ code })).map(({ id }) => id)).toEqual([songId])
    const unknown = await music.songs.fingerprint(tune({ seed: 6 }), { version })
    expect(await music.songs.identify(unknown)).toEqual([])
  })

  it('lets a title and an artist decide when the code alone is not quite enough', async () => {
    const elsewhere = await openInline()
    const { code } = await elsewhere.songs.fingerprint(tune({ seed: 4 }))
    const record = { title: 'Tune 4', artistName: 'The Synthesisers', duration: 20 }
    const music = await openInline()
    await music.songs.import([{ ...record, fingerprints: [{ version: 4.12, code }] }])
    const { codes } = decodeCode(code, 4.12)
    const ask = async (count: number, more: object) => {
      // Some of the song's codes, from all over it, among as many of nothing.
      const step = (codes?.codes.length ?? 0) / count
      const kept = [...Array(count).keys()].map((i) => Math.floor(i * step))
      const part = {
        codes: Uint32Array.from([
          ...kept.map((i) => codes?.codes[i] ?? 0),
          ...kept.map((i) => 7 * i),
        ]),
        times: Uint32Array.from([...kept, ...kept].map((i) => codes?.times[i] ?? 0)),
      }
      const query = { code: encodeCodes('echoprint', part), version: 4.12, ...more }
      return (await music.songs.identify(query)).length
    }
    const fewest = async (more: object) => {
      for (let count = 3; count < 120; count++) if ((await ask(count, more)) > 0) return count
      return Number.POSITIVE_INFINITY
    }
    const plain = await fewest({})
    expect(plain).toBeLessThan(100)
    const names = { title: 'tune 4', artist: 'Synthesisers' }
    expect(await fewest(names)).toBeLessThan(plain)
    expect(await fewest({ metadata: { ...names, seconds: 20 } })).toBeLessThan(plain)
    // With the code of an excerpt comes the length of the excerpt.
    expect(await fewest({ metadata: { ...names, seconds: 8 } })).toBeLessThan(plain)
    // Names that are another song's, or a length that the song has not, are no help.
    expect(await fewest({ ...names, title: 'Tune 5' })).toBe(plain)
    expect(await fewest({ ...names, duration: 95 })).toBe(plain)
  })

  it('knows a recording that two songs hold, and names both', async () => {
    const music = await openInline()
    const audio = tune({ seed: 5, seconds: 32 })
    const { code, metadata } = await music.songs.fingerprint(audio)
    const record = (id: string, title: string) => ({
      id,
      title,
      artistName: 'The Synthesisers',
      duration: 32,
      fingerprints: [{ version: 4.12, code }],
    })
    await music.songs.import([record('one', 'Tune'), record('two', 'Tune (Best of)')])
    const titles = async (query: object) =>
      (await music.songs.identify(query as never)).map(({ title }) => title)
    expect((await titles({ code, metadata })).sort()).toEqual(['Tune', 'Tune (Best of)'])
    expect((await titles({ ...audio, start: 4, length: 20 })).sort()).toEqual([
      'Tune',
      'Tune (Best of)',
    ])
    // What the query says of itself decides which comes first.
    for (const title of ['Tune', 'Tune (Best of)']) {
      const named = await titles({ code, metadata: { ...metadata, title, artist: 'Synthesisers' } })
      expect(named[0]).toBe(title)
      expect(named).toHaveLength(2)
    }
    // A file of one's own joins one of them, not a third.
    const track = await music.tracks.upload({ ...audio, wait: true })
    const known = await music.songs.identify({ code, metadata })
    expect(known.map(({ id }) => id)).toContain(track.answer.songId)
    expect(known).toHaveLength(2)
  })

  it('says on request why it is the song, and where in it', async () => {
    const music = await openInline()
    const audio = tune({ seed: 5, seconds: 32 })
    const { code } = await music.songs.fingerprint(audio, { version: 4.12 })
    await music.tracks.upload({ ...audio, wait: true })
    const excerpt = { ...audio, start: 6, length: 20 }
    const [plain] = await music.songs.identify(excerpt)
    expect(plain).not.toHaveProperty('evidence')
    const [song] = await music.songs.identify(excerpt, { evidence: true })
    const { evidence } = song as { evidence: Evidence }
    expect(evidence).toEqual({
      system: 'triplets',
      score: expect.closeTo(song?.score as number, -0.3),
      agreeing: expect.any(Number),
      chance: expect.any(Number),
      codes: expect.any(Number),
      aligned: expect.any(Number),
      offset: expect.closeTo(6, 0),
      speed: 1,
      pitch: 0,
      lead: 1,
      lengths: { query: expect.closeTo(20, 1), recording: expect.closeTo(32, 1) },
      names: {},
    })
    expect(evidence.agreeing).toBeGreaterThan(20 * evidence.chance)
    expect(evidence.aligned).toBeGreaterThan(0.8)
    expect(evidence.aligned).toBeLessThanOrEqual(1)
    expect(evidence.codes).toBeGreaterThan(0.02)
    expect(evidence.codes).toBeLessThan(1)
    // The same samples, played faster.
    const sampleRate = Math.round(1.03 * audio.sampleRate)
    const faster = { ...audio, sampleRate, start: 10, length: 20, evidence: true }
    const [other] = await music.songs.identify(faster)
    expect(other?.evidence?.speed).toBeCloseTo(1.03, 2)
    expect(other?.evidence?.offset).toBeCloseTo(10.3, 0)
    const query = { code, version: 4.12, title: 'Tune 5', duration: 31 }
    const [coded] = await music.songs.identify([query], { evidence: true })
    expect(coded?.evidence).toMatchObject({
      system: 'echoprint',
      offset: expect.closeTo(0, 1),
      lengths: { query: 31, recording: expect.closeTo(32, 1) },
      names: { title: false },
    })
  })

  it('tells songs of which one holds the other by their length', async () => {
    const music = await openInline()
    const edit = tune({ seed: 7, seconds: 32 })
    const long = joined(edit, tune({ seed: 9, seconds: 40 }))
    const one = await music.tracks.upload({ ...edit, wait: true })
    const two = await music.tracks.upload({ ...long, wait: true })
    expect(two.answer.songId).not.toBe(one.answer.songId)
    const ids = async (query: object) =>
      (await music.songs.identify(query as never)).map(({ id }) => id).sort()
    const both = [one.answer.songId, two.answer.songId].sort()
    expect(await ids({ ...edit, start: 5, length: 15 })).toEqual(both)
    expect(await ids(long)).toEqual([two.answer.songId])
    const again = await music.tracks.upload({ bytes: await mp3Bytes(edit, 128), wait: true })
    expect(again.answer.songId).toBe(one.answer.songId)
  })

  it('knows by its sound a song that came as codes of system A alone', async () => {
    const music = await openInline()
    const audio = tune({ seed: 4, seconds: 32 })
    const { code } = await music.songs.fingerprint(audio, { version: 3.15 })
    const record = { title: 'Tune 4', artistName: 'A' }
    expect(await music.songs.identify(audio)).toEqual([])
    await music.songs.import([{ ...record, fingerprints: [{ version: 3.15, code }] }])
    expect(await music.songs.identify(audio)).toHaveLength(1)
  })

  it('answers a list of queries in its order, each with its tag', async () => {
    const music = await openInline()
    await music.tracks.upload({ ...tune({ seed: 4 }), wait: true })
    await music.tracks.upload({ ...tune({ seed: 5 }), wait: true })
    const queries = await Promise.all(
      [5, 6, 4].map(async (seed) => ({
        ...(await music.songs.fingerprint(tune({ seed }))),
        tag: `tune ${seed}`,
      })),
    )
    const songs = await music.songs.identify(queries)
    expect(songs.map(({ tag }) => tag)).toEqual(['tune 5', 'tune 4'])
  })

  it('has its turn between the queries of a list, and leaves when it is told to', async () => {
    const music = await openInline()
    const { code } = await music.songs.fingerprint(tune({ seed: 4 }))
    const leave = new AbortController()
    const list = Array(1_000).fill({ code, version: 4.12 })
    const asking = music.songs.identify(list, { signal: leave.signal })
    setImmediate(() => leave.abort(new Error('enough')))
    expect((await failure(asking)).message).toBe('enough')
    const { status, message } = await failure(music.songs.identify([...list, { code }]))
    expect(status).toBe(5)
    expect(message).toContain('query - Invalid parameter: the list has 1,001 queries; ask 1,000')
  })

  it('answers a list of which some entries are no codes', async () => {
    const music = await openInline()
    await music.tracks.upload({ ...tune({ seed: 4 }), wait: true })
    const query = await music.songs.fingerprint(tune({ seed: 4 }))
    // As the old generator wrote what it could not read.
    const failed = { error: 'could not decode', tag: 1, metadata: { filename: 'x.mp3' } }
    const list = [failed, { ...query, tag: 2 }, { code: null, tag: 3 }]
    const songs = await music.songs.identify(list as never)
    expect(songs.map(({ tag }) => tag)).toEqual([2])
    const { message } = await failure(music.songs.identify([query, 7] as never))
    expect(message).toBe('query.1 - Invalid parameter: 7 must be an object')
  })

  it('loses no answer to side evidence of another kind', async () => {
    const music = await openInline()
    await music.tracks.upload({ ...tune({ seed: 4 }), wait: true })
    const { code, metadata } = await music.songs.fingerprint(tune({ seed: 4 }))
    for (const more of [
      { title: 1979, artist: ['A', 'B'], duration: '' },
      { version: '', metadata: { ...metadata, title: 1979, seconds: {}, genre: 3 } },
      { metadata: 'none' },
    ]) {
      expect(await music.songs.identify({ code, ...more } as never)).toHaveLength(1)
    }
    const { message } = await failure(music.songs.identify({ code: 7 } as never))
    expect(message).toBe('query.code - Invalid parameter: 7 must be a string')
  })

  it('takes bytes with their format, as an upload does, and no sound beside a code', async () => {
    const music = await openInline()
    const bytes = await mp3Bytes(tune({ seed: 4 }), 128)
    await music.tracks.upload({ bytes, filetype: 'mp3', wait: true })
    expect(await music.songs.identify({ bytes, filetype: 'mp3' })).toHaveLength(1)
    const { code } = await music.songs.fingerprint({ bytes, filetype: 'mp3' })
    expect(await music.songs.identify({ code, version: 4.12 })).toHaveLength(1)
    const nothing = { code: undefined, ...tune({ seed: 4 }) }
    expect(await music.songs.identify(nothing as never)).toHaveLength(1)
    const both = await failure(music.songs.identify({ code, file: 'a.mp3' } as never))
    expect(both.message).toBe('file - Invalid parameter: beside code; give one of them')
    const neither = await failure(music.songs.identify({ code: undefined } as never))
    expect(neither.code).toBe('missing_parameter')
  })

  it('has no songs for a code that cannot be read, and no error', async () => {
    const music = await openInline()
    const bomb = deflateSync(Buffer.alloc(50_000_000)).toString('base64')
    for (const code of ['', 'BADeJw', '%%%', bomb, 'a'.repeat(10_000_000)]) {
      expect(await music.songs.identify({ code })).toEqual([])
      expect(await music.songs.identify({ code, version: 4.12 })).toEqual([])
    }
  })

  it('ignores what it does not know beside a code', async () => {
    const music = await openInline()
    await music.tracks.upload({ ...tune({ seed: 4 }), wait: true })
    const { code } = await music.songs.fingerprint(tune({ seed: 4 }))
    const query = {
      code,
      code_count: 3,
      metadata: { version: '4.12', given_duration: 30, genre: null },
    }
    expect(await music.songs.identify(query)).toHaveLength(1)
  })

  it('says what is missing, doubled or of the wrong kind', async () => {
    const music = await openInline()
    const { code } = await failure(music.songs.identify({} as never))
    expect(code).toBe('missing_parameter')
    const both = await failure(music.songs.identify({ file: 'a.wav', url: 'http://b' } as never))
    expect(both).toBeInstanceOf(ParameterError)
    expect(both.message).toContain('beside file')
    expect((await failure(music.songs.identify('a.wav' as never))).message).toContain(
      '{ file: "a.wav" }',
    )
    const late = await failure(music.songs.identify({ ...tune({ seed: 1 }), start: 500 }))
    expect(late.code).toBe('decode')
    expect(late.message).toContain('nothing from 500 s on')
    const bucket = await failure(music.songs.identify({ code: 'x', bucket: 'fakebucket' as never }))
    expect(bucket.message).toMatch(/"fakebucket" is not one of "audio_summary"/)
  })

  it('rejects with the reason of its signal', async () => {
    const music = await openInline()
    const signal = AbortSignal.abort(new Error('enough'))
    expect((await failure(music.songs.identify(tune({ seed: 1 }), { signal }))).message).toBe(
      'enough',
    )
  })

  it('fills the bucket, and the profile answers the same', async () => {
    const music = await openInline()
    const track = await music.tracks.upload({ ...tune({ seed: 4 }), wait: true })
    const [song] = await music.songs.identify({ ...tune({ seed: 4 }), bucket: ['audio_summary'] })
    expect(song?.audioSummary?.analysisUrl).toBe(`audile:analysis/${track.id}`)
    const profile = await song?.profile({ bucket: 'audio_summary' })
    expect(profile?.audioSummary).toEqual(song?.audioSummary)
    const again = await music.songs.profile({
      trackId: [track.id, 'TRUNKNOWN000000000'],
      id: 'SO1',
    })
    expect(again.map(({ id }) => id)).toEqual([song?.id])
  })
})

describe('songs.fingerprint', () => {
  it('makes of a file what the original generator made of it', async () => {
    const music = await openInline()
    const samples = [integerClip('bursts')]
    const file = await waveFile(scratch(), 'bursts.wav', { samples, sampleRate: 11_025 })
    const { code, metadata } = await music.songs.fingerprint({ file })
    const decoded = decodeCode(code, 4.12)
    const golden = new URL('../golden/echoprint-bursts.json', import.meta.url)
    const { times, codes } = JSON.parse(readFileSync(golden, 'utf8'))
    expect([...(decoded.codes?.codes ?? [])]).toEqual(codes)
    expect([...(decoded.codes?.times ?? [])]).toEqual(times)
    expect(metadata).toMatchObject({
      version: 4.12,
      filename: 'bursts.wav',
      seconds: samples[0]!.length / 11_025,
      startOffset: 0,
      codeCount: codes.length,
    })
  })

  it('has times from the start of the file, and an empty code where nothing sounds', async () => {
    const music = await openInline()
    const audio = tune({ seed: 4 })
    const { code, metadata } = await music.songs.fingerprint({ ...audio, start: 8, length: 10 })
    const times = decodeCode(code, 4.12).codes?.times ?? []
    expect(Math.min(...times)).toBeGreaterThanOrEqual(Math.floor(8000 / 23))
    expect(metadata).toMatchObject({ startOffset: 8, seconds: 10 })
    const silence = { samples: [new Float32Array(22_050)], sampleRate: 22_050 }
    expect((await music.songs.fingerprint(silence)).code).toBe('')
    expect((await failure(music.songs.fingerprint(audio, { version: 4 }))).message).toContain(
      'is not one of 3.15, 4.11, 4.12',
    )
  })
})

describe('tracks and songs', () => {
  it('make one song of one recording in several encodings', async () => {
    const music = await openInline()
    const audio = tune({ seed: 7, seconds: 32 })
    const first = await music.tracks.upload({ ...audio, wait: true })
    const { songId } = first.answer
    for (const bytes of [await mp3Bytes(audio, 64), await oggBytes(audio, 3)]) {
      const { answer } = await music.tracks.upload({ bytes, wait: true })
      expect(answer.songId).toBe(songId)
    }
    const trimmed = {
      ...audio,
      samples: audio.samples.map((s) => s.subarray(3 * audio.sampleRate)),
    }
    const { answer } = await music.tracks.upload({ ...trimmed, wait: true })
    expect(answer.songId).toBe(songId)
    const other = await music.tracks.upload({ ...tune({ seed: 8, seconds: 32 }), wait: true })
    expect(other.answer.songId).not.toBe(songId)
  })

  it('do not make one song of a mix and what it quotes', async () => {
    const music = await openInline()
    const quoted = tune({ seed: 7, seconds: 20 })
    const one = await music.tracks.upload({ ...quoted, wait: true })
    const rest = tune({ seed: 9, seconds: 40 })
    const mix = await music.tracks.upload({ ...joined(quoted, rest), wait: true })
    expect(mix.answer.songId).not.toBe(one.answer.songId)
  })

  it('forget a song with its last track, and its fingerprints with it', async () => {
    const music = await openInline()
    const audio = tune({ seed: 4, seconds: 32 })
    const one = await music.tracks.upload({ ...audio, wait: true })
    const two = await music.tracks.upload({ bytes: await mp3Bytes(audio, 128), wait: true })
    expect(two.answer.songId).toBe(one.answer.songId)
    await music.tracks.remove(one.id)
    expect(await music.songs.identify(audio)).toHaveLength(1)
    const [song] = await music.songs.profile({ trackId: two.id })
    await music.tracks.remove(two.id)
    expect(await music.songs.identify(audio)).toEqual([])
    expect((await failure((song as Song).profile())).code).toBe('unknown_identifier')
    expect(await music.songs.profile({ id: one.answer.songId as string })).toEqual([])
  })

  it('fill the code strings of the document', async () => {
    const music = await openInline()
    const track = await music.tracks.upload({ ...tune({ seed: 4 }), wait: true })
    const { track: whole } = await track.analysis()
    expect(whole).toMatchObject({ code_version: 3.15, echoprint_version: 4.12 })
    const { songId } = track.answer
    const [byA] = await music.songs.identify({ code: whole.codestring as string, version: 3.15 })
    const [byB] = await music.songs.identify({
      code: whole.echoprintstring as string,
      version: 4.11,
    })
    expect([byA?.id, byB?.id]).toEqual([songId, songId])
  })
})

describe('songs.import', () => {
  it('takes in songs with code strings, and they can be identified', async () => {
    const elsewhere = await openInline()
    const records = await Promise.all(
      [4, 5, 6].map(async (seed) => {
        const { code } = await elsewhere.songs.fingerprint(tune({ seed }))
        return {
          id: `TR00${seed}`,
          title: `Tune ${seed}`,
          artistName: 'The Synthesisers',
          duration: 30,
          fingerprints: [{ version: 4.12, code }],
        }
      }),
    )
    const music = await openInline()
    const told: number[] = []
    const result = await music.songs.import(records, { onProgress: ({ done }) => told.push(done) })
    expect(result).toEqual({ imported: 3, updated: 0, rejected: [] })
    expect(told).toEqual([3])
    const [song] = await music.songs.identify(tune({ seed: 5 }))
    expect(song).toMatchObject({ title: 'Tune 5', artistName: 'The Synthesisers' })
    // A track of one's own that sounds like it joins it.
    const track = await music.tracks.upload({ ...tune({ seed: 5 }), wait: true })
    expect(track.answer.songId).toBe(song?.id)
    // Run again, it changes nothing.
    expect(await music.songs.import(records)).toEqual({ imported: 0, updated: 3, rejected: [] })
    expect(await music.songs.identify(tune({ seed: 5 }))).toHaveLength(1)
  })

  it('tells bad records by their place and goes on', async () => {
    const music = await openInline()
    async function* records() {
      for (let i = 0; i < 2500; i++) yield { title: `Song ${i}`, artistName: 'A' }
      yield { title: '', artistName: 'A' }
      yield { title: 'Coded', artistName: 'A', fingerprints: [{ version: 4.12, code: 'nonsense' }] }
      yield { title: 'Misspelt', artistName: 'A', yaer: 1999 } as never
      yield { title: 'Last', artistName: 'A', year: 0 }
    }
    const { imported, rejected } = await music.songs.import(records())
    expect(imported).toBe(2501)
    expect(rejected.map(({ index }) => index)).toEqual([2500, 2501, 2502])
    expect(rejected[1]?.info).toContain('fingerprints')
    expect(rejected[2]?.info).toContain('did you mean "year"')
  })

  it('stops when it is told to', async () => {
    const music = await openInline()
    const leave = new AbortController()
    function* records() {
      for (let i = 0; ; i++) yield { title: `Song ${i}`, artistName: 'A' }
    }
    const onProgress = ({ done }: { done: number }) => {
      if (done === 2000) leave.abort(new Error('enough'))
    }
    const importing = music.songs.import(records(), { signal: leave.signal, onProgress })
    expect((await failure(importing)).message).toBe('enough')
  })
})
