import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { AnalysisDocument, Audile, Track, TrackQuery, TrackRecord } from '../../src/index.ts'
import { clip, waveFile } from '../support/clips.ts'
import { hearOnce } from '../support/heard-once.ts'
import { openInline } from '../support/open.ts'
import { nativeId } from '../support/reference-library.ts'
import { scratch } from '../support/scratch.ts'

hearOnce()

async function documentOf(music: Audile, seed = 1): Promise<AnalysisDocument> {
  const track = await music.tracks.upload({ ...clip({ seconds: 6, seed }), wait: true })
  return track.analysis()
}

async function exported(music: Audile): Promise<TrackRecord[]> {
  const records: TrackRecord[] = []
  for await (const record of music.tracks.export()) records.push(record)
  return records
}

/** As Spotify's interface answered it. */
const FEATURES = {
  id: '11dFghVXANMlKmJXsNCbNl',
  uri: 'spotify:track:11dFghVXANMlKmJXsNCbNl',
  duration_ms: 207_960,
  tempo: 118.211,
  key: 0,
  mode: 1,
  time_signature: 4,
  loudness: -5.883,
  energy: 0.842,
  danceability: 0.585,
  speechiness: 0.0556,
  acousticness: 0.00242,
  instrumentalness: 0.00686,
  liveness: 0.0866,
  valence: 0.428,
}

describe('tracks.import', () => {
  it('makes a track of a document without audio, whose analysis, song and neighbours are there', async () => {
    const music = await openInline()
    const analysis = await documentOf(music)
    const other = await openInline()
    const record = { analysis, title: 'Long Way', artist: 'Nora', release: 'Home', year: 1999 }
    expect(await other.tracks.import([record])).toEqual({ imported: 1, updated: 0, rejected: [] })
    const { tracks } = await other.tracks.list({ bucket: 'audio_summary' })
    const [track] = tracks
    if (!track) throw new Error('no track')
    expect(track.answer).toMatchObject({
      status: 'complete',
      title: 'Long Way',
      artist: 'Nora',
      release: 'Home',
      files: [],
      audioSummary: { tempo: analysis.track.tempo, firstDownbeat: analysis.bars[0]?.start },
    })
    const { meta, ...rest } = await track.analysis()
    expect(rest).toEqual({ ...analysis, meta: undefined } satisfies object)
    expect(meta.analyzer_version).toBe(analysis.meta.analyzer_version)
    const [song] = await other.songs.search({ title: 'long way', bucket: 'audio_summary' })
    expect(song).toMatchObject({ artistName: 'Nora', audioSummary: { key: analysis.track.key } })
    expect((await song?.tracks())?.map(({ id }) => id)).toEqual([track.id])
    // Tests of a player's "similar" need no audio.
    await other.tracks.import([{ analysis: await documentOf(music, 2), title: 'Else' }])
    expect((await other.tracks.similar(track)).map(({ answer }) => answer.title)).toEqual(['Else'])
  })

  it('takes a document of tempo, beats and plain segments, as tests make them', async () => {
    const music = await openInline()
    const track = { duration: 60, tempo: 80, loudness: -9, key: 9, mode: 0, time_signature: 4 }
    const segment = (timbre: number, pitch: number, duration: number) => ({
      ...{ start: 0, duration, pitches: Array(12).fill(pitch), timbre: Array(12).fill(timbre) },
    })
    // A band of more onsets than there are numbers, and more bands than there can be.
    const huge = deflateSync('22050 256 4294967295 4294967295 1 2 3').toString('base64url')
    const documents: NonNullable<TrackRecord['analysis']>[] = [
      { track, segments: [segment(1, 0.5, 1)] },
      { track: { ...track, rhythmstring: 'cut' }, segments: [segment(2, 0.5, 1)] },
      { track: { ...track, rhythmstring: huge }, segments: [segment(3, 0.5, 1)] },
      { track: { ...track, tempo: 81 }, segments: [segment(1, 0, 1), segment(2, 0, 0)] },
      { track: { ...track, tempo: 82 }, segments: [segment(1, 0, 0)] },
    ]
    const records = documents.map((analysis, i) => ({ analysis, title: String(i), artist: 'A' }))
    expect(await music.tracks.import(records)).toMatchObject({ imported: 5, rejected: [] })
    const [first] = (await music.tracks.list()).tracks
    const similar = await music.tracks.similar(first?.id ?? '')
    expect(similar).toHaveLength(4)
    for (const { answer } of similar) expect(answer.similarity).toBeGreaterThanOrEqual(0)
  })

  it('changes nothing when it is run again, by whatever names the track', async () => {
    const music = await openInline()
    const analysis = await documentOf(music)
    const names = [
      { id: nativeId('TR', 7) },
      { md5: '0'.repeat(32) },
      { foreignIds: ['spotify:track:abc'] },
      { file: '/nowhere/song.mp3' },
      { title: 'nothing else' },
    ]
    for (const name of names) {
      const other = await openInline()
      const record = { analysis, ...name }
      expect(await other.tracks.import([record])).toMatchObject({ imported: 1, updated: 0 })
      const before = await exported(other)
      expect(await other.tracks.import([record])).toMatchObject({ imported: 0, updated: 1 })
      expect(await exported(other)).toEqual(before)
      expect((await other.tracks.list()).total).toBe(1)
    }
  })

  it("takes Spotify's audio-features, alone and beside its audio-analysis", async () => {
    const music = await openInline()
    const names = { title: 'Cut To The Feeling', artist: 'Carly Rae Jepsen' }
    await music.tracks.import([{ audioFeatures: FEATURES, ...names }])
    const track = await music.tracks.get(FEATURES.uri)
    const { audioSummary } = await track.profile({ bucket: 'audio_summary' })
    expect(audioSummary).toMatchObject({
      tempo: 118.211,
      duration: 207.96,
      energy: 0.842,
      danceability: 0.585,
      timeSignature: 4,
    })
    const found = await music.songs.search({
      ...{ minTempo: 118, maxTempo: 119, key: 'C', mode: 'major' },
      bucket: 'audio_summary',
    })
    expect(found).toMatchObject([{ ...{ title: names.title }, audioSummary: { valence: 0.428 } }])
    await expect(track.analysis()).rejects.toMatchObject({ code: 'not_ready' })
    // A correction has nothing to change before there is a document; a hint waits for the audio.
    for (const change of [{ tempo: 'half' }, { key: 'Am' }, { downbeat: 1 }] as const) {
      await expect(track.correct(change)).rejects.toMatchObject({ code: 'not_ready' })
    }
    await track.correct({ tempoRange: [80, 160], key: null })
    expect(await track.corrections()).toEqual({ tempoRange: [80, 160] })
    const analysis = await documentOf(music)
    await music.tracks.import([{ analysis, audioFeatures: FEATURES, ...names }])
    expect((await track.analysis()).beats).toEqual(analysis.beats)
    const both = await track.profile({ bucket: 'audio_summary' })
    expect(both.audioSummary).toMatchObject({ tempo: analysis.track.tempo, energy: 0.842 })
  })

  it("keeps Spotify's instrumentalness and liveness on the track, and finds it by them", async () => {
    const music = await openInline()
    const own = await music.tracks.upload({ ...clip(), wait: true })
    const analysis = await documentOf(await openInline())
    const { instrumentalness, liveness } = FEATURES
    const told = { instrumentalness, liveness }
    await music.tracks.import(
      [
        { audioFeatures: FEATURES, title: 'Features' },
        { audioFeatures: { ...FEATURES, id: 'b', liveness: 0.9 }, title: 'Live' },
        // What was analysed here learns them too.
        { audioFeatures: { ...FEATURES, id: 'c' }, md5: own.answer.md5 as string },
        { analysis, title: 'None' },
      ],
      { strict: true },
    )
    const track = await music.tracks.get(FEATURES.uri)
    const summaryOf = async (one: Track) =>
      (await one.profile({ bucket: 'audio_summary' })).audioSummary
    expect(await summaryOf(track)).toMatchObject(told)
    const { tempo, ...ownSummary } = (await summaryOf(own))!
    expect(ownSummary).toMatchObject(told)
    expect(tempo).not.toBe(FEATURES.tempo)
    const find = async (query: TrackQuery) =>
      (await music.tracks.search(query)).tracks.map(({ answer }) => answer.title)
    expect(await find({ liveness: [0.5, 1] })).toEqual(['Live'])
    expect(await find({ instrumentalness: [0, 0.01] })).toEqual([undefined, 'Features', 'Live'])
    expect((await find({ sort: 'liveness-desc' })).at(0)).toBe('Live')
    expect((await find({ sort: 'liveness-desc' })).at(-1)).toBe('None')
    // A document that comes later, and another analysis, leave them.
    await music.tracks.import([{ analysis, foreignIds: [FEATURES.uri] }], { strict: true })
    expect(await summaryOf(track)).toMatchObject({ ...told, tempo: analysis.track.tempo })
    const moved = await openInline()
    await moved.tracks.import(music.tracks.export(), { strict: true })
    expect(await summaryOf(await moved.tracks.get(track.id))).toMatchObject(told)
  })

  it('takes a few fields for a track, as a test seeds it', async () => {
    const music = await openInline()
    const seeds: TrackRecord[] = [
      { title: 'A', audioSummary: { tempo: 95 } },
      { title: 'B', audioFeatures: { key: 9, mode: 0 } },
      { title: 'C', analysis: { track: { duration: 60 } } },
      { title: 'E', analysis: { track: { duration: 60, key: 4, mode: 0 } } },
      { title: 'D', audioSummary: {} },
    ]
    await music.tracks.import(seeds, { strict: true })
    const { tracks } = await music.tracks.list({ bucket: 'audio_summary' })
    const nothing = { tempo: 0, key: 0, keyConfidence: 0, mode: 0 }
    expect(tracks.map(({ answer }) => answer)).toMatchObject([
      { title: 'A', status: 'complete', audioSummary: { ...nothing, tempo: 95, duration: 0 } },
      { title: 'B', audioSummary: { tempo: 0, key: 9, mode: 0 } },
      { title: 'C', audioSummary: { ...nothing, duration: 60, loudness: -60 } },
      { title: 'E', audioSummary: { key: 4, mode: 0 } },
      { title: 'D', audioSummary: { ...nothing, duration: 0 } },
    ])
    const moved = await openInline()
    await moved.tracks.import(music.tracks.export(), { strict: true })
    for (const library of [music, moved]) {
      expect((await library.tracks.search({ key: ['Am', 'Em'] })).total).toBe(2)
      expect((await library.tracks.search({ key: 'C' })).total).toBe(0)
      const [first] = (await library.tracks.list({ bucket: 'audio_summary' })).tracks
      expect(first?.answer).toMatchObject({ audioSummary: { tempo: 95, duration: 0 } })
    }
  })

  it('rejects loudly when it is told to', async () => {
    const music = await openInline()
    const records = [
      { title: 'A', audioSummary: { tempo: 95 } },
      { title: 'B' },
      { title: 'C', audioSummary: { tempo: 'fast' } },
    ] as TrackRecord[]
    await expect(music.tracks.import(records, { strict: true })).rejects.toMatchObject({
      code: 'invalid_parameter',
      message: expect.stringMatching(/^records\.1: .*has neither analysis nor audioFeatures/),
    })
    expect((await music.tracks.list()).total).toBe(1)
    const songs = [{ title: 'A', artistName: 'B' }, { title: 'C' }] as never
    await expect(music.songs.import(songs, { strict: true })).rejects.toThrow(
      'records.1: artistName - Missing parameter',
    )
  })

  it('is not sure of a key that the audio-features do not have', async () => {
    const music = await openInline()
    await music.tracks.import([{ audioFeatures: { ...FEATURES, key: -1 }, title: 'Drums' }])
    const [record] = await exported(music)
    const moved = await openInline()
    await moved.tracks.import([record as TrackRecord])
    for (const library of [music, moved]) {
      const [track] = (await library.tracks.search({ bucket: 'audio_summary' })).tracks
      expect(track?.answer.audioSummary).toMatchObject({ key: 0, keyConfidence: 0 })
    }
  })

  it('keeps an analysis that was made of the audio here', async () => {
    const music = await openInline()
    const own = await music.tracks.upload({ ...clip(), wait: true })
    const foreign = await documentOf(await openInline(), 3)
    const md5 = own.answer.md5 as string
    expect(await music.tracks.import([{ analysis: foreign, md5 }])).toMatchObject({ updated: 1 })
    expect((await own.analysis()).track.duration).toBe(3)
  })

  it('finds the file of a record when it is there, and a later scan knows it', async () => {
    const music = await openInline()
    const analysis = await documentOf(music)
    const folder = scratch()
    const file = await waveFile(folder, 'a.wav')
    const gone = join(folder, 'gone.wav')
    await music.tracks.import([
      { analysis, title: 'there', file },
      { analysis, title: 'gone', file: gone },
    ])
    expect((await music.tracks.get({ file })).files).toMatchObject([{ path: file, present: true }])
    expect((await music.tracks.get({ file: gone })).files).toMatchObject([{ present: false }])
    const kinds: string[] = []
    for await (const { kind } of music.tracks.scan(folder)) kinds.push(kind)
    expect(kinds).toEqual(['unchanged', 'missing'])
  })

  it('rejects what is no record, and says why', async () => {
    const music = await openInline()
    const analysis = await documentOf(music)
    const bad = [
      {},
      { analysis: { ...analysis, segments: [{ start: 0, duration: 1 }] } },
      { analysis: { track: {} } },
      { analysis, id: 'nonsense' },
      { analysis, foreignIds: ['spotify'] },
      { analysis, fingerprints: [{ version: 4.12, code: 'x' }] },
      { analysis, corrections: { tempo: 5_000 } },
      null,
    ] as unknown as TrackRecord[]
    const { imported, rejected } = await music.tracks.import(bad)
    expect(imported).toBe(0)
    expect(rejected.map(({ index }) => index)).toEqual(bad.map((_, i) => i))
    expect(rejected.map(({ info }) => info).join('\n')).toMatch(
      /has neither analysis nor audioFeatures[\s\S]*segments[\s\S]*track[\s\S]*"nonsense" is no TR…[\s\S]*"spotify" is no <id space>/,
    )
    expect((await music.tracks.list()).total).toBe(1)
  })

  it('says what to do with audio-features in the place of the document, and with what is no list', async () => {
    const music = await openInline()
    const { rejected } = await music.tracks.import([{ analysis: FEATURES as never, title: 'Song' }])
    expect(rejected).toEqual([{ index: 0, info: expect.stringContaining('as audioFeatures') }])
    for (const records of [{ audioFeatures: FEATURES }, 'library.json', undefined]) {
      await expect(music.tracks.import(records as never)).rejects.toMatchObject({
        name: 'ParameterError',
        message: expect.stringContaining('a list'),
      })
    }
  })
})

describe('tracks.export', () => {
  it('keeps all of the audio-features, beside a document too', async () => {
    const music = await openInline()
    const { id: _, uri: __, ...other } = FEATURES
    await music.tracks.import([
      { audioFeatures: FEATURES, title: 'One', artist: 'Nora' },
      { audioFeatures: other, analysis: await documentOf(await openInline()), title: 'Two' },
    ])
    const moved = await openInline()
    await moved.tracks.import(music.tracks.export())
    const { speechiness, acousticness, instrumentalness, liveness, valence } = FEATURES
    for (const title of ['One', 'Two']) {
      const [song] = await moved.songs.search({ title, bucket: 'audio_summary' })
      expect(song?.audioSummary).toMatchObject({
        ...{ speechiness, acousticness, instrumentalness, liveness, valence },
      })
    }
  })

  it('moves a library: ids, tags, songs, corrections, duplicates and fingerprints', async () => {
    const music = await openInline()
    const file = await waveFile(scratch(), 'song.wav', clip({ seconds: 20, seed: 4 }))
    const track = await music.tracks.upload({ file, wait: true })
    await music.tracks.upload({ ...clip({ seconds: 20, seed: 5 }), wait: true })
    await track.correct({ timeSignature: 3, key: 'F#m' })
    const moved = await openInline()
    const progress: number[] = []
    const result = await moved.tracks.import(
      music.tracks.export({ onProgress: ({ done, total }) => progress.push(done / total) }),
    )
    expect(result).toEqual({ imported: 2, updated: 0, rejected: [] })
    expect(progress.at(-1)).toBe(1)
    const there = await moved.tracks.get(track)
    const bucket = { bucket: 'audio_summary' } as const
    const { files: _, ...before } = await track.profile(bucket)
    expect(await there.profile(bucket)).toMatchObject(before)
    expect(there.files).toMatchObject([{ path: file }])
    expect(await there.corrections()).toEqual(await track.corrections())
    expect((await there.analysis()).track.time_signature).toBe(3)
    await there.correct({ timeSignature: null, key: null })
    expect((await there.analysis()).track).toEqual(
      (await (await track.correct({ timeSignature: null, key: null })).analysis()).track,
    )
    const [heard] = await moved.songs.identify({ file, start: 5, length: 12 })
    expect(heard?.id).toBe(track.answer.songId)
    expect(await exported(moved)).toEqual(await exported(music))
  })

  it('gives the summary of a track whose document is damaged', async () => {
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database })
    const { id } = await music.tracks.upload({ ...clip(), wait: true })
    await music.close()
    const db = new Sqlite(database)
    db.exec("UPDATE analysis_documents SET document = x'00'")
    db.close()
    const [record] = await exported(await openInline({ database }))
    expect(record).toMatchObject({ id, audioFeatures: { duration_ms: 3_000 } })
    expect(record).not.toHaveProperty('analysis')
  })
})
