import { describe, expect, it } from 'vitest'
import { atOnce } from '../../src/kernel/scheduler.ts'
import {
  comparePitches,
  type Segments,
} from '../../src/recognition/whole-files/pitch-difference.ts'

type Segment = Segments[number]

/** A segment a second. */
function made(
  seconds: number,
  segment: (second: number) => Partial<Segment> = () => ({}),
): Segments {
  return Array.from({ length: seconds }, (_, start) => ({
    start,
    duration: 1,
    confidence: 1,
    loudness_start: -20,
    loudness_max: -10,
    loudness_max_time: 0.1,
    pitches: Array.from({ length: 12 }, (_, i) => (i === (start * 5) % 12 ? 1 : 0.1)),
    timbre: Array.from({ length: 12 }, (_, i) => 10 * Math.sin(start + i)),
    ...segment(start),
  }))
}

const compare = (one: Segments, other: Segments, offset = 0) =>
  atOnce(comparePitches(one, other, { from: 0, length: 40, offset }))

describe('how the pitches of two files are compared', () => {
  it('where they are the same they do not differ', () => {
    expect(compare(made(40), made(40))).toBeCloseTo(0, 9)
    const later = made(43, (second) => made(43)[(second + 40) % 43]!)
    const moved = later.map((segment, start) => ({ ...segment, start }))
    expect(compare(made(40), moved, 3)).toBeCloseTo(0, 9)
    expect(compare(made(40), moved)).toBeGreaterThan(0.5)
  })

  it('silence has no pitch that could differ', () => {
    const hum = (pitch: number) => (second: number) =>
      second >= 20
        ? { loudness_max: -60, pitches: Array.from({ length: 12 }, (_, i) => +(i === pitch)) }
        : {}
    expect(compare(made(40, hum(1)), made(40, hum(2)))).toBeCloseTo(0, 9)
    expect(compare(made(40), made(40, hum(2)))).toBeGreaterThan(0.2)
  })

  it('a difference is measured against that of other moments', () => {
    const one = { pitches: [1, ...Array(11).fill(0)] }
    const other = { pitches: [1, 0.2, ...Array(10).fill(0)] }
    const still = compare(
      made(40, () => one),
      made(40, () => other),
    )
    expect(still).toBeCloseTo(1)
    const transposed = made(40, (second) => ({ pitches: made(40)[(second + 1) % 40]!.pitches }))
    expect(compare(made(40), transposed)).toBeGreaterThan(0.9)
  })
})
