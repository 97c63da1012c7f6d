import { gaussian, pick } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import type { Manner } from './material-score.ts'

/** No beat is played faster or slower than this share of the tempo, fermatas aside. */
const FASTEST = 1.3
const SLOWEST = 0.7

/**
 * When each beat of a performance falls, in seconds from beat 0, `beats + 1` of them.
 *
 * A machine keeps its tempo; one in eight changes it in a step or a ramp, as a medley does. A band
 * drifts by a hundredth or two. A soloist shapes phrases of four bars (faster in their middle),
 * lengthens first beats, slows down at the ends of phrases and sometimes rests on one.
 */
export function beatTimesOf(
  { bpm, beats, beatsPerBar, manner }: Tempo,
  random: Random,
): Float64Array {
  const paces = {
    machine: machinePaces,
    band: bandPaces,
    free: freePaces,
  }[manner](beats, beatsPerBar, random)
  const times = new Float64Array(beats + 1)
  for (let b = 0; b < beats; b++) times[b + 1] = times[b]! + 60 / (bpm * paces[b]!)
  return times
}

interface Tempo {
  bpm: number
  beats: number
  beatsPerBar: number
  manner: Manner
}

/** Seconds at a place in beats. */
export function timeAt(times: Float64Array, beat: number): number {
  const b = Math.max(0, Math.min(times.length - 2, Math.floor(beat)))
  return times[b]! + (beat - b) * (times[b + 1]! - times[b]!)
}

function machinePaces(beats: number, beatsPerBar: number, random: Random): number[] {
  const change = random() < 0.12 ? pick(random, ['step', 'ramp'] as const) : 'none'
  const ratio = pick(random, [0.75, 0.85, 0.92, 1.08, 1.18, 1.3])
  const turn = beatsPerBar * Math.round((beats / beatsPerBar) * (0.3 + 0.4 * random()))
  return Array.from({ length: beats }, (_, b) => {
    if (change === 'step') return b < turn ? 1 : ratio
    return change === 'ramp' ? 1 + ((ratio - 1) * b) / beats : 1
  })
}

function bandPaces(beats: number, beatsPerBar: number, random: Random): number[] {
  const wander = pick(random, [0.001, 0.003, 0.006])
  const jitter = pick(random, [0, 0.003, 0.008])
  const ends = random() < 0.1
  let drift = 0
  return Array.from({ length: beats }, (_, b) => {
    drift = 0.97 * drift + wander * gaussian(random)
    const slowing = ends ? Math.max(0, 1 - (beats - b) / (4 * beatsPerBar)) : 0
    return bounded(1 + drift + jitter * gaussian(random) - 0.3 * slowing)
  })
}

function freePaces(beats: number, beatsPerBar: number, random: Random): number[] {
  const freedom = pick(random, [0.3, 0.6, 1, 1.5])
  const phrase = beatsPerBar * pick(random, [2, 4, 4, 8])
  const arc = 0.08 * freedom
  const agogic = 0.03 * freedom * random()
  const ritard = 0.15 * freedom * random()
  const rests = random() < 0.25 ? 0.3 : 0
  let drift = 0
  return Array.from({ length: beats }, (_, b) => {
    drift = 0.6 * drift + 0.025 * freedom * gaussian(random)
    const place = (b % phrase) / phrase
    let pace = 1 + drift + arc * (Math.sin(Math.PI * place) - 0.64)
    if (b % beatsPerBar === 0) pace -= agogic
    if (b % phrase >= phrase - 2) pace -= ritard
    pace = bounded(pace)
    // A fermata: the last beat of a phrase is held for up to twice its length.
    if (b % phrase === phrase - 1 && random() < rests) pace /= 1.3 + 0.7 * random()
    return pace
  })
}

function bounded(pace: number): number {
  return Math.max(SLOWEST, Math.min(FASTEST, pace))
}
