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
