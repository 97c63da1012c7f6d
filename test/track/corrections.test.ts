import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { correct } from '../../src/analysis/correction/correct.ts'
import { cues } from '../../src/analysis/cues/cues.ts'
import { toRekordbox } from '../../src/export-entry.ts'
import {
  type AnalysisDocument,
  type Audile,
  AudileError,
  stringifyAnalysis,
  type Track,
} from '../../src/index.ts'
import { all, readXml } from '../export/readers.ts'
import { waveFile } from '../support/clips.ts'
import { hearOnce, unheard } from '../support/heard-once.ts'
import { brokenInvariants } from '../support/invariants.ts'
import { song } from '../support/music.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { Client } from '../support/wire.ts'

hearOnce()

/** Half a minute of four beats a bar at 120 BPM, in C major. */
const made = song({ seconds: 30, tempo: 120, key: 0, mode: 1 })
const AUDIO = { samples: [made.samples], sampleRate: made.sampleRate }

async function library(): Promise<{ music: Audile; track: Track; database: string; file: string }> {
  const folder = scratch()
  const database = join(folder, 'music.db')
  const file = await waveFile(folder, 'song.wav', AUDIO)
  const music = await openInline({ database })
  return { music, track: await music.tracks.upload({ file, wait: true }), database, file }
}

const summaryOf = async (track: Track) =>
  (await track.profile({ bucket: ['audio_summary'] })).audioSummary!

const startsOf = (list: readonly { start: number }[]) => list.map(({ start }) => start)

/** Replaces the analysis of a closed database, as a later analyser with other results would. */
function reanalysed(database: string, document: AnalysisDocument): void {
  const db = new Sqlite(database)
  db.prepare('UPDATE analysis_documents SET document = ?').run(
    deflateRawSync(stringifyAnalysis(document)),
  )
  db.exec("UPDATE analyses SET analyzer_version = '0.0.1'")
  db.close()
}

describe('a correction', () => {
  it('of a DJ who presses double lasts over a re-analysis, and is taken back exactly', async () => {
    const { music, track, database } = await library()
    const before = await track.analysis()
    const summary = await summaryOf(track)
    const tempo = summary.tempo

    const { answer } = await track.correct({ tempo: 'double' })
    expect(answer.audioSummary).toMatchObject({ tempo: 2 * tempo, tempoConfidence: 1 })
    const after = await track.analysis()
    expect(after.track.tempo).toBe(2 * tempo)
    expect(after.beats.length).toBeGreaterThanOrEqual(2 * before.beats.length - 2)
    expect(startsOf(after.beats)).toEqual(
      expect.arrayContaining(startsOf(before.beats).slice(0, -1)),
    )
    expect(brokenInvariants(after)).toEqual([])
    expect(after.segments).toEqual(before.segments)
    expect(await track.corrections()).toEqual({ tempo: 2 * tempo })

    await music.close()
    const db = new Sqlite(database)
    db.exec("UPDATE analyses SET analyzer_version = '0.0.1'")
    db.close()
    const later = await openInline({ database })
    const again = await (await later.tracks.get(track.id)).analyze({
      wait: true,
      bucket: ['audio_summary'],
    })
    expect(again.answer).toMatchObject({ status: 'complete', audioSummary: { tempo: 2 * tempo } })
    expect(startsOf((await again.analysis()).beats)).toEqual(startsOf(after.beats))

    const back = await again.correct({ tempo: null })
    expect(back.answer.audioSummary).toEqual(summary)
    const restored = await again.analysis()
    expect({ ...restored, meta: {} }).toEqual({ ...before, meta: {} })
    expect(await again.corrections()).toEqual({})
  })

  it('of a part lasts over a re-analysis, and is taken back exactly', async () => {
    const { music, track, database } = await library()
    const before = await track.analysis()
    const part = { from: before.bars[4]!.start, to: before.bars[8]!.start }
    await track.correct({ ...part, tempo: 'double' })
    const { answer } = await track.correct({ ...part, tempo: 'double' })
    const tempo = expect.closeTo(2 * before.track.tempo, 0)
    expect(answer.corrections).toEqual({ parts: [{ ...part, tempo }] })
    expect(answer.audioSummary?.tempo).toBe(before.track.tempo)
    const after = await track.analysis()
    expect(after.beats.length).toBe(before.beats.length + 16)
    expect(startsOf(after.beats)).toEqual(expect.arrayContaining(startsOf(before.beats)))
    await music.close()

    const db = new Sqlite(database)
    db.exec("UPDATE analyses SET analyzer_version = '0.0.1'")
    db.close()
    const later = await openInline({ database })
    const again = await (await later.tracks.get(track.id)).analyze({ wait: true })
    expect(startsOf((await again.analysis()).beats)).toEqual(startsOf(after.beats))

    // A downbeat beside it, and a longer part that replaces the tempo alone.
    const downbeat = before.beats[18]!.start
    await again.correct({ from: downbeat, to: part.to, downbeat })
    expect(startsOf((await again.analysis()).bars)).toContain(downbeat)
    await again.correct({ from: 0, tempo: null })
    expect(await again.corrections()).toEqual({
      parts: [{ from: downbeat, to: part.to, downbeat }],
    })
    await again.correct({ from: 0, downbeat: null })
    expect(await again.corrections()).toEqual({})
    expect({ ...(await again.analysis()), meta: {} }).toEqual({ ...before, meta: {} })
    await expect(again.correct({ from: 31, tempo: 90 })).rejects.toThrow('from - ')
    await expect(again.correct({ from: 3, to: 2, tempo: 90 })).rejects.toThrow('to - ')
  })

  it('of a part counts for cues and exports, and comes along with an export of the library', async () => {
    const { music, track } = await library()
    const heard = await track.cues()
    const { beats } = await track.analysis()
    const downbeat = beats[2]!.start
    await track.correct({ from: 0, downbeat })
    const corrected = await track.cues()
    expect(corrected).toEqual({ ...cues(await track.analysis()), own: [] })
    expect(corrected.musicStart?.time).not.toBe(heard.musicStart?.time)
    const records = []
    for await (const record of music.tracks.export()) records.push(record)
    expect(records[0]?.corrections).toEqual({ parts: [{ from: 0, downbeat }] })
    const collection = await toRekordbox(music.tracks.all())
    expect(collection).toContain(`Start="${downbeat.toFixed(3)}"`)
    expect(all(readXml(await toRekordbox(music.tracks.export())), 'TEMPO')).toEqual(
      all(readXml(collection), 'TEMPO'),
    )
    const other = await openInline({ database: join(scratch(), 'other.db') })
    await other.tracks.import(records)
    const copy = (await other.tracks.list()).tracks[0]!
    expect(await copy.cues()).toEqual(corrected)
  })

  it('is a tempo, not a factor: it means the same when an analyser finds another tempo', async () => {
    const { music, track, database } = await library()
    const first = await track.analysis()
    await track.correct({ tempo: 'half' })
    const beats = startsOf((await track.analysis()).beats)
    await music.close()
    reanalysed(database, correct(first, { tempo: 'half' }))
    const later = await openInline({ database })
    const { track: whole, beats: now } = await (await later.tracks.get(track.id)).analysis()
    expect(whole.tempo).toBeCloseTo(first.track.tempo / 2, 2)
    expect(now.length).toBe(beats.length)
  })

  it('of a tempo is of what was heard: double twice is double, and half behind it half', async () => {
    const { track } = await library()
    const { tempo } = await summaryOf(track)
    for (const [given, factor] of [
      ['double', 2],
      ['double', 2],
      ['half', 1 / 2],
      ['half', 1 / 2],
    ] as const) {
      const { answer } = await track.correct({ tempo: given })
      expect(answer.audioSummary?.tempo).toBeCloseTo(factor * tempo, 2)
    }
    // A hint is part of what is heard.
    await track.correct({ tempo: null, tempoRange: [40, 80] })
    const low = (await summaryOf(track)).tempo
    expect(low).toBeCloseTo(tempo / 2, 1)
    await track.correct({ tempo: 'double' })
    const { answer } = await track.correct({ tempo: 'double' })
    expect(answer.audioSummary?.tempo).toBeCloseTo(2 * low, 2)
    expect(answer.heard).toEqual({ tempo: low })
  })

  it('is answered beside what was heard, which null brings back', async () => {
    const { music, track, database } = await library()
    expect(track.answer).not.toHaveProperty('corrections')
    expect(track.answer).not.toHaveProperty('heard')
    const { tempo, key, mode, timeSignature, firstDownbeat } = await summaryOf(track)
    const { bars } = await track.analysis()
    const { answer } = await track.correct({
      tempo: 'double',
      key: 'F#m',
      downbeat: bars[2]!.start,
    })
    const corrections = { tempo: 2 * tempo, key: 6, mode: 0, downbeat: bars[2]!.start }
    expect(answer).toMatchObject({ corrections, heard: { tempo, key, mode, firstDownbeat } })
    expect(answer.heard).not.toHaveProperty('timeSignature')
    const [listed] = (await music.tracks.list()).tracks
    expect(listed?.answer).toMatchObject({ corrections, heard: { tempo, key, mode } })

    // A later analysis hears another tempo.
    const document = await track
      .correct({ tempo: null, key: null, downbeat: null })
      .then(() => track.analysis())
    await track.correct({ tempo: 'double', timeSignature: 3 })
    await music.close()
    reanalysed(database, document)
    const later = await openInline({ database })
    const again = await later.tracks.get(track.id)
    await again.analyze({ wait: true })
    const { heard } = await again.profile()
    expect(heard).toEqual({ tempo, timeSignature })
    const undone = await again.correct({ tempo: null, timeSignature: null })
    expect(undone.answer.audioSummary).toMatchObject(heard!)
    expect(undone.answer).not.toHaveProperty('corrections')
    expect(undone.answer).not.toHaveProperty('heard')
  })

  it('that an import brings is answered beside what its document says', async () => {
    const { music, track } = await library()
    const { tempo } = await summaryOf(track)
    await track.correct({ tempo: 'half' })
    const other = await openInline()
    await other.tracks.import(music.tracks.export(), { strict: true })
    const [moved] = (await other.tracks.list()).tracks
    expect(moved?.answer).toMatchObject({ corrections: { tempo: tempo / 2 }, heard: { tempo } })
  })

  it('of the downbeat moves the bars, and is told', async () => {
    const { track } = await library()
    const { beats, bars } = await track.analysis()
    const late = beats[beats.findIndex(({ start }) => start === bars[2]!.start) + 1]!.start
    const { answer } = await track.correct({ downbeat: late + 0.04 })
    const after = await track.analysis()
    expect(startsOf(after.bars)).toContain(late)
    expect(after.beats).toEqual(beats)
    expect(answer.audioSummary?.firstDownbeat).toBe(after.bars[0]?.start)
    expect(await track.corrections()).toEqual({ downbeat: late + 0.04 })
    expect(brokenInvariants(after)).toEqual([])
  })

  it('is what searches, lists, songs and the wire answer', async () => {
    const { music, track } = await library()
    const other = await music.tracks.upload({
      samples: [song({ seconds: 12, tempo: 150 }).samples],
      sampleRate: 22_050,
      wait: true,
    })
    const { tempo } = await summaryOf(track)
    await track.correct({ tempo: 'double', key: 'F# minor', timeSignature: 3 })
    const expected = { tempo: 2 * tempo, key: 6, mode: 0, timeSignature: 3, keyConfidence: 1 }
    const [found] = await music.songs.search({
      minTempo: 2 * tempo - 1,
      key: 'F#',
      bucket: ['audio_summary'],
    })
    expect(found?.audioSummary).toMatchObject(expected)
    const { tracks } = await music.tracks.list({ sort: 'tempo-desc' })
    expect(tracks.map(({ id }) => id)).toEqual([track.id, other.id])
    const client = new Client(music)
    const { track: data } = (
      await client.get('track/profile', { id: track.id, bucket: 'audio_summary' })
    ).data as { track: { audio_summary: Record<string, unknown> } }
    expect(data.audio_summary).toMatchObject({ tempo: 2 * tempo, key: 6, time_signature: 3 })
    for (const untold of ['corrections', 'heard']) expect(data).not.toHaveProperty(untold)
    await track.correct({ tempo: null, key: null, timeSignature: null })
    expect(await music.songs.search({ minTempo: 2 * tempo - 1 })).toEqual([])
  })

  it('of the key goes to the sections that had the same; null takes the mode back too', async () => {
    const { track } = await library()
    const { track: whole, sections } = await track.analysis()
    await track.correct({ key: 'Eb', mode: 'minor' })
    const after = await track.analysis()
    expect(after.track).toMatchObject({ key: 3, key_confidence: 1, mode: 0, mode_confidence: 1 })
    after.sections.forEach((section, i) => {
      const { key, mode } = sections[i]!
      const same = key === whole.key && mode === whole.mode
      expect(section).toMatchObject(same ? { key: 3, mode: 0 } : { key, mode })
    })
    expect(await track.corrections()).toEqual({ key: 3, mode: 0 })
    await track.correct({ key: null })
    expect(await track.analysis()).toMatchObject({ track: whole, sections })
  })

  it('that is given before the analysis holds when it ends', async () => {
    const music = await openInline()
    const track = await music.tracks.upload(unheard(AUDIO))
    await track.correct({ key: 8, timeSignature: 3 })
    expect(await track.correct({ tempo: 'double' }).catch(({ code }) => code)).toBe('not_ready')
    await track.analyzed()
    expect(await summaryOf(track)).toMatchObject({ key: 8, timeSignature: 3 })
    const { heard } = await track.profile()
    expect(heard).toEqual({ key: 0, timeSignature: 4 })
  })

  it('that comes while the analysis ends is not lost', async () => {
    const music = await openInline()
    const track = await music.tracks.upload(unheard(AUDIO))
    await new Promise<void>((resolve) => {
      const off = music.on('track', ({ progress }) => {
        if (progress === 0) return
        off()
        resolve(track.correct({ key: 8 }).then(() => {}))
      })
    })
    await track.analyzed()
    expect(await summaryOf(track)).toMatchObject({ key: 8 })
  })

  it('is one of many at once, and none is lost', async () => {
    const { track } = await library()
    await Promise.all([
      track.correct({ tempo: 'half' }),
      track.correct({ key: 1 }),
      track.correct({ timeSignature: 3 }),
      track.correct({ downbeat: 2 }),
    ])
    expect(Object.keys(await track.corrections()).sort()).toEqual([
      'downbeat',
      'key',
      'tempo',
      'timeSignature',
    ])
    const { track: whole } = await track.analysis()
    expect(await summaryOf(track)).toMatchObject({
      tempo: expect.closeTo(whole.tempo, 2),
      key: 1,
      timeSignature: 3,
    })
  })

  it('is told by the event of the track', async () => {
    const { music, track } = await library()
    const heard: unknown[] = []
    music.on('track', (event) => heard.push(event))
    await track.correct({ key: 1 })
    await expect.poll(() => heard).toEqual([{ id: track.id, status: 'complete', progress: 1 }])
  })

  it('goes with its track', async () => {
    const { music, track, file } = await library()
    await track.correct({ key: 1 })
    await music.tracks.remove(track.id)
    const again = await music.tracks.upload({ file, wait: true })
    expect(await again.corrections()).toEqual({})
  })

  it.each([
    [{ tempo: 0 }, /tempo.*\b0\b.*20 to 500/],
    [{ tempo: 5000 }, /tempo.*5000.*20 to 500/],
    [{ tempo: 'dobule' }, /tempo.*dobule.*double/],
    [{ tempo: Number.NaN }, /tempo/],
    [{ downbeat: 3000 }, /downbeat.*3000.*end of the track/],
    [{ downbeat: -1 }, /downbeat.*-1/],
    [{ key: 'H' }, /key.*"H".*Am/],
    [{ key: 12 }, /key.*12.*11 \(B\)/],
    [{ key: 'A minor', mode: 'major' }, /mode.*major.*A minor/],
    [{ mode: 2 }, /mode.*2/],
    [{ timeSignature: 2 }, /timeSignature.*2.*3 to 7/],
    [{ timeSignature: 4.5 }, /timeSignature.*4\.5/],
    [{ tempoRange: [100, 150] }, /tempoRange.*\[100,150\].*less than double/],
    [{ tempoRange: [160, 80] }, /tempoRange/],
    [{ tempoRange: [80] }, /tempoRange/],
    [{ bpm: 120 }, /bpm/],
  ])('of %j is refused with the remedy', async (given, message) => {
    const music = await openInline()
    const track = await music.tracks.upload({
      samples: [made.samples.slice(0, 60_000)],
      sampleRate: made.sampleRate,
      wait: true,
    })
    const error = await track.correct(given as never).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(AudileError)
    expect((error as Error).message).toMatch(message)
    expect(await track.corrections()).toEqual({})
  })
})

describe('a range of tempi', () => {
  it('of an upload brings the tempo inside, stays with the track, and is weaker than a correction', async () => {
    const { music, track, file } = await library()
    const { tempo } = await summaryOf(track)
    const low = await music.tracks.upload({ file, tempoRange: [40, 80], wait: true })
    expect(low.id).toBe(track.id)
    expect((await summaryOf(low)).tempo).toBeCloseTo(tempo / 2, 1)
    expect(await low.corrections()).toEqual({ tempoRange: [40, 80] })
    expect((await low.analysis()).track.tempo_confidence).toBeLessThan(1)
    const { answer } = await low.correct({ tempo })
    expect(answer.audioSummary?.tempo).toBe(tempo)
    await low.correct({ tempo: null })
    const high = await low.analyze({ tempoRange: [200, 400], wait: true })
    expect((await summaryOf(high)).tempo).toBeCloseTo(2 * tempo, 0)
    await high.correct({ tempoRange: null })
    expect((await summaryOf(high)).tempo).toBe(tempo)
  })

  it('leaves a tempo that is inside as it is', async () => {
    const { track } = await library()
    const before = await track.analysis()
    await track.analyze({ tempoRange: [80, 160] })
    expect(await track.analysis()).toEqual(before)
  })

  it('of a new upload holds from the first analysis, and in folders', async () => {
    const music = await openInline()
    const folder = scratch()
    await waveFile(folder, 'a.wav', AUDIO)
    writeFileSync(join(folder, 'notes.txt'), 'none')
    const tempi: (number | undefined)[] = []
    for await (const track of music.tracks.uploadFolder(folder, { tempoRange: [40, 79] }))
      tempi.push((await summaryOf(track)).tempo)
    expect(tempi).toEqual([expect.closeTo(60, 0)])
    const error = await music.tracks
      .upload({ ...AUDIO, tempoRange: [100, 120] })
      .catch((reason: unknown) => reason)
    expect((error as Error).message).toMatch(/tempoRange/)
  })
})
