type Growable = Uint16Array | Uint32Array | Float32Array | Float64Array

/** An array with room for `least` elements: the same one, or a copy of at least twice its length. */
export function grown<T extends Growable>(array: T, least = array.length + 1): T {
  if (least <= array.length) return array
  const length = Math.max(least, 2 * array.length)
  const longer = new (array.constructor as new (length: number) => T)(length)
  longer.set(array)
  return longer
}
