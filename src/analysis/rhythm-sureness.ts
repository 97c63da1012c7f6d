import { type BeatOdds, STATE_SPACE, zoneOf } from './bar-pointer.ts'

/** The least that a frame says of a beat, in nats: a beat may be silent. */
export const LEAST = -4

/** Beats on either side that vouch for a beat, and bars that do for a bar. */
const VOUCHING = { beats: 8, bars: 4 }

/**
 * By how many nats a beat the path's level is likelier than another level of the same music: beats half-way
 * and at thirds added, every other or only every third one kept, or the off-beats in their place.
 *
 * @param frames  of three beats or more
 */
export function levelLead(frames: ArrayLike<number>, heard: BeatOdds): number {
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
function likelihood(beats: readonly number[], gap: number, { beat, down }: BeatOdds): number {
  const zone = zoneOf(gap)
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

/** For each beat the mean odds of those around it. */
export function beatOdds(frames: ArrayLike<number>, heard: BeatOdds): number[] {
  const odds = Array.from(frames, (frame) => oddsAt(frame, heard))
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
