/** Places in a list of codes, which are sorted in one number with a key or a time. */
const PLACES = 2 ** 21

/** The places of keys, by ascending key, then time. A recording has less than 2^21 codes. */
export function keysByTime(
  keys: Uint32Array,
  times: Uint32Array,
  count = keys.length,
): Uint32Array {
  const order = new Float64Array(count)
  for (let i = 0; i < count; i++) order[i] = times[i]! * PLACES + i
  const places = Uint32Array.from(order.sort(), (entry) => entry % PLACES)
  for (let rank = 0; rank < count; rank++) order[rank] = keys[places[rank]!]! * PLACES + rank
  return Uint32Array.from(order.sort(), (entry) => places[entry % PLACES]!)
}
