type Growable = Uint16Array | Uint32Array | Float32Array | Float64Array

/** An array with room for `least` elements: the same one, or a copy of at least twice its length. */
export function grown<T extends Growable>(array: T, least = array.length + 1): T {
  if (least <= array.length) return array
  const length = Math.max(least, 2 * array.length)
  const longer = new (array.constructor as new (length: number) => T)(length)
  longer.set(array)
  return longer
}

/**
 * Where the parabola through three neighbouring values has its top, −0.5…0.5 from the middle one; 0
 * where it has none.
 */
export function parabolaTop(before: number, middle: number, after: number): number {
  const bend = before - 2 * middle + after
  if (bend >= 0) return 0
  return Math.max(-0.5, Math.min(0.5, (0.5 * (before - after)) / bend))
}

/** 120 dB over full scale; a larger value is no sound. */
const MOST = 1e6

/**
 * Writes the mean of all channels to `mono`.
 *
 * @param channels - `length` samples or more each
 * @returns false when a value is no sound: not finite, or larger than {@link MOST}
 */
export function mixToMono(
  channels: readonly Float32Array[],
  length: number,
  mono: Float32Array,
): boolean {
  const [left, right] = channels
  if (channels.length === 2) {
    for (let i = 0; i < length; i++) mono[i] = 0.5 * (left![i]! + right![i]!)
  } else {
    mono.set(left!.length === length ? left! : left!.subarray(0, length))
    for (const samples of channels.slice(1))
      for (let i = 0; i < length; i++) mono[i] = mono[i]! + samples[i]!
    if (channels.length > 1) for (let i = 0; i < length; i++) mono[i] = mono[i]! / channels.length
  }
  for (let i = 0; i < length; i++) if (!(Math.abs(mono[i]!) <= MOST)) return false
  return true
}

/** The sample, limited to {@link MOST}; 0 for NaN and infinities. */
export function soundOf(sample: number): number {
  return Number.isFinite(sample) ? Math.max(-MOST, Math.min(MOST, sample)) : 0
}

/** By number of channels, which of a format's channels each channel of WAVE's order is. */
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

/** Channels in WAVE's order, which every decoder has to give. */
export function inWaveOrder<T>(channels: readonly T[], order: ChannelOrder): T[] {
  const positions = order[channels.length]?.map((position) => channels[position])
  return positions?.filter((channel) => channel !== undefined) ?? [...channels]
}
