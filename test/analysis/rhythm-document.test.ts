import { describe, expect, it } from 'vitest'
import type { AnalysisDocument } from '../../src/analysis/document.ts'
import { stringifyAnalysis } from '../../src/analysis/document.ts'
import { analyze } from '../../src/analyzer/analyzer.ts'
import { brokenInvariants } from '../support/invariants.ts'
import { song } from '../support/music.ts'
import { beatTimes, type Pattern, play, RATE, ROCK, recall, WALTZ } from './drum-patterns.ts'

const documentOf = (samples: Float32Array, sampleRate = RATE) =>
  analyze({ samples: [samples], sampleRate })
const startsOf = (list: readonly { start: number }[]) => list.map(({ start }) => start)
const endOf = ({ start, duration }: { start: number; duration: number }) => start + duration

const MARCH: Pattern = { beats: 2, drums: { kick: [0], snare: [1], hat: [0, 0.5, 1, 1.5] } }
const JIG: Pattern = {
  beats: 2,
  drums: { kick: [0], snare: [1], hat: [0, 1 / 3, 2 / 3, 1, 4 / 3, 5 / 3] },
}
const FIVE: Pattern = { beats: 5, drums: { kick: [0, 3], snare: [2, 4], hat: [0, 1, 2, 3, 4] } }
const SEVEN: Pattern = { beats: 7, drums: { kick: [0, 4], snare: [2, 6], hat: [0, 1, 2, 3, 4, 5] } }

function between(silence: number, samples: Float32Array, after: number): Float32Array {
  const out = new Float32Array(Math.round((silence + after) * RATE) + samples.length)
  out.set(samples, Math.round(silence * RATE))
  return out
}

/** The same, falling by 60 dB in its last seconds. */
function faded(samples: Float32Array, seconds: number): Float32Array {
  const from = samples.length - seconds * RATE
  return samples.map((x, i) => (i < from ? x : x * 10 ** ((-3 * (i - from)) / (seconds * RATE))))
}

/** Without its first beats. */
function pickup(pattern: Pattern, skipped: number): Float32Array {
  const seconds = 14
  const beats = beatTimes(110, seconds)
  const samples = play(pattern, beats, seconds)
  return samples.slice(Math.round((beats[skipped]! - 0.1) * RATE))
}

const rock = play(ROCK, beatTimes(112, 24), 24)
const MUSIC: [string, Float32Array][] = [
  ...(
    [
      ['two', MARCH],
      ['three', WALTZ],
      ['four', ROCK],
      ['five', FIVE],
      ['seven', SEVEN],
    ] as const
  ).flatMap(([name, pattern]): [string, Float32Array][] => [
    [`bars of ${name}`, play(pattern, beatTimes(118, 14), 14)],
    [`bars of ${name} after a pickup`, pickup(pattern, pattern.beats - 1)],
  ]),
  ['six eighths', play(JIG, beatTimes(96, 24), 24)],
  ['a bar of two among bars of four', withShortBar()],
  ['a fade-out', faded(rock, 10)],
  ['a fade-out and silence', between(0, faded(rock, 12), 15)],
  ['a long tail of silence', between(0, rock, 40)],
  ['a long tail of faint noise', between(0, rock, 20).map((x, i) => x + 2e-4 * Math.sin(i * i))],
  ['silence on both sides', between(12, rock, 12)],
  ['music that is cut off within a beat', rock.slice(0, Math.round(20.13 * RATE))],
  ['one note', note(3)],
  ['one long note', note(20)],
  ['three notes', threeNotes()],
]

function withShortBar(): Float32Array {
  const beats = beatTimes(116, 34)
  const seconds = 34
  const first = play(ROCK, beats.slice(0, 30), seconds)
  const second = play(ROCK, beats.slice(30), seconds)
  return first.map((x, i) => x + second[i]!)
}

function threeNotes(): Float32Array {
  const one = note(1)
  return Float32Array.from({ length: 3 * RATE }, (_, i) => one[i % RATE]!)
}

function note(seconds: number): Float32Array {
  return Float32Array.from(
    { length: seconds * RATE },
    (_, i) => 0.4 * Math.sin(i * 0.09) * Math.exp((-3 * i) / (seconds * RATE)),
  )
}

describe.each(MUSIC)('the document of %s', (_, samples) => {
  it('keeps the rules, also as text', () => {
    const document = documentOf(samples)
    expect(brokenInvariants(document)).toEqual([])
    const text = JSON.parse(stringifyAnalysis(document)) as AnalysisDocument
    expect(brokenInvariants(text)).toEqual([])
  })
})

describe('beats', () => {
  it('are written to the last one, which lasts as long as the tempo says', () => {
    const beats = beatTimes(120, 20)
    const document = documentOf(play(ROCK, beats, 20))
    const last = document.beats.at(-1)!
    expect(Math.abs(last.start - beats.at(-1)!)).toBeLessThan(0.03)
    expect(Math.abs(last.duration - 0.5)).toBeLessThan(0.06)
  })

  it.each([0, 3])('begin with the music, after %d s of silence', (silence) => {
    const known = beatTimes(112, 20)
    const music = play(ROCK, known, 20).subarray(Math.round((known[0]! - 0.005) * RATE))
    const { beats, bars } = documentOf(between(silence, music, 1))
    expect(Math.abs(beats[0]!.start - silence)).toBeLessThan(0.05)
    expect(bars[0]!.start).toBe(beats[0]!.start)
  })

  it('end with the track', () => {
    const cut = rock.slice(0, Math.round(20.2 * RATE))
    const { track, beats } = documentOf(cut)
    expect(endOf(beats.at(-1)!)).toBeLessThanOrEqual(track.duration)
    expect(endOf(beats.at(-1)!)).toBeGreaterThan(track.duration - 0.3)
  })

  it('are the same whatever silence there is before and after', () => {
    const at = documentOf(rock)
    const silent = documentOf(between(20, rock, 40))
    expect(silent.track.time_signature).toBe(at.track.time_signature)
    expect(Math.abs(silent.track.tempo / at.track.tempo - 1)).toBeLessThan(0.002)
    expect(Math.abs(silent.beats.length - at.beats.length)).toBeLessThanOrEqual(2)
    const back = startsOf(silent.beats).map((start) => start - 20)
    expect(recall(startsOf(at.beats), back, 0.03)).toBeGreaterThan(0.95)
    expect(silent.beats[0]!.start).toBeGreaterThan(19.9)
    expect(silent.beats.at(-1)!.start).toBeLessThan(20 + 24)
  })

  it('are each followed by a segment in music that fades out long', () => {
    const { beats, segments } = documentOf(faded(rock, 14))
    const last = segments.at(-1)!
    expect(beats.filter(({ start }) => start > last.start)).toEqual([])
  })
})

describe('bars', () => {
  it.each([
    ['a march', MARCH, 116],
    ['a jig', JIG, 100],
  ] as const)('of two beats are written in pairs: %s', (_, pattern, bpm) => {
    const beats = beatTimes(bpm, 30)
    const { track, bars } = documentOf(play(pattern, beats, 30))
    expect(track.time_signature).toBe(4)
    const downbeats = beats.filter((_, i) => i % 2 === 0)
    expect(recall(startsOf(bars), downbeats)).toBeGreaterThan(0.9)
  })

  it('are written to the last whole one', () => {
    const beats = beatTimes(120, 22.4)
    const { bars, beats: found } = documentOf(between(0, play(ROCK, beats, 22.4), 2))
    const whole = beats.slice(0, beats.length - (beats.length % 4))
    expect(Math.abs(bars.at(-1)!.start - whole.at(-4)!)).toBeLessThan(0.05)
    expect(found.length).toBeGreaterThanOrEqual(beats.length)
  })

  it('are found again after a bar of two', () => {
    const { bars } = documentOf(withShortBar())
    const after = beatTimes(116, 34).slice(34, -4)
    const downbeats = after.filter((_, i) => i % 4 === 0)
    expect(recall(downbeats, startsOf(bars))).toBeGreaterThan(0.9)
  })

  it('are less sure where every beat is like the others', () => {
    const sureness = (samples: Float32Array): number => {
      const { bars } = documentOf(samples)
      return bars.reduce((sum, { confidence }) => sum + confidence, 0) / bars.length
    }
    const clicks = new Float32Array(30 * RATE)
    for (const beat of beatTimes(116, 30))
      for (let i = 0; i < 0.05 * RATE; i++)
        clicks[Math.round(beat * RATE) + i] = 0.5 * Math.sin(0.3 * i) * Math.exp(-i / 200)
    expect(sureness(clicks)).toBeLessThan(0.8 * sureness(play(ROCK, beatTimes(116, 30), 30)))
  })
})

describe('sections', () => {
  it('have the tempo of their own beats, and are as sure of it as these are even', () => {
    const { samples, sampleRate } = song({ seconds: 40, tempo: 120 })
    const document = documentOf(samples, sampleRate)
    for (const section of document.sections) {
      const inside = document.beats.filter(
        ({ start }) => start >= section.start && start < endOf(section),
      )
      expect(section.tempo_confidence).toBeLessThanOrEqual(document.track.tempo_confidence)
      if (inside.length >= 8) expect(Math.abs(section.tempo - 120)).toBeLessThan(1)
    }
  })
})
