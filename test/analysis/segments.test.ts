import { describe, expect, it } from 'vitest'
import type { Segment } from '../../src/analysis/document.ts'
import { analyze } from '../../src/analyzer/analyzer.ts'
import { addDrum, addTone, seeded, song, VOICES } from '../support/music.ts'

const RATE = 22_050

function segmentsOf(samples: Float32Array): Segment[] {
  return analyze({ samples: [samples], sampleRate: RATE }).segments
}

/** One tone a second from 0.5 s on. */
function tones(pitches: readonly number[], gain = 0.3, voice = VOICES.piano!): Float32Array {
  const samples = new Float32Array((pitches.length + 1) * RATE)
  pitches.forEach((pitch, i) => {
    addTone(samples, RATE, { start: 0.5 + i, duration: 0.9, pitch, gain }, voice)
  })
  return samples
}

describe('segments', () => {
  it('begin where notes do', () => {
    const starts = segmentsOf(tones([60, 64, 67, 72, 65, 69])).map(({ start }) => start)
    for (let i = 0; i < 6; i++) {
      const nearest = Math.min(...starts.map((start) => Math.abs(start - 0.5 - i)))
      expect(nearest, `note ${i}`).toBeLessThan(0.02)
    }
  })

  it('have the pitch of their note', () => {
    const pitches = [60, 61, 64, 67, 70, 71]
    const segments = segmentsOf(tones(pitches))
    pitches.forEach((pitch, i) => {
      const segment = segments.find(({ start }) => Math.abs(start - 0.5 - i) < 0.05)!
      expect(segment.pitches.indexOf(1), `note ${pitch}`).toBe(pitch % 12)
    })
  })

  it('are equal where music repeats itself exactly', () => {
    // A loop of a whole number of frames and of 2 s, five times.
    const loop = song({ seconds: 4, tempo: 120, sampleRate: RATE }).samples.subarray(0, 88_000)
    const samples = new Float32Array(5 * loop.length)
    for (let i = 0; i < 5; i++) samples.set(loop, i * loop.length)
    const segments = segmentsOf(samples)
    const period = loop.length / RATE
    const of = (repeat: number) =>
      segments.filter(({ start }) => Math.abs(start / period - repeat - 0.5) < 0.5)
    // The first and last have other neighbours.
    const [a, b, c] = [of(1), of(2), of(3)]
    expect(a.length).toBeGreaterThan(8)
    expect(b.length).toBe(a.length)
    expect(c.length).toBe(a.length)
    a.forEach((segment, i) => {
      for (const other of [b[i]!, c[i]!]) {
        const periods = (other.start - segment.start) / period
        expect(Math.abs(periods - Math.round(periods)) * period).toBeLessThan(0.001)
        expect(other.duration).toBeCloseTo(segment.duration, 3)
        expect(distance(segment, other)).toBeLessThan(2)
        other.pitches.forEach((pitch, p) => {
          expect(Math.abs(pitch - segment.pitches[p]!)).toBeLessThan(0.12)
        })
      }
    })
  })

  it('come two to five a second in music, none shorter than 0.08 s', () => {
    const segments = segmentsOf(song({ seconds: 30 }).samples)
    expect(segments.length / 30).toBeGreaterThan(2)
    expect(segments.length / 30).toBeLessThan(5)
    for (const { duration } of segments.slice(0, -1))
      expect(duration).toBeGreaterThanOrEqual(0.08 - 1e-6)
  })

  it('describe the attack: a piano peaks early, strings late', () => {
    const peakAt = (voice: typeof VOICES.piano) => {
      const segments = segmentsOf(tones([60, 62, 64, 65], 0.3, voice!))
      const notes = segments.filter(({ start }) => start > 0.3 && start % 1 > 0.45)
      return notes.map((s) => s.loudness_max_time).sort((x, y) => x - y)[notes.length >> 1]!
    }
    expect(peakAt(VOICES.piano)).toBeLessThan(0.05)
    expect(peakAt(VOICES.strings)).toBeGreaterThan(0.08)
  })

  it('cut a long drone, but not silence', () => {
    const drone = new Float32Array(20 * RATE)
    addTone(drone, RATE, { start: 0, duration: 20, pitch: 50, gain: 0.3 }, VOICES.organ!)
    for (const { duration } of segmentsOf(drone)) expect(duration).toBeLessThan(2.5)
    expect(segmentsOf(new Float32Array(20 * RATE)).length).toBe(1)
  })
})

describe('timbre', () => {
  const random = seeded(9)
  const noise = Float32Array.from({ length: 4 * RATE }, () => 0.3 * (random() - 0.5))
  const longest = (samples: Float32Array) => {
    const segments = segmentsOf(samples)
    return segments.reduce((a, b) => (b.duration > a.duration ? b : a)).timbre
  }

  it('c1 follows the level, dB for dB', () => {
    const base = longest(noise)
    for (const decibels of [-12, -6, 6]) {
      const moved = longest(noise.map((x) => x * 10 ** (decibels / 20)))
      expect(moved[0]! - base[0]!).toBeCloseTo(decibels, 1)
      for (let k = 1; k < 12; k++) expect(moved[k]).toBeCloseTo(base[k]!, 0)
    }
  })

  it('knows the level of very quiet sound by c1 alone, and inaudible sound as silence', () => {
    const quiet = (decibels: number) => longest(tones([60, 60], 0.3 * 10 ** (decibels / 20)))
    const base = quiet(-50)
    quiet(-44).forEach((value, k) => {
      if (k > 0) expect(value).toBeCloseTo(base[k]!, 1)
    })
    expect(quiet(-130)).toEqual(longest(new Float32Array(3 * RATE)))
  })

  it('c2 falls as a low pass closes', () => {
    const brightness = [1, 0.7, 0.4, 0.2, 0.1].map((share) => {
      let low = 0
      return longest(noise.map((x) => (low += share * (x - low))))[1]!
    })
    for (let i = 1; i < brightness.length; i++)
      expect(brightness[i]!).toBeLessThan(brightness[i - 1]!)
  })

  it('c3 is higher for noise than for a tone', () => {
    for (const pitch of [48, 60, 72, 84])
      expect(longest(noise)[2]!).toBeGreaterThan(longest(tones([pitch, pitch]))[2]!)
  })

  it('c4 is higher for a stroke than for a swell', () => {
    const strokes = new Float32Array(4 * RATE)
    for (let i = 0; i < 8; i++) addDrum(strokes, RATE, { start: 0.5 * i + 0.2, gain: 0.5 }, 'snare')
    const swells = tones([60, 60, 60], 0.3, { ...VOICES.strings!, attack: 0.8, decay: 100 })
    expect(longest(strokes)[3]!).toBeGreaterThan(longest(swells)[3]! + 20)
  })
})

function distance(a: Segment, b: Segment): number {
  return Math.sqrt(a.timbre.reduce((sum, value, k) => sum + (value - b.timbre[k]!) ** 2, 0))
}
