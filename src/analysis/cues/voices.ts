/** A stretch in which someone sings or speaks, as `track.sounds()` tells it. */
export interface VoiceStretch {
  /** Seconds from the beginning. */
  start: number
  /** Seconds. */
  duration: number
}

/** The share of the time in which there is a voice. */
export function voicedShare(voices: readonly VoiceStretch[], begin: number, end: number): number {
  if (end <= begin) return 0
  let seconds = 0
  for (const { start, duration } of voices)
    seconds += Math.max(0, Math.min(end, start + duration) - Math.max(begin, start))
  return Math.min(1, seconds / (end - begin))
}
