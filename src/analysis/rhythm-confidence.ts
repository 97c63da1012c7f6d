import { firstFrom } from '../audio/samples.ts'
import { type Activations, observedFrames, STATE_SPACE } from './state-space.ts'
import type { Logit } from './statistics.ts'

/**
 * The share of right results by their nats, fitted to music that the network was not trained on by
 * test/programs/trainers/rhythm-network.ts.
 */
export const RHYTHM_CONFIDENCE = Object.freeze({
  tempo: [-0.6923, 0.9588],
  beat: [0.9921, 1.0577],
  bar: [0.436, 0.2106],
  metre: [0.7218, 0.017],
} as const satisfies Record<string, Logit>)

/** The highest mean odds of beats in noise: where none is surer, no beat is heard. */
export const NOISE = -1.49

/** The lowest odds that a frame gives a beat, in nats: a beat may be silent. */
export const LEAST = -4

/** Beats on either side that count in a beat's confidence, and bars in a bar's. */
const VOUCHING = { beats: 8, bars: 4 }

/**
 * The nats per beat by which the path's metrical level is likelier than the best other: with beats
 * added half-way or at thirds, with every second or third beat only, or with the off-beats.
 *
 * @param frames  of three beats or more
 */
export function levelLead(frames: ArrayLike<number>, heard: Activations): number {
  const own = Array.from(frames)
  const at = (part: number) => own.slice(1).map((frame, i) => frame + part * (own[i]! - frame))
  const every = (step: number) =>
    Array.from({ length: step }, (_, from) => own.filter((_, i) => i % step === from))
  const others: [beats: number[], ratio: number][] = [
    [at(1 / 2), 1],
    [[...own, ...at(1 / 2)], 1 / 2],
    [[...own, ...at(1 / 3), ...at(2 / 3)], 1 / 3],
    ...every(2).map((beats): [number[], number] => [beats, 2]),
    ...every(3).map((beats): [number[], number] => [beats, 3]),
  ]
  const gap = meanGap(frames)
  const rivals = others.map(([beats, ratio]) => likelihood(beats, ratio * gap, heard))
  return (likelihood(own, gap, heard) - Math.max(...rivals)) / own.length
}

/** Log likelihood ratio of beats against none, in the state space. */
function likelihood(beats: readonly number[], gap: number, { beat, down }: Activations): number {
  const zone = observedFrames(gap)
  let sum = beats.length * zone * Math.log(STATE_SPACE.parts - 1)
  for (const middle of beats) {
    const first = Math.round(middle - (zone >> 1))
    for (let frame = first; frame < first + zone; frame++)
      sum += Math.max(beat[frame] ?? LEAST, down[frame] ?? LEAST)
  }
  return sum
}

const SOUNDING = {
  /** Every so many beats may be those that sound. */
  steps: [2, 3],
  /** Seconds from a beat to its onset, as evaluations of beat trackers (MIREX) have it. */
  near: 0.07,
  /** Where fewer beats of one place than this share have an onset, nothing marks them. */
  fewest: 0.1,
}

/**
 * The share of the places in every two or three beats at which something ever begins to sound: 1/2 where
 * all that is heard is every second beat, so that half the tempo is as likely.
 *
 * @param beats  starts, seconds
 * @param onsets  seconds, ascending
 */
export function markedShare(beats: readonly number[], onsets: readonly number[]): number {
  const times = Float64Array.from(onsets)
  const isMarked = beats.map(
    (beat) => (times[firstFrom(times, beat - SOUNDING.near)] ?? Infinity) <= beat + SOUNDING.near,
  )
  const shares = SOUNDING.steps.map((step) => {
    const marked = Array.from({ length: step }, (_, place) => {
      const own = isMarked.filter((_, i) => i % step === place)
      return own.filter(Boolean).length >= SOUNDING.fewest * own.length
    })
    return marked.filter(Boolean).length / step
  })
  return Math.min(...shares)
}

/** The mean distance of beats, in frames. */
export function meanGap(frames: ArrayLike<number>): number {
  return (frames[frames.length - 1]! - frames[0]!) / (frames.length - 1)
}

/** For each beat, the mean odds of the beats around it. */
export function beatOdds(frames: ArrayLike<number>, heard: Activations): number[] {
  const odds = Array.from(frames, (frame) => beatOddsAt(frame, heard))
  const { beats: reach } = VOUCHING
  return odds.map((_, i) => meanOf(odds.slice(Math.max(0, i - reach), i + reach + 1)))
}

/** The odds of a beat of either kind. */
export function beatOddsAt(frame: number, { beat, down }: Activations): number {
  return Math.max(beat[frame] ?? LEAST, down[frame] ?? LEAST)
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

/**
 * For each beat, the cube root of the nats by which the phase of the bars around it leads over the next best.
 *
 * @param gains  of each beat, the nats by which it is likelier a downbeat than another beat
 * @param first  the place in its bar of the first beat
 */
export function phaseLeads(gains: Float64Array, first: number, metre: number): Float64Array {
  const reach = VOUCHING.bars * metre
  return gains.map((_, i) => {
    const sums = new Float64Array(metre)
    for (let b = Math.max(0, i - reach); b <= Math.min(gains.length - 1, i + reach); b++)
      sums[(first + b) % metre]! += gains[b]!
    return Math.cbrt(sums[0]! - Math.max(...sums.subarray(1)))
  })
}
