import { describe, expect, it } from 'vitest'
import { type Levels, soundingSpan } from '../../src/analysis/levels.ts'
import { markedShare } from '../../src/analysis/rhythm-confidence.ts'
import { pausesIn } from '../../src/analysis/rhythm-parts.ts'
import { type AnalysisDocument, analyze, correct } from '../../src/analysis-entry.ts'
import { toRekordbox, toSerato } from '../../src/export-entry.ts'
import { readBeatGrid } from '../export/readers.ts'
import { brokenInvariants } from '../support/invariants.ts'
import { seeded } from '../support/music.ts'
import { NO_HARMONY } from './drum-patterns.ts'

const RATE = 22_050
const MUSIC = 20
const share = (decibels: number) => 10 ** (decibels / 20)

interface Stroke {
  at: number
  hertz: number
  seconds: number
}

/** Strokes that die away, over a sound that goes on. */
function played(seconds: number, strokes: readonly Stroke[], floor: (i: number) => number) {
  const samples = Float32Array.from({ length: seconds * RATE }, (_, i) => floor(i))
  for (const { at, hertz, seconds } of strokes)
    for (let i = 0; i < seconds * RATE; i++)
      samples[Math.round(at * RATE) + i]! +=
        0.8 * Math.exp((-6 * i) / (seconds * RATE)) * Math.sin((2 * Math.PI * hertz * i) / RATE)
  return analyze({ samples: [samples], sampleRate: RATE })
}

/** A kick and a hat at 120 BPM, for 20 s before and after a gap. */
const gapped = (gap: number, floor: (i: number) => number) =>
  played(
    2 * MUSIC + gap,
    [0, MUSIC + gap].flatMap((from) =>
      Array.from({ length: 2 * MUSIC - 1 }, (_, beat) => [
        { at: from + beat / 2, hertz: 55, seconds: 0.3 },
        { at: from + beat / 2 + 0.25, hertz: 6000, seconds: 0.05 },
      ]).flat(),
    ),
    floor,
  )
const inside = (document: AnalysisDocument<false>, gap: number) =>
  [document.beats, document.bars, document.tatums].map(
    (list) =>
      list.filter(({ start, duration }) => start + duration > MUSIC + 2 && start < MUSIC + gap - 2)
        .length,
  )

const random = seeded(3)
const FLOORS: [string, (i: number) => number][] = [
  ['silence', () => 0],
  ['noise', () => share(-70) * (random() - 0.5)],
  ['hum', (i) => share(-45) * Math.sin((2 * Math.PI * 50 * i) / RATE)],
  ['an offset', () => 0.01],
]

describe('a pause of 40 s', () => {
  const silent = gapped(40, () => 0)

  it.each(FLOORS)('with %s carries no beats, and they start anew after it', (_, floor) => {
    const document = gapped(40, floor)
    expect(inside(document, 40)).toEqual([0, 0, 0])
    expect(document.track.tempo).toBeCloseTo(120, 0)
    const after = document.beats.filter(({ start }) => start > MUSIC + 38)
    expect(after.length).toBeGreaterThan(35)
    for (const { start } of after) expect(Math.abs((start % 0.5) - 0.25)).toBeGreaterThan(0.2)
    expect(brokenInvariants(document as AnalysisDocument)).toEqual(
      ['bars', 'beats', 'tatums'].map((name) => `${name} without gap`),
    )
  })

  it('has sections without a tempo', () => {
    const within = silent.sections.filter(
      ({ start, duration }) => start > MUSIC - 1 && start + duration < MUSIC + 41,
    )
    expect(within.length).toBeGreaterThan(0)
    for (const { tempo, tempo_confidence } of within)
      expect([tempo, tempo_confidence]).toEqual([0, 0])
  })

  it.each([
    { tempo: 'half' },
    { tempo: 'double' },
    { timeSignature: 3 },
    { downbeat: 0.5 },
    { from: 5, to: 15, tempo: 'double' },
  ] as const)('stays when %o is corrected', (correction) => {
    const document = correct(silent as AnalysisDocument, correction)
    expect(inside(document, 40)).toEqual([0, 0, 0])
    expect(document.beats.filter(({ start }) => start > MUSIC + 38).length).toBeGreaterThan(15)
    // A bar at either end of a part may be shorter or longer.
    if ('from' in correction) return
    for (const { start, duration } of document.bars) {
      const beats = document.beats.filter(
        (beat) => beat.start >= start - 1e-4 && beat.start < start + duration - 1e-4,
      )
      expect(beats).toHaveLength(document.track.time_signature)
    }
  })

  it('is crossed by the grids of exports at about the same tempo', async () => {
    const record = { file: '/a.mp3', title: 'A', analysis: silent }
    const bpms = [...(await toRekordbox([record])).matchAll(/ Bpm="([^"]*)"/g)].map(([, bpm]) =>
      Number(bpm),
    )
    const { beatGrid } = await toSerato(record)
    for (const bpm of [...bpms, ...readBeatGrid(beatGrid).map(({ bpm }) => bpm)]) {
      expect(bpm).toBeGreaterThan(115)
      expect(bpm).toBeLessThan(125)
    }
  })
})

it('a pause of 10 s is counted on with a hum', () => {
  const [beats] = inside(gapped(10, FLOORS[2]![1]), 10)
  expect(beats).toBeGreaterThan(8)
})

describe('what is a pause', () => {
  const frames = 100 * 50
  const evidence = (odds: number) => {
    const beat = Float32Array.from({ length: frames }, (_, frame) => (frame % 25 === 0 ? odds : -4))
    return { activations: { fps: 50, beat, down: beat }, chroma: NO_HARMONY, first: 0 }
  }
  const span = { start: 30, end: 70 }

  it('is 20 s or more far below the loudest moment', () => {
    const levels = (seconds: number, level: number): Levels => ({
      ...{ fps: 100, frames: 10_000, readBands: () => undefined, loudestBand: () => 0 },
      loudness: Float32Array.from({ length: 10_000 }, (_, frame) =>
        frame >= 3000 && frame < 3000 + 100 * seconds ? level : -10,
      ),
    })
    expect(soundingSpan(levels(40, -71))).toMatchObject({ silent: [span], quiet: [span] })
    expect(soundingSpan(levels(40, -40))).toMatchObject({ silent: [], quiet: [span] })
    expect(soundingSpan(levels(40, -30))).toMatchObject({ silent: [], quiet: [] })
    expect(soundingSpan(levels(19, -71))).toMatchObject({ silent: [], quiet: [] })
  })

  it('is silence, whatever is tracked in it', () => {
    expect(pausesIn(evidence(3), { start: 0, end: 100, silent: [span], quiet: [span] })).toEqual([
      span,
    ])
  })

  it('is a quiet stretch where no beat is heard', () => {
    expect(pausesIn(evidence(3), { start: 0, end: 100, quiet: [span] })).toEqual([])
    expect(pausesIn(evidence(-3), { start: 0, end: 100, quiet: [span] })).toEqual([span])
    const longer = { start: 25, end: 75 }
    expect(pausesIn(evidence(-3), { start: 0, end: 100, silent: [span], quiet: [longer] })).toEqual(
      [longer],
    )
  })
})

describe('a kick alone', () => {
  it.each([60, 72, 84])('at %d BPM has its tempo, or an unsure one', (bpm) => {
    const strokes = Array.from({ length: Math.floor((29 * bpm) / 60) }, (_, beat) => ({
      ...{ at: (60 * beat) / bpm, hertz: 55, seconds: 0.3 },
    }))
    const { tempo, tempo_confidence } = played(30, strokes, () => 0).track
    if (Math.abs(tempo / bpm - 1) > 0.01) expect(tempo_confidence).toBeLessThan(0.5)
  })

  it('is told by beats of which every second or third has an onset', () => {
    const beats = Array.from({ length: 60 }, (_, i) => i / 2)
    const every = (step: number) => beats.filter((_, i) => i % step === 0)
    expect(markedShare(beats, every(2))).toBe(1 / 2)
    expect(markedShare(beats, every(3))).toBe(1 / 3)
    expect(markedShare(beats, beats)).toBe(1)
    // A few onsets between are enough, and the beats need not all have one.
    expect(
      markedShare(
        beats,
        [...every(2), 4.5, 8.5, 12.5].sort((a, b) => a - b),
      ),
    ).toBe(1)
    expect(markedShare(beats, every(5))).toBe(1)
  })
})
