type Growable = Uint16Array | Uint32Array | Float32Array | Float64Array

/** A copy of an array with room for more, twice as long unless told otherwise; the new part is 0. */
export function grown<T extends Growable>(array: T, length = 2 * array.length): T {
  const longer = new (array.constructor as new (length: number) => T)(length)
  longer.set(array)
  return longer
}
