type Growable = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array

/** The same array, or a copy of at least twice its length. */
export function grown<T extends Growable>(array: T, least = array.length + 1): T {
  if (least <= array.length) return array
  const length = Math.max(least, 2 * array.length)
  const longer = new (array.constructor as new (length: number) => T)(length)
  longer.set(array)
  return longer
}

/** The index of the first value that is not below `value`, in ascending values. */
export function firstFrom(values: ArrayLike<number>, value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** −0.5…0.5 from the middle value; 0 where the parabola has no top. */
export function parabolaTop(before: number, middle: number, after: number): number {
  const bend = before - 2 * middle + after
  if (bend >= 0) return 0
  return Math.max(-0.5, Math.min(0.5, (0.5 * (before - after)) / bend))
}

/** By number of channels: for each channel of WAVE's order, its index in the format's order. */
type ChannelOrder = Readonly<Record<number, readonly number[]>>

/** Vorbis I, 4.3.9; RFC 7845, 5.1.1.2. */
export const VORBIS_ORDER: ChannelOrder = {
  3: [0, 2, 1],
  5: [0, 2, 1, 3, 4],
  6: [0, 2, 1, 5, 3, 4],
  7: [0, 2, 1, 6, 5, 3, 4],
  8: [0, 2, 1, 7, 5, 6, 3, 4],
}

/** ALAC begins with the centre and ends with the bass (ALACAudioTypes.h, channel layout tags). */
export const ALAC_ORDER: ChannelOrder = {
  3: [1, 2, 0],
  4: [1, 2, 0, 3],
  5: [1, 2, 0, 3, 4],
  6: [1, 2, 0, 5, 3, 4],
  7: [1, 2, 0, 6, 3, 4, 5],
  8: [3, 4, 0, 7, 5, 6, 1, 2],
}

/** Channels in WAVE's order, which every decoder must give. */
export function inWaveOrder<T>(channels: readonly T[], order: ChannelOrder): T[] {
  const positions = order[channels.length]?.map((position) => channels[position])
  return positions?.filter((channel) => channel !== undefined) ?? [...channels]
}
