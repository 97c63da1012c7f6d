import { type Activations, observedFrames, STATE_SPACE } from './state-space.ts'
import type { CalibrationTable } from './statistics.ts'

/**
 * Calibration of certainties: the share of right results on generated music of families outside the
 * network's training set, by test/programs/trainers/rhythm-network.ts.
 */
export const RHYTHM_CONFIDENCE = Object.freeze({
  tempo: [
    [0, 0.05],
    [1.93, 0.74],
    [2.63, 0.84],
    [2.95, 0.84],
    [3.33, 0.95],
    [3.55, 0.99],
    [3.82, 0.99],
    [4.25, 0.99],
  ],
  beat: [
    [-0.58, 0.05],
    [-0.23, 0.77],
    [0.63, 0.82],
    [1.06, 0.9],
    [1.36, 0.96],
    [1.6, 0.97],
    [1.85, 0.97],
    [2.22, 0.97],
    [3.49, 0.97],
    [8, 0.98],
  ],
  bar: [
    [-20, 0.1],
    [-4.35, 0.34],
    [25.98, 0.57],
    [57.44, 0.73],
    [97.74, 0.77],
    [138.51, 0.77],
    [176, 0.82],
    [213.73, 0.88],
    [271.81, 0.98],
  ],
  metre: [
    [-1, 0.2],
    [19.57, 0.59],
    [59.62, 0.96],
    [99.31, 0.99],
    [134.16, 0.99],
    [188.69, 0.99],
    [240.24, 0.99],
    [326.44, 0.99],
    [480.2, 0.99],
  ],
} as const satisfies Record<string, CalibrationTable>)

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

/** The mean distance of beats, in frames. */
export function meanGap(frames: ArrayLike<number>): number {
  return (frames[frames.length - 1]! - frames[0]!) / (frames.length - 1)
}

/** For each beat, the mean odds of the beats around it. */
export function beatOdds(frames: ArrayLike<number>, heard: Activations): number[] {
  const odds = Array.from(frames, (frame) => oddsAt(frame, heard))
  const { beats: reach } = VOUCHING
  return odds.map((_, i) => meanOf(odds.slice(Math.max(0, i - reach), i + reach + 1)))
}

/** The odds of a beat of either kind. */
function oddsAt(frame: number, { beat, down }: Activations): number {
  return Math.max(beat[frame] ?? LEAST, down[frame] ?? LEAST)
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

/**
 * For each beat, how far the phase of the surrounding bars leads over the next best, in nats.
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
    return sums[0]! - Math.max(...sums.subarray(1))
  })
}
