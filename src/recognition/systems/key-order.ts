/** Joins a place in a list of codes with a key or a time in one number, for sorting. */
const PLACES = 2 ** 21

/** The places of keys, by ascending key, then time. A recording has less than 2^21 codes. */
export function keysByTime(keys: Uint32Array, times: Uint32Array): Uint32Array {
  const count = keys.length
  if (isSorted(keys, times)) return Uint32Array.from({ length: count }, (_, i) => i)
  const order = new Float64Array(count)
  for (let i = 0; i < count; i++) order[i] = times[i]! * PLACES + i
  const places = Uint32Array.from(order.sort(), (entry) => entry % PLACES)
  for (let rank = 0; rank < count; rank++) order[rank] = keys[places[rank]!]! * PLACES + rank
  return Uint32Array.from(order.sort(), (entry) => places[entry % PLACES]!)
}

/** Whether keys ascend, and the times of each. */
export function isSorted(keys: Uint32Array, times: Uint32Array): boolean {
  for (let i = 1; i < keys.length; i++) {
    const step = keys[i]! - keys[i - 1]!
    if (step < 0 || (step === 0 && times[i]! < times[i - 1]!)) return false
  }
  return true
}
