import { describe, expect, it } from 'vitest'
import { COLLECTED_SECONDS, LEVEL_FRAMES, layFrameGrid } from '../../src/analysis/frame-grid.ts'
import type { Interval } from '../../src/analysis/intervals.ts'
import { SPECTRA } from '../../src/analysis/spectra.ts'
import { Analyzer, analyze } from '../../src/analysis-entry.ts'
import { beatTimes, play, RATE, ROCK } from './drum-patterns.ts'

const MUSIC = play(ROCK, beatTimes(117.3, 40), 40)
/** Seconds by which the track begins later; negative: silence in front. */
const LATER = [0.005, 0.013, 0.037, 0.1, -0.5, -10]

function later(samples: Float32Array, seconds: number): Float32Array {
  const count = Math.round(seconds * RATE)
  if (count >= 0) return samples.subarray(count)
  const longer = new Float32Array(samples.length - count)
  longer.set(samples, -count)
  return longer
}

describe('frameGrid', () => {
  it.each(LATER)('lies at the same places of the music that begins %d s later', (seconds) => {
    const [at, other] = [MUSIC, later(MUSIC, seconds)].map(layFrameGrid)
    const period = LEVEL_FRAMES * SPECTRA.hop
    const place = ({ lead, phase }: { lead: number; phase: number }, samples: number) =>
      (((lead + phase * SPECTRA.hop + samples) % period) + period) % period
    const moved = -Math.round(seconds * RATE)
    expect(place(other!, moved)).toBe(place(at!, 0))
    const pitchPeriod = 1024
    const pitchPlace = ({ pitchLead }: { pitchLead: number }, samples: number) =>
      (((pitchLead + samples) % pitchPeriod) + pitchPeriod) % pitchPeriod
    expect(pitchPlace(other!, moved)).toBe(pitchPlace(at!, 0))
  })

  it('has less than two frames of silence in front, whatever is heard', () => {
    const pieces = [MUSIC, new Float32Array(RATE), new Float32Array(0), Float32Array.of(1)]
    for (const samples of [...pieces, ...LATER.map((seconds) => later(MUSIC, seconds))]) {
      const { lead, phase, pitchLead } = layFrameGrid(samples)
      expect(pitchLead).toBeGreaterThanOrEqual(0)
      expect(pitchLead).toBeLessThan(1024)
      expect(lead).toBeGreaterThanOrEqual(0)
      expect(lead).toBeLessThan(2 * SPECTRA.hop)
      expect(phase % 2).toBe(0)
      expect(phase).toBeLessThan(LEVEL_FRAMES)
    }
  })
})

describe('a document', () => {
  const heard = (samples: Float32Array) => analyze({ samples: [samples], sampleRate: RATE })
  const at = heard(MUSIC)

  it.each(LATER)('says the same of music that begins %d s later', (seconds) => {
    const other = heard(later(MUSIC, seconds))
    expect(other.track.tempo).toBeCloseTo(at.track.tempo, 1)
    expect(other.track.time_signature).toBe(at.track.time_signature)
    for (const name of ['beats', 'bars', 'segments'] as const) {
      const inner = startsOf(at[name]).filter((start) => start > 2 && start < 38)
      const moved = startsOf(other[name]).map((start) => start + seconds)
      const apart = inner.map((start) => Math.min(...moved.map((one) => Math.abs(one - start))))
      // One sample of rounding, and one of the time axis.
      expect(Math.max(...apart), name).toBeLessThan(2 / RATE)
    }
    for (const { start, pitches } of at.segments) {
      if (start < 2 || start > 38) continue
      const same = other.segments.find((one) => Math.abs(one.start + seconds - start) < 2 / RATE)
      for (const [c, pitch] of pitches.entries()) expect(same?.pitches[c]).toBeCloseTo(pitch, 2)
    }
  })

  it.each([
    997,
    4096,
    COLLECTED_SECONDS * RATE - 1,
    COLLECTED_SECONDS * RATE,
    COLLECTED_SECONDS * RATE + 1,
  ])('is the same from blocks of %d samples, although the beginning is held back', (size) => {
    const analyzer = new Analyzer({ sampleRate: RATE, channels: 1 })
    for (let from = 0; from < MUSIC.length; from += size)
      analyzer.push([MUSIC.subarray(from, from + size)])
    const { meta: _, ...found } = analyzer.finish()
    const { meta: __, ...whole } = at
    expect(found).toEqual(whole)
  })

  it.each([
    ['music', MUSIC],
    ['music without its beginning', later(MUSIC, 0.0123)],
    ['music behind silence', later(MUSIC, -3)],
    ['five milliseconds', new Float32Array(110).fill(0.3)],
  ])('begins with the track and ends with it: %s', (_, samples) => {
    const { track, segments, sections, beats, tatums, bars } = heard(samples)
    for (const [name, all] of Object.entries({ segments, sections, beats, tatums, bars })) {
      for (const [i, { start, duration }] of all.entries()) {
        expect(start, name).toBeGreaterThanOrEqual(0)
        expect(duration, name).toBeGreaterThan(0)
        if (i > 0) expect(start, name).toBe(all[i - 1]!.start + all[i - 1]!.duration)
      }
      expect(endOf(all), name).toBeLessThanOrEqual(track.duration + 1e-6)
    }
    for (const all of [segments, sections]) {
      expect(all[0]!.start).toBe(0)
      expect(endOf(all)).toBeCloseTo(track.duration, 5)
    }
    expect(segments[0]!.loudness_max_time).toBeLessThanOrEqual(segments[0]!.duration)
    expect(track.end_of_fade_in).toBeGreaterThanOrEqual(0)
    expect(track.start_of_fade_out).toBeLessThanOrEqual(track.duration)
  })
})

function startsOf(intervals: readonly Interval[]): number[] {
  return intervals.map(({ start }) => start)
}

function endOf(intervals: readonly Interval[]): number {
  const last = intervals.at(-1)
  return last === undefined ? 0 : last.start + last.duration
}
