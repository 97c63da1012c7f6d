import { describe, expect, it } from 'vitest'
import { atOnce } from '../../src/kernel/scheduler.ts'
import {
  comparingSounds,
  type Segments,
} from '../../src/recognition/whole-files/sound-difference.ts'

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
  atOnce(comparingSounds(one, other, { from: 0, length: 40, offset }))

describe('how the sounds of two files are compared', () => {
  it('where they are the same they do not differ', () => {
    expect(compare(made(40), made(40))).toEqual({ pitches: 0, timbre: 0 })
    const later = made(43, (second) => made(43)[(second + 40) % 43]!)
    const moved = later.map((segment, start) => ({ ...segment, start }))
    expect(compare(made(40), moved, 3)).toEqual({ pitches: 0, timbre: 0 })
  })

  it('silence has no sound that could differ', () => {
    const hiss = (sign: number) => (second: number) =>
      second >= 20 ? { loudness_max: -60, timbre: Array(12).fill(100 * sign) } : {}
    expect(compare(made(40, hiss(1)), made(40, hiss(-1))).timbre).toBe(0)
    expect(compare(made(40), made(40, hiss(-1))).timbre).toBeGreaterThan(0.5)
  })

  it('neither does the level count', () => {
    const louder = (second: number) => ({
      timbre: Array.from({ length: 12 }, (_, i) => (i === 0 ? 60 : 10 * Math.sin(second + i))),
    })
    expect(compare(made(40), made(40, louder)).timbre).toBe(0)
  })

  it('a difference is measured against that of other moments', () => {
    const held = { timbre: Array(12).fill(10), pitches: [1, ...Array(11).fill(0)] }
    const other = { timbre: Array(12).fill(12), pitches: [1, 0.2, ...Array(10).fill(0)] }
    const still = compare(
      made(40, () => held),
      made(40, () => other),
    )
    expect(still.timbre).toBeCloseTo(1)
    expect(still.pitches).toBeCloseTo(1)
    const transposed = made(40, (second) => ({ pitches: made(40)[(second + 1) % 40]!.pitches }))
    expect(compare(made(40), transposed).pitches).toBeGreaterThan(0.9)
  })
})
