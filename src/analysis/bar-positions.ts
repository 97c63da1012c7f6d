import { METRE } from './rhythm-constants.ts'

/**
 * The phase of bars of `metre` beats that fits all of a track best: the index of the first beat that
 * begins a bar, and the mean log-odds a beat of the places that beats then have.
 *
 * @param odds  beats × metre, row-major: log-odds of each place, in nats
 */
export function bestPhase(
  odds: Float64Array,
  metre: number,
  phases: readonly number[] = Array.from({ length: metre }, (_, phase) => phase),
): { phase: number; fit: number } {
  const beats = odds.length / metre
  let best = { phase: 0, fit: -Infinity }
  for (const phase of phases) {
    let sum = 0
    for (let b = 0; b < beats; b++) sum += odds[b * metre + ((b + metre - phase) % metre)]!
    if (sum / beats > best.fit) best = { phase, fit: sum / beats }
  }
  return best
}

/** For each beat, how far a phase leads over the next best within some bars around, in nats. */
export function phaseLead(odds: Float64Array, metre: number, phase: number): Float64Array {
  const beats = odds.length / metre
  const reach = METRE.certaintyBars * metre
  const shifted = new Float64Array(metre)
  const lead = new Float64Array(beats)
  const add = (b: number, sign: number): void => {
    for (let shift = 0; shift < metre; shift++)
      shifted[shift] =
        shifted[shift]! + sign * odds[b * metre + ((b + metre - phase + shift) % metre)]!
  }
  for (let b = 0; b < Math.min(beats, reach); b++) add(b, 1)
  for (let b = 0; b < beats; b++) {
    if (b + reach < beats) add(b + reach, 1)
    if (b - reach > 0) add(b - reach - 1, -1)
    let rival = -Infinity
    for (let shift = 1; shift < metre; shift++) rival = Math.max(rival, shifted[shift]!)
    lead[b] = shifted[0]! - rival
  }
  return lead
}
