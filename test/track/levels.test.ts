import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { summarize, toAudiowaveformDat } from '../../src/analysis-entry.ts'
import { toCsv } from '../../src/export-entry.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { clip, waveBytes, waveFile } from '../support/clips.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { id3Frame, id3v2Of } from '../support/tag-bytes.ts'
import { taggedMp3 } from '../support/tagged-mp3.ts'

const LEVELS = [
  ...['loudness', 'loudnessRange', 'truePeak'],
  ...['maxMomentaryLoudness', 'maxShortTermLoudness'],
]
const SUMMARY = { wait: true, bucket: ['audio_summary'] } as const

/** A clip at a level, with tags of an album. */
async function song(
  folder: string,
  title: string,
  gain: number,
  seed: number,
  seconds = 6,
): Promise<string> {
  const made = clip({ seconds, seed })
  made.samples[0] = made.samples[0]!.map((sample) => gain * sample)
  const path = join(folder, `${title}.wav`)
  const text = (value: string) => Buffer.concat([Buffer.of(3), Buffer.from(value)])
  const frames = { TIT2: title, TPE1: 'Nora', TALB: 'Levels' }
  const tag = id3v2Of(
    4,
    Object.entries(frames).map(([id, value]) => id3Frame(4, id, text(value))),
  )
  const chunk = Buffer.alloc(8 + tag.length + (tag.length % 2))
  chunk.write('id3 ')
  chunk.writeUInt32LE(tag.length, 4)
  tag.copy(chunk, 8)
  const wave = Buffer.concat([await waveBytes(made), chunk])
  wave.writeUInt32LE(wave.length - 8, 4)
  writeFileSync(path, wave)
  return path
}

describe('the levels of a track', () => {
  it('stand in its summary and its document', async () => {
    const music = await openInline()
    const file = await waveFile(scratch(), 'a.wav', clip({ seconds: 5 }))
    const track = await music.tracks.upload({ file, ...SUMMARY })
    const { audioSummary } = track.answer
    const { track: document } = await track.analysis()
    const loudness = document.loudness!
    const momentary = document.max_momentary_loudness!
    const shortTerm = document.max_short_term_loudness!
    expect(audioSummary).toMatchObject({
      loudnessRange: document.loudness_range,
      truePeak: document.true_peak,
      maxMomentaryLoudness: document.max_momentary_loudness,
      maxShortTermLoudness: document.max_short_term_loudness,
      trackGain: expect.closeTo(-18 - loudness, 3),
    })
    expect(momentary).toBeGreaterThan(shortTerm)
    expect(shortTerm).toBeGreaterThan(loudness - 0.01)
    expect(document.true_peak).toBeLessThan(0)
    expect(document.true_peak).toBeGreaterThan(momentary)
  })

  it('give silence no gain, and floors', async () => {
    const music = await openInline()
    const samples = [new Float32Array(44_100)]
    const { answer } = await music.tracks.upload({ samples, sampleRate: 22_050, ...SUMMARY })
    expect(answer.audioSummary).toMatchObject({
      ...{ loudnessRange: 0, truePeak: -60 },
      ...{ maxMomentaryLoudness: -60, maxShortTermLoudness: -60 },
    })
    expect(answer.audioSummary).not.toHaveProperty('trackGain')
  })

  it('are unknown below the 400 ms of a block, with all that depends on them', async () => {
    const music = await openInline()
    const made = clip({ seconds: 1 })
    const samples = made.samples.map((channel) => channel.subarray(0, 0.39 * made.sampleRate))
    const track = await music.tracks.upload({ samples, sampleRate: made.sampleRate, ...SUMMARY })
    const summary = track.answer.audioSummary
    for (const name of [...LEVELS, 'trackGain']) expect(summary).not.toHaveProperty(name)
    expect(summary).toMatchObject({ energy: null, acousticness: null })
    const document = await track.analysis()
    expect(document.track).toMatchObject({
      ...{ loudness: null, loudness_range: null, true_peak: null },
      ...{ max_momentary_loudness: null, max_short_term_loudness: null },
    })
    expect(summarize(document)).toMatchObject({ loudness: null, trackGain: null, truePeak: null })
    expect((await music.tracks.search({ loudness: [-100, 100] })).total).toBe(0)
    const [head, row] = (await toCsv(music.tracks.all())).split('\r\n') as [string, string]
    expect(row.split(',')[head.split(',').indexOf('loudness')]).toBe('')
    // A hundredth of a second more, and they are known.
    const longer = made.samples.map((channel) => channel.subarray(0, 0.4 * made.sampleRate))
    const known = await music.tracks.upload({
      samples: longer,
      sampleRate: made.sampleRate,
      ...SUMMARY,
    })
    for (const name of [...LEVELS, 'trackGain'])
      expect(known.answer.audioSummary).toHaveProperty(name)
  })

  it('that are unknown come through an export and an import', async () => {
    const music = await openInline()
    const samples = [new Float32Array(4_000).fill(0.1)]
    await music.tracks.upload({ samples, sampleRate: 22_050, wait: true })
    const other = await openInline()
    await other.tracks.import(music.tracks.export())
    const [track] = (await other.tracks.list({ bucket: 'audio_summary' })).tracks
    expect(track?.answer.audioSummary).not.toHaveProperty('loudness')
    expect((await track?.analysis())?.track.loudness).toBeNull()
  })

  it('are not known of documents of others, whose loudness is not LUFS', async () => {
    const music = await openInline()
    const analysis = { track: { duration: 100, loudness: -9 } }
    await music.tracks.import([{ title: 'Theirs', analysis }])
    const [track] = (await music.tracks.list({ bucket: 'audio_summary' })).tracks
    expect(track?.answer.audioSummary).toMatchObject({ loudness: -9 })
    for (const name of ['trackGain', 'truePeak', 'loudnessRange'])
      expect(track?.answer.audioSummary).not.toHaveProperty(name)
  })
})

describe('gains', () => {
  it('that tags state are told apart from the measured one', async () => {
    const music = await openInline()
    const file = join(scratch(), 'song.mp3')
    const frames = {
      'TXXX:replaygain_track_gain': '-7.89 dB',
      'TXXX:replaygain_track_peak': '0.977',
      'TXXX:replaygain_album_gain': '-6.5 dB',
      'TXXX:replaygain_album_peak': '0.99',
    }
    writeFileSync(file, taggedMp3(frames, 2))
    const { answer } = await music.tracks.upload({ file, ...SUMMARY })
    expect(answer).toMatchObject({
      ...{ taggedTrackGain: -7.89, taggedTrackPeak: 0.977 },
      ...{ taggedAlbumGain: -6.5, taggedAlbumPeak: 0.99 },
    })
    expect(answer.audioSummary?.trackGain).not.toBe(-7.89)
    const plain = await music.tracks.upload({ file: await waveFile(scratch(), 'b.wav') })
    expect(plain.answer).not.toHaveProperty('taggedTrackGain')
  })

  it('of an album are of its tracks as one recording, once all are analysed', async () => {
    const folder = scratch()
    const database = join(folder, 'music.db')
    const music = await openInline({ database })
    const loud = await song(folder, 'Loud', 1, 1)
    const soft = await song(folder, 'Soft', 0.05, 1)
    const first = await music.tracks.upload({ file: loud, ...SUMMARY })
    const one = (await music.tracks.albums()).albums[0]
    const { trackGain, truePeak } = first.answer.audioSummary!
    expect(one).toMatchObject({ title: 'Levels', tracks: 1, albumPeak: truePeak })
    expect(Math.abs(one!.albumGain! - trackGain!)).toBeLessThan(0.06)
    const second = await music.tracks.upload({ file: soft, ...SUMMARY })
    expect(second.answer.audioSummary!.trackGain! - trackGain!).toBeCloseTo(26, 0)
    // The soft one lies below the gate of both: it has no part in the gain.
    const { albumGain, albumPeak } = (await music.tracks.albums()).albums[0]!
    expect(Math.abs(albumGain! - trackGain!)).toBeLessThan(0.3)
    expect(albumPeak).toBe(truePeak)
    await music.close()
    const db = new Sqlite(database)
    db.prepare('DELETE FROM track_waveforms WHERE track_id = ?').run(second.id)
    db.close()
    const again = await openInline({ database })
    const [album] = (await again.tracks.albums()).albums
    expect(album).toMatchObject({ tracks: 2 })
    expect(album).not.toHaveProperty('albumGain')
    expect(album).not.toHaveProperty('albumPeak')
  })

  it('of an album count no sound that is shorter than a block', async () => {
    const folder = scratch()
    const music = await openInline()
    await music.tracks.upload({ file: await song(folder, 'Song', 1, 1), wait: true })
    const [before] = (await music.tracks.albums()).albums
    await music.tracks.upload({ file: await song(folder, 'Gap', 1, 2, 0.3), wait: true })
    const [after] = (await music.tracks.albums()).albums
    expect(after).toMatchObject({ tracks: 2, albumGain: before!.albumGain })
    expect(after!.albumPeak).toBe(before!.albumPeak)
    const gap = (await music.tracks.search({ text: 'Gap' })).tracks[0]!
    const { files } = await gap.writeTags({ fields: ['trackGain', 'albumGain'] })
    const tags = files[0]!.changes.map(({ tag }) => tag)
    expect(tags).not.toContain('REPLAYGAIN_TRACK_GAIN')
    expect(tags).not.toContain('REPLAYGAIN_TRACK_PEAK')
  })

  it('are not of tracks without an album', async () => {
    const music = await openInline()
    await music.tracks.upload({ file: await waveFile(scratch(), 'a.wav'), wait: true })
    const [album] = (await music.tracks.albums()).albums
    expect(album).toMatchObject({ title: 'unknown', tracks: 1 })
    expect(album).not.toHaveProperty('albumGain')
  })
})

describe('track.waveform', () => {
  it('gives the peaks of the file', async () => {
    const music = await openInline()
    const made = clip({ seconds: 5 })
    const track = await music.tracks.upload({ ...made, wait: true })
    const [mono] = made.samples as [Float32Array]
    const waveform = await track.waveform({ samplesPerPixel: 1_024 })
    expect(waveform).toMatchObject({ sampleRate: 22_050, samplesPerPixel: 1_024, bits: 8 })
    expect(waveform.length).toBe(Math.ceil(mono.length / 1_024))
    expect(waveform.data).toHaveLength(2 * waveform.length)
    expect(waveform.rms).toHaveLength(waveform.length)
    for (let pixel = 0; pixel < waveform.length; pixel++) {
      const samples = mono.subarray(1_024 * pixel, 1_024 * (pixel + 1))
      // The file has 16 bit.
      expect(Math.abs(waveform.data[2 * pixel]! - 128 * Math.min(...samples))).toBeLessThan(0.51)
      expect(Math.abs(waveform.data[2 * pixel + 1]! - 128 * Math.max(...samples))).toBeLessThan(
        0.51,
      )
    }
    expect((await track.waveform()).samplesPerPixel).toBe(256)
    const low = await track.waveform({ band: 'low' })
    expect(low.samplesPerPixel).toBe(512)
    expect(Math.max(...low.data)).toBeLessThan(Math.max(...waveform.data))
    expect(toAudiowaveformDat(waveform)).toHaveLength(20 + waveform.data.length)
    await expect(track.waveform({ samplesPerPixel: 100 })).rejects.toMatchObject({
      code: 'invalid_parameter',
      message: expect.stringContaining('give 256 or more'),
    })
    await expect(track.waveform({ band: 'bass' as 'low' })).rejects.toThrow('band')
  })

  it('says why there is none', async () => {
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database })
    await music.tracks.import([{ title: 'Theirs', audioSummary: { tempo: 100 } }])
    const [theirs] = (await music.tracks.list()).tracks
    await expect(theirs!.waveform()).rejects.toMatchObject({
      code: 'not_ready',
      message: expect.stringContaining('was imported, without its audio'),
    })
    const own = await music.tracks.upload({ ...clip(), wait: true })
    await music.close()
    const db = new Sqlite(database)
    db.exec('DELETE FROM track_waveforms')
    db.close()
    const again = await openInline({ database })
    const track = await again.tracks.get(own.id)
    await expect(track.waveform()).rejects.toMatchObject({
      code: 'not_ready',
      message: expect.stringContaining('call track.analyze()'),
    })
  })

  it('is a database error where it is damaged', async () => {
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database })
    const { id } = await music.tracks.upload({ ...clip(), wait: true })
    await music.close()
    const db = new Sqlite(database)
    db.exec("UPDATE track_waveforms SET peaks = x'00'")
    db.close()
    const again = await openInline({ database })
    await expect((await again.tracks.get(id)).waveform()).rejects.toMatchObject({
      code: 'database',
      message: expect.stringContaining('upload its file again'),
    })
  })

  it('goes with its track', async () => {
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database })
    const { id } = await music.tracks.upload({ ...clip(), wait: true })
    const count = () => {
      const db = openDatabase(database)
      const rows = db.prepare('SELECT count(*) FROM track_waveforms').pluck().get()
      db.close()
      return rows
    }
    expect(count()).toBe(1)
    await music.tracks.remove(id)
    expect(count()).toBe(0)
  })
})
