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
