import { describe, expect, it } from 'vitest'
import { snapToGrid } from '../../src/analysis/gridded.ts'
import { correct, type GridAnchor } from '../../src/analysis-entry.ts'
import { beatsOf, madeDocument } from '../support/made-documents.ts'

const SECTIONS = [
  { bars: 16, level: -22 },
  { bars: 32, level: -9 },
]
const heard = madeDocument({ sections: SECTIONS, bpm: 126, lead: 0.4, tail: 1 })

/** The beats that a grid means between two moments. */
function meant(grid: readonly GridAnchor[], from: number, to: number): number[] {
  return grid.flatMap(({ time, tempo }, i) => {
    const end = grid[i + 1]?.time ?? to
    const count = Math.round(((end - time) * tempo) / 60)
    const before = i > 0 ? 0 : Math.floor(((time - from) * tempo) / 60 + 0.5)
    return Array.from({ length: count + before }, (_, n) => time + ((n - before) * 60) / tempo)
  })
}

describe('a grid that someone lays', () => {
  it.each<[string, GridAnchor[]]>([
    ['beside the beats that were heard', [{ time: 0.43, tempo: 126 }]],
    ['from the middle on', [{ time: 40.02, tempo: 126.31 }]],
    ['in another tempo', [{ time: 1.1, tempo: 93.7 }]],
    [
      'of two tempi',
      [
        { time: 0.41, tempo: 126 },
        { time: 0.41 + (64 * 60) / 126, tempo: 131 },
      ],
    ],
  ])('is kept exactly, %s', (_, grid) => {
    const beats = beatsOf(correct(heard, { grid }))
    const wanted = meant(grid, 0.4, heard.track.duration)
    const shift = wanted.findIndex((time) => Math.abs(time - beats[0]!) < 1e-5)
    expect(beats.length).toBeGreaterThan(140)
    for (const [i, beat] of beats.entries()) expect(beat).toBeCloseTo(wanted[i + shift]!, 5)
    expect(Math.abs(beats[0]! - 0.4)).toBeLessThan(0.4)
  })

  it('stays as it is in exports', () => {
    const grid = [0, 1, 2, 3, 4, 5].map((n) => ({
      time: 0.4 + n * 15.24 + 0.004 * (n % 2),
      tempo: 126,
    }))
    const laid = correct(heard, { grid })
    expect(snapToGrid(laid)).toBe(laid)
    expect(snapToGrid({ ...laid, track: heard.track })).not.toEqual(laid)
  })

  it('begins a bar at its first beat, or where the places say', () => {
    const period = 60 / 126
    const starts = (grid: GridAnchor[]) => correct(heard, { grid }).bars.map(({ start }) => start)
    expect(starts([{ time: 0.4 + period, tempo: 126 }])[0]).toBeCloseTo(0.4 + period, 5)
    expect(starts([{ time: 0.4, tempo: 126, place: 3 }])[0]).toBeCloseTo(0.4 + 2 * period, 5)
    const turned = [
      { time: 0.4, tempo: 126 },
      { time: 0.4 + 6 * period, tempo: 126, place: 1 },
    ]
    expect(
      starts(turned)
        .slice(0, 3)
        .map((start) => Math.round((start - 0.3) / period)),
    ).toEqual([0, 4, 6])
    const waltz = correct(heard, { grid: [{ time: 0.4, tempo: 126 }], timeSignature: 3 })
    expect(waltz.bars[1]!.start).toBeCloseTo(0.4 + 3 * period, 5)
  })

  it('takes another tempo, and is sure of it', () => {
    const { track, beats, bars } = correct(heard, { grid: [{ time: 0.4, tempo: 140.25 }] })
    expect(track).toMatchObject({ tempo: 140.25, tempo_confidence: 1 })
    expect(new Set([...beats, ...bars].map(({ confidence }) => confidence))).toEqual(new Set([1]))
  })

  it.each<[string, unknown, string]>([
    ['no list', {}, 'grid'],
    ['an empty list', [], 'grid'],
    ['a time before the track', [{ time: -1, tempo: 100 }], 'grid[0]'],
    ['no tempo', [{ time: 1 }], 'grid[0]'],
    ['a place that no bar has', [{ time: 1, tempo: 100, place: 8 }], 'grid[0]'],
    [
      'times that go back',
      [
        { time: 2, tempo: 100 },
        { time: 1, tempo: 100 },
      ],
      'grid[1].time',
    ],
    ['too many', Array.from({ length: 10_001 }, (_, time) => ({ time, tempo: 100 })), 'grid'],
  ])('is refused with %s', (_, grid, name) => {
    expect(() => correct(heard, { grid: grid as GridAnchor[] })).toThrow(`${name} -`)
  })
})
