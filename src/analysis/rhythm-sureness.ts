import type { BeatOdds } from './bar-pointer.ts'

/** The least that a frame says of a beat, in nats: a beat may be silent. */
export const LEAST = -4

/** Beats on either side that vouch for a beat, and bars that do for a bar. */
const VOUCHING = { beats: 8, bars: 4 }

/** For each beat the mean odds of those around it. */
export function beatOdds(frames: readonly number[], heard: BeatOdds): number[] {
  const odds = frames.map((frame) => oddsAt(frame, heard))
  const { beats: reach } = VOUCHING
  return odds.map((_, i) => meanOf(odds.slice(Math.max(0, i - reach), i + reach + 1)))
}

/** The odds of a beat of either kind. */
function oddsAt(frame: number, { beat, down }: BeatOdds): number {
  return Math.max(beat[frame] ?? LEAST, down[frame] ?? LEAST)
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

/**
 * For each beat, how far the phase of the bars leads over the next best in the bars around, in nats.
 *
 * @param gains  of each beat, the nats by which it is likelier a downbeat than another one
 */
export function phaseLeads(
  gains: Float64Array,
  { metre, phase }: { metre: number; phase: number },
): Float64Array {
  const reach = VOUCHING.bars * metre
  const leads = new Float64Array(gains.length)
  const sums = new Float64Array(metre)
  const add = (i: number, sign: number): void => {
    const place = (((i - phase) % metre) + metre) % metre
    sums[place] = sums[place]! + sign * gains[i]!
  }
  for (let i = 0; i < Math.min(gains.length, reach); i++) add(i, 1)
  for (let i = 0; i < gains.length; i++) {
    if (i + reach < gains.length) add(i + reach, 1)
    if (i - reach > 0) add(i - reach - 1, -1)
    leads[i] = sums[0]! - Math.max(...sums.subarray(1))
  }
  return leads
}
