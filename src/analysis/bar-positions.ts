import { METRE } from './rhythm-constants.ts'

/**
 * The likeliest place of each beat in its bar, by a hidden Markov model that steps from place to
 * place; a bar may be cut short or a beat be too many at a cost that only several bars outweigh.
 *
 * @param odds  beats × metre, row-major: log-odds of each place, in nats
 */
export function barPositions(
  odds: Float64Array,
  metre: number,
): {
  position: Uint8Array
  /** How far each beat's place leads over the next best in the bars around, in nats. */
  lead: Float64Array
} {
  const beats = odds.length / metre
  const from = new Uint8Array(odds.length)
  let best = odds.slice(0, metre)
  for (let b = 1; b < beats; b++) {
    const top = best.indexOf(Math.max(...best))
    const next = new Float64Array(metre)
    for (let place = 0; place < metre; place++) {
      const before = (place + metre - 1) % metre
      const slip = best[top]! - METRE.slipCost
      from[b * metre + place] = slip > best[before]! ? top : before
      next[place] = Math.max(best[before]!, slip) + odds[b * metre + place]!
    }
    best = next
  }
  const position = new Uint8Array(beats)
  let place = best.indexOf(Math.max(...best))
  for (let b = beats - 1; b >= 0; b--) {
    position[b] = place
    place = from[b * metre + place]!
  }
  return { position, lead: leads(odds, metre, position) }
}

/** For each beat, how far its bars' phase leads over the next best within some bars around. */
function leads(odds: Float64Array, metre: number, position: Uint8Array): Float64Array {
  const beats = position.length
  const reach = METRE.certaintyBars * metre
  const shifted = new Float64Array(metre)
  const lead = new Float64Array(beats)
  const add = (b: number, sign: number): void => {
    for (let shift = 0; shift < metre; shift++)
      shifted[shift] = shifted[shift]! + sign * odds[b * metre + ((position[b]! + shift) % metre)]!
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
