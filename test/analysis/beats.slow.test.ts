import { describe, expect, it } from 'vitest'
import type { Interval } from '../../src/analysis/intervals.ts'
import { trackRhythm } from '../../src/analysis/rhythm.ts'
import { findTatums } from '../../src/analysis/tatums.ts'
import { seeded } from '../support/music.ts'
import {
  beatTimes,
  NO_HARMONY,
  noveltyOf,
  type Pattern,
  play,
  RATE,
  ROCK,
  recall,
  WALTZ,
} from './drum-patterns.ts'

const rhythmOf = (samples: Float32Array) => {
  const novelty = noveltyOf(samples)
  const found = trackRhythm(
    { spectrum: novelty.spectrum, chroma: NO_HARMONY },
    samples.length / RATE,
  )
  return {
    ...found,
    tatums: findTatums(found.beats, novelty),
  }
}
const startsOf = (intervals: readonly Interval[]) => intervals.map(({ start }) => start)

describe('trackBeats', () => {
  it.each([90, 104, 120, 138])('finds the beats of a rock pattern at %d BPM', (bpm) => {
    const beats = beatTimes(bpm, 30)
    const found = rhythmOf(play(ROCK, beats, 30))
    expect(Math.abs(found.tempo / bpm - 1)).toBeLessThan(0.003)
    expect(recall(beats.slice(0, -2), startsOf(found.beats))).toBeGreaterThan(0.97)
  })

  it('follows a tempo that drifts and one that jumps', () => {
    for (const bpm of [(t: number) => 100 + t, (t: number) => (t < 20 ? 100 : 118)]) {
      const beats = beatTimes(bpm, 40)
      const found = startsOf(rhythmOf(play(ROCK, beats, 40)).beats)
      expect(recall(beats.slice(0, -2), found, 0.07)).toBeGreaterThan(0.9)
    }
  })

  it('tells the time of a beat more finely than its frames', () => {
    // At this tempo beats fall anywhere between frames, which are 10 ms apart.
    const beats = beatTimes(117.3, 30)
    const starts = startsOf(rhythmOf(play(ROCK, beats, 30)).beats)
    const errors = starts.map((start) => {
      const nearest = beats.reduce((a, b) => (Math.abs(b - start) < Math.abs(a - start) ? b : a))
      return start - nearest
    })
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
    const square = errors.reduce((sum, error) => sum + (error - mean) ** 2, 0) / errors.length
    expect(Math.sqrt(square)).toBeLessThan(0.002)
  })

  it('hears the same in music that begins some milliseconds later', () => {
    const random = seeded(5)
    const wandering = beatTimes((t) => 104 * (1 + 0.05 * Math.sin(t / 3) + 0.01 * random()), 30)
    const samples = play(ROCK, wandering, 30)
    const at = rhythmOf(samples)
    for (const delay of [51, 110, 170]) {
      const late = new Float32Array(samples.length + delay)
      late.set(samples, delay)
      const found = rhythmOf(late)
      expect(Math.abs(found.tempo / at.tempo - 1)).toBeLessThan(0.002)
      const back = startsOf(found.beats).map((start) => start - delay / RATE)
      expect(recall(startsOf(at.beats), back, 0.006)).toBeGreaterThan(0.9)
    }
  })

  it('does not know the gain', () => {
    const samples = play(ROCK, beatTimes(112, 25), 25)
    const once = rhythmOf(samples)
    const loud = rhythmOf(samples.map((x) => 2 * x))
    expect(startsOf(loud.beats)).toEqual(startsOf(once.beats))
    expect(startsOf(loud.bars)).toEqual(startsOf(once.bars))
    expect(Math.abs(loud.tempoConfidence - once.tempoConfidence)).toBeLessThan(0.02)
  })

  it('does not trust beats in noise', () => {
    const random = seeded(3)
    const found = rhythmOf(Float32Array.from({ length: 20 * RATE }, () => random() - 0.5))
    expect(found.tempoConfidence).toBeLessThan(0.1)
    for (const { confidence } of found.beats) expect(confidence).toBeLessThan(0.1)
  })

  it('is the same every time', () => {
    const samples = play(WALTZ, beatTimes(140, 20), 20)
    expect(rhythmOf(samples)).toEqual(rhythmOf(samples))
  })
})

describe('findBars', () => {
  const metres: [string, Pattern, number, number][] = [
    ['a rock pattern', ROCK, 116, 4],
    ['a waltz', WALTZ, 150, 3],
  ]
  it.each(metres)('finds the bars of %s', (_, pattern, bpm, metre) => {
    const beats = beatTimes(bpm, 30)
    const found = rhythmOf(play(pattern, beats, 30))
    expect(found.timeSignature).toBe(metre)
    const downbeats = beats.filter((_, i) => i % pattern.beats === 0)
    expect(recall(downbeats.slice(0, -2), startsOf(found.bars))).toBeGreaterThan(0.9)
    expect(recall(startsOf(found.bars), downbeats)).toBeGreaterThan(0.9)
  })
})

describe('findTatums', () => {
  const eighths: Pattern = { beats: 4, drums: { ...ROCK.drums, kick: [0, 2] } }
  const shuffle: Pattern = {
    beats: 4,
    drums: {
      kick: [0, 2],
      snare: [1, 3],
      hat: [0, 1 / 3, 2 / 3, 1, 4 / 3, 5 / 3, 2, 7 / 3, 8 / 3, 3, 10 / 3, 11 / 3],
    },
  }
  it.each([
    ['eighths', eighths, 2],
    ['a shuffle', shuffle, 3],
  ] as const)('cuts beats as %s do', (_, pattern, parts) => {
    const found = rhythmOf(play(pattern, beatTimes(100, 25), 25))
    expect(found.tatums.length / found.beats.length).toBeCloseTo(parts, 0)
  })
})

describe('any sound', () => {
  const random = seeded(11)
  const hostile: [string, Float32Array][] = [
    ['nothing', new Float32Array(0)],
    ['one sample', new Float32Array(1).fill(1)],
    ['0.2 s', Float32Array.from({ length: RATE / 5 }, () => random() - 0.5)],
    ['silence', new Float32Array(10 * RATE)],
    ['DC', new Float32Array(10 * RATE).fill(0.5)],
    ['a click', new Float32Array(10 * RATE).fill(1, 5 * RATE, 5 * RATE + 1)],
    ['a sine', Float32Array.from({ length: 10 * RATE }, (_, i) => Math.sin(i / 10))],
    ['noise', Float32Array.from({ length: 20 * RATE }, () => random() - 0.5)],
    ['a rock pattern', play(ROCK, beatTimes(128, 20), 20)],
    [
      'a drifting waltz',
      play(
        WALTZ,
        beatTimes((t) => 120 + 2 * t, 20),
        20,
      ),
    ],
    ['minutes', repeated(play(ROCK, beatTimes(121, 30), 30), 12)],
  ]
  it.each(hostile)('%s gives lists without gaps that nest to the digit', (_, samples) => {
    const { beats, bars, tatums, tempo, tempoConfidence, ...metre } = rhythmOf(samples)
    const end = samples.length / RATE
    for (const list of [beats, bars, tatums])
      list.forEach(({ start, duration, confidence }, i) => {
        expect(start).toBeGreaterThanOrEqual(0)
        expect(duration).toBeGreaterThan(0)
        expect(confidence >= 0 && confidence <= 1).toBe(true)
        expect(start + duration).toBe(list[i + 1]?.start ?? start + duration)
        expect(start + duration).toBeLessThanOrEqual(end)
      })
    const beatStarts = new Set(startsOf(beats))
    const tatumStarts = new Set(startsOf(tatums))
    expect(startsOf(bars).every((start) => beatStarts.has(start))).toBe(true)
    expect(startsOf(beats).every((start) => tatumStarts.has(start))).toBe(true)
    expect([3, 4, 5, 6, 7]).toContain(metre.timeSignature)
    expect(metre.timeSignatureConfidence >= 0 && metre.timeSignatureConfidence <= 1).toBe(true)
    expect(tempoConfidence >= 0 && tempoConfidence <= 1).toBe(true)
    if (beats.length === 0) expect([tempo, tempoConfidence]).toEqual([0, 0])
    else expect(tempo).toBeGreaterThan(20)
  })
})

function repeated(samples: Float32Array, times: number): Float32Array {
  const out = new Float32Array(samples.length * times)
  for (let i = 0; i < times; i++) out.set(samples, i * samples.length)
  return out
}
