/** Joins a place with a key or a time in one number, for sorting. */
const CODE_PLACES = 2 ** 21

/** The places of keys, by ascending key, then time; a recording has fewer than 2^21 codes. */
export function orderByKey(keys: Uint32Array, times: Uint32Array): Uint32Array {
  const count = keys.length
  if (isKeyOrdered(keys, times)) return Uint32Array.from({ length: count }, (_, i) => i)
  const order = new Float64Array(count)
  for (let i = 0; i < count; i++) order[i] = times[i]! * CODE_PLACES + i
  const places = Uint32Array.from(order.sort(), (entry) => entry % CODE_PLACES)
  for (let rank = 0; rank < count; rank++) order[rank] = keys[places[rank]!]! * CODE_PLACES + rank
  return Uint32Array.from(order.sort(), (entry) => places[entry % CODE_PLACES]!)
}

/** Whether keys ascend, and the times of each. */
export function isKeyOrdered(keys: Uint32Array, times: Uint32Array): boolean {
  for (let i = 1; i < keys.length; i++) {
    const step = keys[i]! - keys[i - 1]!
    if (step < 0 || (step === 0 && times[i]! < times[i - 1]!)) return false
  }
  return true
}
