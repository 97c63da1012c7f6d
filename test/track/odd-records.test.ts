import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AnalysisDocument, TrackRecord } from '../../src/index.ts'
import { clip, waveBytes, waveFile } from '../support/clips.ts'
import { openInline } from '../support/open.ts'
import { nativeId } from '../support/reference-library.ts'
import { scratch } from '../support/scratch.ts'
import { id3Tag } from '../support/tagged-mp3.ts'

const TRACK = { duration: 60, tempo: 80, loudness: -9, key: 9, mode: 0, time_signature: 4 }
const FEATURES = {
  ...{ id: 'abc', duration_ms: 61_000, tempo: 118, key: 4, mode: 1, time_signature: 4 },
  ...{ loudness: -6, energy: 0.842, danceability: 0.585, valence: 0.4 },
}

type Given = NonNullable<TrackRecord['analysis']>

async function documentOf(seed = 1): Promise<AnalysisDocument> {
  const music = await openInline()
  return (await music.tracks.upload({ ...clip({ seconds: 20, seed }), wait: true })).analysis()
}

describe('tracks.import of odd documents', () => {
  it('knows no samples by an empty checksum, as Spotify answered it', async () => {
    const music = await openInline()
    const analysis = { track: { ...TRACK, sample_md5: '' } } as Given
    const records = ['One', 'Two'].map((title) => ({ title, artist: title, analysis }))
    expect(await music.tracks.import(records)).toMatchObject({ imported: 2 })
    const { tracks } = await music.tracks.list()
    for (const { answer } of tracks) expect(answer.audioMd5).toBeUndefined()
    expect(await music.tracks.duplicates()).toEqual([])
  })

  it('takes values of meta in odd types for none', async () => {
    const music = await openInline()
    const metas: object[] = [
      { sample_rate: '44.1 kHz', bitrate: 'VBR', analyzer_version: 4 },
      { sample_rate: 44_100.5, bitrate: 127.6, analyzer_version: null },
      { sample_rate: {}, bitrate: [], analyzer_version: { major: 4 } },
    ]
    const records = metas.map((meta, i) => ({ title: `${i}`, analysis: { meta, track: TRACK } }))
    const all = records as TrackRecord[]
    expect(await music.tracks.import(all)).toEqual({ imported: 3, updated: 0, rejected: [] })
  })

  it('takes checksums in odd types for none', async () => {
    const music = await openInline()
    const records = [7, {}, null].map((sample_md5, i) => ({
      title: `${i}`,
      analysis: { track: { ...TRACK, sample_md5 } },
    })) as TrackRecord[]
    expect(await music.tracks.import(records)).toEqual({ imported: 3, updated: 0, rejected: [] })
  })

  it('reads a document with lists inside its segments', async () => {
    const music = await openInline()
    const vector = Array(12).fill(0.5)
    const own = { start: 0, duration: 1, pitches: vector, timbre: vector, notes: [{ a: 1 }] }
    const segments = [own, { ...own, start: 1 }]
    const analysis = { track: TRACK, segments } as Given
    await music.tracks.import([{ title: 'Nested', analysis }])
    const [track] = (await music.tracks.list()).tracks
    expect((await track?.analysis())?.segments).toEqual(segments)
  })

  it('corrects a document without confidences, and of no key', async () => {
    const music = await openInline()
    const analysis = { track: { ...TRACK, key: -1, mode: -1 } } as Given
    await music.tracks.import([{ title: 'Plain', analysis }])
    const [track] = (await music.tracks.list({ bucket: 'audio_summary' })).tracks
    if (!track) throw new Error('no track')
    const { key, mode } = track.answer.audioSummary ?? {}
    expect({ key, mode }).toEqual({ key: 0, mode: 0 })
    const { answer } = await track.correct({ timeSignature: 3 })
    expect(answer.audioSummary).toMatchObject({ key: 0, mode: 0, timeSignature: 3 })
  })

  it('rejects one record whose md5 is that of another track, and takes the others', async () => {
    const music = await openInline()
    const id = nativeId('TR', 7)
    const analysis = { track: TRACK } as Given
    await music.tracks.import([{ id, title: 'Seed', analysis }])
    const { answer } = await music.tracks.upload({ ...clip(), wait: true })
    const md5 = answer.md5 as string
    const result = await music.tracks.import([
      { id, md5, title: 'Seed', analysis },
      { title: 'Next', analysis },
    ])
    expect(result).toMatchObject({ imported: 1, updated: 0, rejected: [{ index: 0 }] })
    expect(result.rejected[0]?.info).toContain(answer.id)
  })

  it('keeps document, names and fingerprints when the features come in a second run', async () => {
    const music = await openInline()
    const analysis = await documentOf(4)
    const names = { title: 'Long', artist: 'Nora', release: 'Home', year: 1999, genres: ['folk'] }
    await music.tracks.import([{ ...names, analysis, foreignIds: ['spotify:track:abc'] }])
    const track = await music.tracks.get('spotify:track:abc')
    const bucket = { bucket: 'audio_summary' } as const
    const before = await track.profile(bucket)
    expect(await music.tracks.import([{ audioFeatures: FEATURES }])).toMatchObject({ updated: 1 })
    const { audioSummary, ...after } = await track.profile(bucket)
    const { audioSummary: old, ...rest } = before
    expect(after).toEqual(rest)
    expect(audioSummary).toMatchObject({
      ...{ ...old, energy: 0.842, danceability: 0.585, valence: 0.4 },
    })
    const records: TrackRecord[] = []
    for await (const record of music.tracks.export()) records.push(record)
    expect(records).toMatchObject([{ ...names, analysis: { beats: analysis.beats } }])
    const { samples, sampleRate } = clip({ seconds: 20, seed: 4 })
    const [heard] = await music.songs.identify({ samples, sampleRate })
    expect(heard?.id).toBe(track.answer.songId)
  })

  it('shows corrections of a record in the summary of what was analysed here', async () => {
    const music = await openInline()
    const own = await music.tracks.upload({ ...clip({ seconds: 20 }), wait: true })
    const record = { md5: own.answer.md5 as string, analysis: { track: TRACK } as Given }
    await music.tracks.import([{ ...record, corrections: { timeSignature: 5 } }])
    expect((await own.analysis()).track.time_signature).toBe(5)
    const { audioSummary } = await own.profile({ bucket: 'audio_summary' })
    expect(audioSummary?.timeSignature).toBe(5)
  })
})

describe('imported tracks and their files', () => {
  it('takes the file that a record named before it was there', async () => {
    const music = await openInline()
    const folder = scratch()
    const file = join(folder, 'later.wav')
    await music.tracks.import([{ title: 'Seed', audioFeatures: FEATURES, file }])
    const seed = await music.tracks.get('spotify:track:abc')
    await waveFile(folder, 'later.wav')
    for await (const change of music.tracks.scan(folder, { prune: true })) {
      expect(change).not.toHaveProperty('error')
    }
    expect((await music.tracks.list()).total).toBe(1)
    const now = await music.tracks.get({ file })
    expect(now.id).toBe(seed.id)
    expect(now.answer.md5).toBeDefined()
    const { audioSummary } = await now.profile({ bucket: 'audio_summary' })
    expect(audioSummary?.tempo).toBe(118)
  })

  it('keeps foreign ids that no tag gives when the file is retagged', async () => {
    const music = await openInline()
    const folder = scratch()
    const sound = await waveBytes(clip({ seconds: 1 }))
    const file = join(folder, 'song.wav')
    writeFileSync(file, Buffer.concat([id3Tag({ TIT2: 'Old' }), sound]))
    const uploaded = await music.tracks.upload({ file, wait: true })
    await music.tracks.import([{ file, audioFeatures: FEATURES }])
    const id = 'spotify:track:abc'
    expect((await music.tracks.get(id)).id).toBe(uploaded.id)
    writeFileSync(`${file}.new`, Buffer.concat([id3Tag({ TIT2: 'New', TPE1: 'Nora' }), sound]))
    renameSync(`${file}.new`, file)
    for await (const { kind } of music.tracks.scan(folder)) expect(kind).toBe('changed')
    const there = await music.tracks.get(id)
    expect(there.answer).toMatchObject({ id: uploaded.id, title: 'New' })
  })
})

describe('tracks.export of tagged files', () => {
  it('keeps what albums are made of', async () => {
    const music = await openInline()
    const folder = scratch()
    for (const n of [1, 2]) {
      const names = { TIT2: `Song ${n}`, TPE1: `Guest ${n}`, TALB: 'Mix', TPE2: 'DJ Nora' }
      const tags = id3Tag({ ...names, TRCK: `${n}/2`, TPOS: '1/2', TCMP: '1' })
      const sound = await waveBytes(clip({ seconds: 1, seed: n }))
      writeFileSync(join(folder, `${n}.wav`), Buffer.concat([tags, sound]))
    }
    for await (const { kind } of music.tracks.scan(folder)) expect(kind).toBe('added')
    const moved = await openInline()
    await moved.tracks.import(music.tracks.export())
    const { albums } = await music.tracks.albums()
    expect(albums).toMatchObject([{ artist: 'DJ Nora' }])
    // Gain and peak are measured of the audio, which a record does not have.
    const told = albums.map(({ albumGain, albumPeak, ...rest }) => rest)
    expect((await moved.tracks.albums()).albums).toEqual(told)
    const [before] = (await music.tracks.list()).tracks
    const after = await moved.tracks.get(before?.id as string)
    expect(before?.answer.trackTotal).toBe(2)
    const { trackTotal, discTotal, albumArtist } = before?.answer ?? {}
    expect(after.answer).toMatchObject({ trackTotal, discTotal, albumArtist })
  })
})
