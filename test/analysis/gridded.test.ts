import { describe, expect, it } from 'vitest'
import { snapToGrid } from '../../src/analysis/gridded.ts'
import { type AnalysisDocument, summarize, transition } from '../../src/analysis-entry.ts'
import { toMixxx, toRekordbox } from '../../src/export-entry.ts'
import { beatsOf, madeDocument } from '../support/made-documents.ts'
import { seeded } from '../support/music.ts'

const SECTIONS = [
  { bars: 16, level: -22 },
  { bars: 32, level: -9 },
  { bars: 16, level: -22 },
]
const even = madeDocument({ sections: SECTIONS, bpm: 126, lead: 0.4, tail: 1 })

/** The document as an analysis hears it: beats moved by some seconds, bars with them. */
function heard(document: AnalysisDocument, by: (beat: number) => number): AnalysisDocument {
  const starts = beatsOf(document)
  const moved = (time: number) => {
    const beat = starts.indexOf(time)
    return beat < 0 ? time : time + by(beat)
  }
  const all = <T extends { start: number; duration: number }>(list: readonly T[]): T[] =>
    list.map((one) => {
      const start = moved(one.start)
      return { ...one, start, duration: moved(one.start + one.duration) - start }
    })
  return { ...document, beats: all(document.beats), bars: all(document.bars) }
}
const random = seeded(5)
const noise = beatsOf(even).map(() => 0.03 * (random() - 0.5))
const jittering = heard(even, (beat) => noise[beat]! + (beat > 60 && beat < 130 ? 0.012 : 0))
const worst = (one: readonly number[], other: readonly number[]) =>
  Math.max(...one.map((time, i) => Math.abs(time - other[i]!)))

describe('gridded', () => {
  it('puts beats and bars where the grid has them', () => {
    const { beats, bars } = snapToGrid(jittering)
    expect(worst(beatsOf({ ...even, beats }), beatsOf(even))).toBeLessThan(0.005)
    expect(bars).toHaveLength(even.bars.length)
    const starts = new Set(beats.map(({ start }) => start))
    expect(bars.every(({ start }) => starts.has(start))).toBe(true)
    beats.slice(1).forEach(({ start }, i) => {
      expect(beats[i]!.start + beats[i]!.duration).toBeCloseTo(start, 9)
    })
  })

  it.each([
    ['as they are', false],
    ['counted on', true],
  ])('has the beats that were missed, and none that were doubled, in bars %s', (_, counted) => {
    const { beats } = jittering
    const extra = { ...beats[40]!, start: beats[40]!.start + 0.2, duration: 0.2 }
    const odd = [...beats.slice(0, 41), extra, ...beats.slice(41, 60), ...beats.slice(61)]
    const bars = odd.flatMap((beat, i) =>
      i % 4 === 2 && odd[i + 4] ? [{ ...beat, duration: odd[i + 4]!.start - beat.start }] : [],
    )
    const document = snapToGrid({ ...jittering, beats: odd, bars: counted ? bars : jittering.bars })
    expect(document.beats).toHaveLength(even.beats.length)
    expect(worst(beatsOf(document), beatsOf(even))).toBeLessThan(0.005)
    expect(document.bars.length).toBeGreaterThanOrEqual(even.bars.length - 1)
    const phase = counted ? 2 : 0
    document.bars.forEach(({ start }, i) => {
      expect(start).toBeCloseTo(even.beats[4 * i + phase]!.start, 2)
    })
  })

  it('leaves beats that were missed where someone made bars irregular', () => {
    const beats = jittering.beats.filter((_, i) => i !== 60)
    const bars = [...jittering.bars.slice(0, 10), ...jittering.bars.slice(20)].map((bar, i) => ({
      ...bar,
      start: beats[i < 10 ? 4 * i : 4 * i + 42]!.start,
      duration: beats[(i < 10 ? 4 * i : 4 * i + 42) + 4]?.start ?? 0,
    }))
    const lines = bars
      .slice(0, -1)
      .map((bar, i) => ({ ...bar, duration: bars[i + 1]!.start - bar.start }))
    expect(beatsOf(snapToGrid({ ...jittering, beats, bars: lines }))).toEqual(
      beatsOf({ ...jittering, beats }),
    )
  })

  it('leaves music that drifts, and beats on a grid, as they are', () => {
    const drifting = madeDocument({ sections: SECTIONS, bpm: (beat) => 100 + beat / 10 })
    expect(snapToGrid(drifting)).toBe(drifting)
    expect(beatsOf(snapToGrid(even))).toEqual(beatsOf(even))
    const once = snapToGrid(jittering)
    expect(snapToGrid(once)).toEqual(once)
  })

  it('leaves bars that someone made irregular', () => {
    const bars = even.bars.flatMap((bar, i) =>
      i === 20
        ? [0, 1].map((half) => ({
            ...bar,
            start: even.beats[4 * i + 2 * half]!.start,
            duration: bar.duration / 2,
          }))
        : [bar],
    )
    expect(snapToGrid({ ...even, bars }).bars).toHaveLength(even.bars.length + 1)
  })

  it('is what is exported, mixed and called steady', async () => {
    const record = { file: '/music/one.mp3', title: 'One', analysis: jittering, samplerate: 48_000 }
    const tempi = [...(await toRekordbox([record])).matchAll(/<TEMPO [^>]*Bpm="([^"]*)"/g)]
    expect(tempi.map(([, bpm]) => bpm)).toEqual(['126.00'])
    const old = { ...jittering, track: { ...jittering.track, tempo: 125.93 } }
    expect(await toRekordbox([{ ...record, analysis: old }])).toContain('AverageBpm="126.00"')
    expect(await toMixxx(record)).toMatchObject({ beats_version: 'BeatGrid-2.0', bpm: 126 })
    expect(summarize(jittering).beatsSteady).toBe(true)
    const { path, tempoRatio } = transition(
      jittering,
      heard(jittering, (beat) => -noise[beat]!),
    )
    expect(path).toHaveLength(2)
    expect(tempoRatio).toBeCloseTo(1, 6)
  })

  it('has no beat before the beginning', () => {
    const early = heard(madeDocument({ sections: SECTIONS, bpm: 126 }), (beat) =>
      beat === 0 ? 0.012 : -0.006,
    )
    const [first, second] = snapToGrid(early).beats
    expect(first!.start).toBeGreaterThanOrEqual(0)
    expect(second!.start - first!.start).toBeCloseTo(60 / 126, 3)
  })
})
