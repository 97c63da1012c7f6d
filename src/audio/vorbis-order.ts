/**
 * For 3…8 channels, which of Vorbis' positions (Vorbis I, 4.3.9; RFC 7845, 5.1.1.2) each channel of
 * WAV's order is. With fewer channels, and with 4, the two orders are the same.
 */
export const WAV_ORDER: Readonly<Record<number, readonly number[]>> = {
  3: [0, 2, 1],
  5: [0, 2, 1, 3, 4],
  6: [0, 2, 1, 5, 3, 4],
  7: [0, 2, 1, 6, 5, 3, 4],
  8: [0, 2, 1, 7, 5, 6, 3, 4],
}
