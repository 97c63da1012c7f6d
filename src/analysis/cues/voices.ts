/** A stretch in which someone sings or speaks, as `track.sounds()` tells it. */
export interface VoiceStretch {
  /** Seconds from the beginning. */
  start: number
  /** Seconds. */
  duration: number
}

/** The share of the time from one moment to another in which there is a voice. */
export function voicedShare(voices: readonly VoiceStretch[], from: number, to: number): number {
  if (to <= from) return 0
  let seconds = 0
  for (const { start, duration } of voices)
    seconds += Math.max(0, Math.min(to, start + duration) - Math.max(from, start))
  return Math.min(1, seconds / (to - from))
}
