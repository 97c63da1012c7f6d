import type { Chroma } from '../../src/analysis/chroma.ts'
import { NOVELTY_BANDS, type Novelty, NoveltyFront } from '../../src/analysis/novelty.ts'
import { type SpectrumListener, SpectrumStream } from '../../src/audio/spectra/spectrum-stream.ts'
import { seeded } from '../support/music.ts'

export const RATE = 22_050

type Drum = 'kick' | 'snare' | 'hat'

/** A bar: for each drum the beats, from 0 and with fractions, on which it sounds. */
export interface Pattern {
  beats: number
  drums: Partial<Record<Drum, readonly number[]>>
}

export const ROCK: Pattern = {
  beats: 4,
  drums: { kick: [0, 2, 2.5], snare: [1, 3], hat: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5] },
}
export const WALTZ: Pattern = { beats: 3, drums: { kick: [0], snare: [1, 2], hat: [0, 1, 2] } }

/** Beat times for `seconds`, the first at `start`; `bpm` may depend on the time. */
export function beatTimes(bpm: number | ((t: number) => number), seconds: number, start = 0.4) {
  const times: number[] = []
  for (let t = start; t < seconds - 0.3; t += 60 / (typeof bpm === 'number' ? bpm : bpm(t)))
    times.push(t)
  return times
}

/** Plays a pattern on the given beats, with a chord in each bar; the first beat begins a bar. */
export function play(pattern: Pattern, beats: readonly number[], seconds: number): Float32Array {
  const samples = new Float32Array(Math.round(seconds * RATE))
  const random = seeded(7)
  const sound = (at: number, length: number, wave: (t: number) => number) => {
    const first = Math.round(at * RATE)
    for (let i = 0; i < length * RATE && first + i < samples.length; i++)
      samples[first + i] = samples[first + i]! + wave(i / RATE)
  }
  const drums: Record<Drum, (at: number) => void> = {
    kick: (at) =>
      sound(
        at,
        0.2,
        (t) => 0.7 * Math.sin(2 * Math.PI * (55 + 60 * Math.exp(-t * 40)) * t) * Math.exp(-t * 18),
      ),
    snare: (at) =>
      sound(
        at,
        0.15,
        (t) => (0.3 * (random() - 0.5) + 0.2 * Math.sin(2 * Math.PI * 190 * t)) * Math.exp(-t * 28),
      ),
    hat: (at) => sound(at, 0.05, (t) => 0.12 * (random() - 0.5) * Math.exp(-t * 80)),
  }
  const roots = [261.6, 220, 349.2, 392]
  beats.forEach((start, b) => {
    const length = (beats[b + 1] ?? start + (start - beats[b - 1]!)) - start
    const place = b % pattern.beats
    for (const [drum, at] of Object.entries(pattern.drums))
      for (const beat of at)
        if (Math.floor(beat) === place) drums[drum as Drum](start + (beat - place) * length)
    if (place === 0) {
      const root = roots[(b / pattern.beats) % roots.length]!
      for (const ratio of [0.5, 1, 1.25, 1.5])
        sound(
          start,
          length * pattern.beats,
          (t) =>
            0.05 * Math.sin(2 * Math.PI * root * ratio * t) * Math.min(1, t * 100) * Math.exp(-t),
        )
    }
  })
  return samples
}

const HANN = Float64Array.from(
  { length: 1_024 },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / 1_024),
)

/** The novelty of mono samples at 22,050 Hz, as the front end makes it. */
export function noveltyOf(samples: Float32Array): Novelty {
  const front = new NoveltyFront()
  const take: SpectrumListener = (_, [bands]) => front.push(bands!)
  const stream = new SpectrumStream(HANN, 220, take, [NOVELTY_BANDS])
  stream.push(samples)
  stream.finish()
  return front.finish()
}

/** Drums have no pitch classes. */
export const NO_HARMONY: Chroma = {
  fps: 1,
  start: 0,
  frames: 0,
  classes: new Float32Array(0),
  top: new Float32Array(0),
}

/** Share of `wanted` times with one of `found` within `reach` seconds, after the first 3 s. */
export function recall(wanted: readonly number[], found: readonly number[], reach = 0.05): number {
  const late = wanted.filter((t) => t >= 3)
  return late.filter((t) => found.some((f) => Math.abs(f - t) <= reach)).length / late.length
}
