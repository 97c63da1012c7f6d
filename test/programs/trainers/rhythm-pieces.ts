import { medianOf } from '../../../src/analysis/statistics.ts'
import { gaussian, pick } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import { type Ensemble, SAMPLE_RATE, type Sound } from './rhythm-band.ts'
import { compose } from './rhythm-composer.ts'
import type { Style } from './rhythm-styles.ts'

/** Seconds of a piece. */
const LENGTH = 38

/** A piece of music whose beats are known. */
export interface Piece {
  style: string
  samples: Float32Array
  sampleRate: number
  /** Seconds. */
  beats: number[]
  downbeats: number[]
  beatsPerBar: number
  /** What a time signature may be called. */
  accepted: number[]
  /** BPM, of the median interval. */
  tempo: number
}

/** What a performance needs to know of its music. */
interface Score extends Pick<Style, 'name' | 'beatsPerBar' | 'feel' | 'freedom'> {
  bpm: number
  /** Its sounds, their times in beats. */
  sounds: readonly Sound[]
}

/** Composes, performs and masters one piece. */
export function makePiece(style: Style, band: Ensemble, random: Random): Piece {
  const [slowest, fastest] = style.tempo
  const bpm = slowest + (fastest - slowest) * random()
  return perform(
    { ...style, bpm, sounds: compose(style, barsAt(bpm, style), random) },
    band,
    random,
  )
}

/** Bars that are long enough at any manner of playing. */
function barsAt(bpm: number, { beatsPerBar }: Pick<Style, 'beatsPerBar'>): number {
  return Math.ceil((1.25 * LENGTH * bpm) / 60 / beatsPerBar) + 3
}

function perform(score: Score, band: Ensemble, random: Random): Piece {
  const { name, beatsPerBar, feel, bpm } = score
  const times = performance(score, barsAt(bpm, score) * beatsPerBar, random)
  const looseness = pick(random, [0, 0, 0.004, 0.01])
  const began = pick(random, [0, 0, 4 * random()]) - 0.6 * random()
  const sounds = score.sounds.map((sound) => {
    const start = timeOf(sound.start, times)
    return {
      ...sound,
      start: start - began + looseness * gaussian(random),
      duration: timeOf(sound.start + sound.duration, times) - start,
    }
  })
  const samples = mastered(band.play(sounds, LENGTH, random), random)
  const heard = times
    .map((time, b) => ({ time: time - began, first: b % beatsPerBar === 0 }))
    .filter(({ time }) => time >= 0 && time < LENGTH)
  const beats = heard.map(({ time }) => time)
  const intervals = beats.slice(1).map((beat, i) => beat - beats[i]!)
  return {
    style: name,
    samples,
    sampleRate: SAMPLE_RATE,
    beats,
    downbeats: heard.filter(({ first }) => first).map(({ time }) => time),
    beatsPerBar,
    accepted: beatsPerBar !== 2 ? [beatsPerBar] : feel === 'thirds' ? [2, 3, 6] : [2, 4],
    tempo: 60 / medianOf(intervals),
  }
}

/** When each beat falls, in seconds: in time, or as people play. */
function performance(
  { bpm, freedom: freedoms, beatsPerBar }: Score,
  beats: number,
  random: Random,
): number[] {
  const freedom = pick(random, freedoms ?? [0])
  const manner =
    freedom > 0
      ? 'free'
      : random() < 0.25
        ? pick(random, ['walk', 'step', 'ramp'] as const)
        : 'even'
  const ratio = pick(random, [0.85, 0.92, 1.08, 1.18])
  const turn = beats * (0.3 + 0.4 * random())
  const phrase = beatsPerBar * 4
  let drift = 0
  const times = [0]
  for (let b = 0; b < beats; b++) {
    let pace = 1
    if (manner === 'walk') pace += 0.04 * Math.sin(b / 17) + 0.006 * gaussian(random)
    if (manner === 'step' && b > turn) pace = ratio
    if (manner === 'ramp') pace += ((ratio - 1) * b) / beats
    if (manner === 'free') {
      drift = 0.7 * drift + freedom * gaussian(random)
      pace = Math.max(0.6, 1 + drift + 1.5 * freedom * Math.sin((2 * Math.PI * b) / phrase))
      if (b % (2 * phrase) >= 2 * phrase - 2) pace *= 1 - 3 * freedom
    }
    times.push(times[b]! + 60 / (bpm * pace))
  }
  return times
}

function timeOf(beat: number, times: readonly number[]): number {
  const b = Math.min(times.length - 2, Math.max(0, Math.floor(beat)))
  return times[b]! + (beat - b) * (times[b + 1]! - times[b]!)
}

/** Loudness, a filter and saturation, as recordings have them. */
function mastered(samples: Float32Array, random: Random): Float32Array {
  const filter = random()
  const drive = pick(random, [0.5, 1, 2])
  let low = 0
  for (let i = 0; i < samples.length; i++) {
    const x = samples[i]!
    // One pole at about 4 kHz, or at 120 Hz.
    low += (filter < 0.2 ? 0.68 : 0.034) * (x - low)
    samples[i] = Math.tanh(drive * (filter < 0.2 ? low : filter < 0.35 ? x - low : x))
  }
  return samples
}
