import { firstFrom } from '../audio/samples.ts'
import { type Activations, observedFrames, STATE_SPACE } from './state-space.ts'
import type { Logit } from './statistics.ts'

/**
 * Fitted by test/programs/trainers/rhythm-network.ts to music that the network was not trained on.
 */
export const RHYTHM_CONFIDENCE = Object.freeze({
  tempo: [-0.6923, 0.9588],
  beat: [0.9921, 1.0577],
  bar: [0.436, 0.2106],
  metre: [0.7218, 0.017],
} as const satisfies Record<string, Logit>)

/** The highest mean odds of beats in noise: where none is surer, no beat is heard. */
export const NOISE_ODDS = -1.49

/** In nats; not lower, because a beat may be silent. */
export const LEAST_ODDS = -4

/** Reach on either side of a beat's confidence, and of a bar's. */
const VOUCHING = { beats: 8, bars: 4 }

/**
 * The nats per beat by which the metrical level leads over half, double and off-beat ones.
 *
 * @param frames - of three beats or more
 */
export function levelLead(frames: ArrayLike<number>, activations: Activations): number {
  const pathBeats = Array.from(frames)
  const beatsBetween = (share: number) =>
    pathBeats.slice(1).map((frame, i) => frame + share * (pathBeats[i]! - frame))
  const everyNth = (step: number) =>
    Array.from({ length: step }, (_, offset) => pathBeats.filter((_, i) => i % step === offset))
  const others: [beats: number[], ratio: number][] = [
    [beatsBetween(1 / 2), 1],
    [[...pathBeats, ...beatsBetween(1 / 2)], 1 / 2],
    [[...pathBeats, ...beatsBetween(1 / 3), ...beatsBetween(2 / 3)], 1 / 3],
    ...everyNth(2).map((beats): [number[], number] => [beats, 2]),
    ...everyNth(3).map((beats): [number[], number] => [beats, 3]),
  ]
  const gap = meanGap(frames)
  const rivals = others.map(([beats, ratio]) => beatLikelihood(beats, ratio * gap, activations))
  return (beatLikelihood(pathBeats, gap, activations) - Math.max(...rivals)) / pathBeats.length
}

/** Log likelihood ratio of beats against none, in the state space. */
function beatLikelihood(
  beats: readonly number[],
  gap: number,
  { beat, down }: Activations,
): number {
  const zone = observedFrames(gap)
  let sum = beats.length * zone * Math.log(STATE_SPACE.parts - 1)
  for (const middle of beats) {
    const first = Math.round(middle - (zone >> 1))
    for (let frame = first; frame < first + zone; frame++)
      sum += Math.max(beat[frame] ?? LEAST_ODDS, down[frame] ?? LEAST_ODDS)
  }
  return sum
}

const MARKED_BEATS = {
  /** Every so many beats may be those that sound. */
  steps: [2, 3],
  /** Seconds from a beat to its onset, as in evaluations of beat trackers (MIREX). */
  near: 0.07,
  /** Share of the beats of one place whose onsets mark it. */
  fewest: 0.1,
}

/**
 * 1/2 where only every second beat ever sounds, so that half the tempo is as likely.
 *
 * @param beats - starts, seconds
 * @param onsets - seconds, ascending
 */
export function markedShare(beats: readonly number[], onsets: readonly number[]): number {
  const times = Float64Array.from(onsets)
  const isMarked = beats.map(
    (beat) =>
      (times[firstFrom(times, beat - MARKED_BEATS.near)] ?? Infinity) <= beat + MARKED_BEATS.near,
  )
  const shares = MARKED_BEATS.steps.map((step) => {
    const markedPlaces = Array.from({ length: step }, (_, place) => {
      const placeMarks = isMarked.filter((_, i) => i % step === place)
      return placeMarks.filter(Boolean).length >= MARKED_BEATS.fewest * placeMarks.length
    })
    return markedPlaces.filter(Boolean).length / step
  })
  return Math.min(...shares)
}

export function meanGap(frames: ArrayLike<number>): number {
  return (frames[frames.length - 1]! - frames[0]!) / (frames.length - 1)
}

export function beatOdds(frames: ArrayLike<number>, activations: Activations): number[] {
  const odds = Array.from(frames, (frame) => beatOddsAt(frame, activations))
  const { beats: reach } = VOUCHING
  return odds.map((_, i) => meanValue(odds.slice(Math.max(0, i - reach), i + reach + 1)))
}

export function beatOddsAt(frame: number, { beat, down }: Activations): number {
  return Math.max(beat[frame] ?? LEAST_ODDS, down[frame] ?? LEAST_ODDS)
}

export function meanValue(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

/**
 * The cube root of the nats by which the bars' phase leads around each beat.
 *
 * @param gains - nats by which each beat is likelier a downbeat
 * @param first - the place of the first beat in its bar
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
