import { describe, expect, it } from 'vitest'
import { type AnalysisDocument, analyze, correct, type Interval } from '../../src/analysis-entry.ts'
import { beatTimes, play, RATE, ROCK, recall } from './drum-patterns.ts'

const startsOf = (list: readonly { start: number }[]) => list.map(({ start }) => start)
const sizesOf = ({ bars, beats }: AnalysisDocument) =>
  bars.map(
    ({ start, duration }) =>
      beats.filter((beat) => beat.start >= start && beat.start < start + duration - 1e-6).length,
  )

function intervals(edges: readonly number[]): Interval[] {
  const confidence = 0.5
  return edges
    .slice(0, -1)
    .map((start, i) => ({ start, duration: edges[i + 1]! - start, confidence }))
}

/** 40 s at 120 BPM, whose beats from 16 s to 32 s were found at half the tempo. */
const BEATS = beatTimes(120, 40)
const HEARD: AnalysisDocument = (() => {
  const document = analyze({ samples: [play(ROCK, BEATS, 41)], sampleRate: RATE })
  const edges = [...BEATS, 2 * BEATS.at(-1)! - BEATS.at(-2)!]
  const from = edges.findIndex((time) => time >= 16)
  const to = edges.findIndex((time) => time >= 32)
  const heard = edges.filter((_, i) => i < from || i >= to || (i - from) % 2 === 0)
  const track = { ...document.track, tempo: 120, time_signature: 4 }
  const lines = [...edges.slice(0, from), ...edges.slice(to)].filter((_, i) => i % 4 === 0)
  const slow = heard.filter((time) => time >= edges[from]! && time < edges[to]!)
  const bars = intervals([...lines, ...slow.filter((_, i) => i % 4 === 0)].sort((a, b) => a - b))
  const [first] = document.sections
  const sections = [0, edges[from]!, edges[to]!].map((start, i, starts) => ({
    ...{ ...first!, start, duration: (starts[i + 1] ?? track.duration) - start },
    tempo: i === 1 ? 60 : 120,
  }))
  return { ...document, track, bars, sections, beats: intervals(heard), tatums: intervals(heard) }
})()
const PART = { from: 16.3, to: 32.3 }
const outside = (list: readonly Interval[]) =>
  list.filter(({ start }) => start < PART.from || start >= PART.to)

describe('a correction of a part', () => {
  it('doubles the tempo of the part; all else stays', () => {
    const after = correct(HEARD, { ...PART, tempo: 'double' })
    expect(recall(BEATS.slice(0, -2), startsOf(after.beats), 0.02)).toBeGreaterThan(0.98)
    expect(after.beats.length).toBeGreaterThan(HEARD.beats.length + 14)
    expect(startsOf(outside(after.beats))).toEqual(startsOf(outside(HEARD.beats)))
    expect(startsOf(outside(after.bars))).toEqual(startsOf(outside(HEARD.bars)))
    expect(after.segments).toBe(HEARD.segments)
    expect(after.track.tempo).toBe(120)
    expect(after.sections.map(({ tempo }) => Math.round(tempo))).toEqual([120, 120, 120])
    expect(HEARD.sections.map(({ tempo }) => tempo)).toEqual([120, 60, 120])
    expect(new Set(sizesOf(after))).toEqual(new Set([4]))
    gapFree(after)
  })

  it('means the tempo of the part, not of the track, by a number too', () => {
    const double = correct(HEARD, { ...PART, tempo: 'double' })
    const byNumber = correct(HEARD, { ...PART, tempo: 120 })
    expect(startsOf(byNumber.beats)).toEqual(startsOf(double.beats))
    // The part has 60 BPM: to halve it is refused below 20 only.
    const half = correct(HEARD, { ...PART, tempo: 'half' })
    expect(half.beats.length).toBeLessThan(HEARD.beats.length - 5)
    gapFree(half)
  })

  it('moves the bars from a downbeat on, and no beat', () => {
    const turn = HEARD.beats.find(({ start }) => start > 6)!.start
    const at = HEARD.bars.some(({ start }) => start === turn)
      ? HEARD.beats.find(({ start }) => start > turn)!.start
      : turn
    const after = correct(HEARD, { from: at, to: 12, downbeat: at })
    expect(startsOf(after.beats)).toEqual(startsOf(HEARD.beats))
    expect(startsOf(after.bars)).toContain(at)
    const inside = (document: AnalysisDocument) =>
      startsOf(document.bars).filter((start) => start < at || start > 12)
    expect(inside(after)).toEqual(inside(HEARD))
    // One bar before the turn and one at the end of the part have other sizes.
    expect(sizesOf(after).filter((size) => size !== 4 && size > 0).length).toBeLessThanOrEqual(2)
    expect(Math.max(...sizesOf(after))).toBe(4)
    gapFree(after)
    // A part that begins with a bar, whose downbeat is a beat later: that beat is a bar of its own.
    const [, , bar] = HEARD.bars
    const downbeat = HEARD.beats.find(({ start }) => start > bar!.start)!.start
    const later = correct(HEARD, { from: bar!.start, to: 14, downbeat })
    expect(startsOf(later.bars)).toEqual(expect.arrayContaining([bar!.start, downbeat]))
    expect(Math.max(...sizesOf(later))).toBe(4)
  })

  it('without an end goes to the end of the track', () => {
    const after = correct(HEARD, { from: 32.3, tempo: 'half' })
    expect(startsOf(after.beats).filter((time) => time < 31)).toEqual(
      startsOf(HEARD.beats).filter((time) => time < 31),
    )
    expect(startsOf(after.beats).filter((time) => time > 33).length).toBeLessThan(9)
  })

  it.each([0.5, 0.75])('moves the beats of the part by %d where the downbeat is there', (share) => {
    const { start, duration } = HEARD.beats[8]!
    const off = start + share * duration
    const after = correct(HEARD, { from: start, to: start + 8, downbeat: off })
    expect(Math.min(...startsOf(after.beats).map((time) => Math.abs(time - off)))).toBeLessThan(
      0.03,
    )
    gapFree(after)
    const lengths = after.beats.map((beat) => beat.duration)
    // No beat at either end of the part is much shorter or longer than the others.
    const fast = after.beats.filter((beat) => beat.start < 15).map((beat) => beat.duration)
    expect(Math.min(...lengths)).toBeGreaterThan(0.24)
    expect(Math.max(...fast)).toBeLessThan(0.76)
  })

  it('of several parts is the sum of them, in order', () => {
    const both = correct(HEARD, {
      parts: [
        { ...PART, tempo: 'double' },
        { from: 0, to: 8, tempo: 'half' },
      ],
    })
    const one = correct(correct(HEARD, { ...PART, tempo: 'double' }), { to: 8, tempo: 'half' })
    expect(both).toEqual(one)
    expect(both.beats.length).not.toBe(HEARD.beats.length)
  })

  it('gives the track the tempo that most of it has then', () => {
    expect(correct(HEARD, { from: 0, tempo: 'half' }).track.tempo).toBeLessThan(70)
  })

  it.each([
    [{ from: 10, to: 5, tempo: 100 }, 'to - '],
    [{ from: 10, key: 3 }, 'key - '],
    [{ to: 10, timeSignature: 3 }, 'timeSignature - '],
    [{ from: 10, to: 20, downbeat: 21 }, 'downbeat - '],
    [{ from: 10, to: 20, downbeat: 9 }, 'downbeat - '],
    [{ from: -1, tempo: 100 }, 'from - '],
    [{ from: 1e6, tempo: 100 }, 'from - '],
    [{ parts: [{ from: 0, tempo: 3 }] }, 'tempo - '],
  ])('refuses %o', (given, message) => {
    expect(() => correct(HEARD, given)).toThrow(message)
  })
})

function gapFree(document: AnalysisDocument): void {
  for (const list of [document.beats, document.bars, document.tatums])
    list.slice(1).forEach(({ start }, i) => {
      expect(list[i]!.start + list[i]!.duration).toBeCloseTo(start, 6)
      expect(list[i]!.duration).toBeGreaterThan(0)
    })
  const starts = new Set(startsOf(document.beats))
  for (const { start } of document.bars) expect(starts).toContain(start)
}
