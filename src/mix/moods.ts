/**
 * Moods by their angle in the plane of valence (0°) and arousal (90°), in degrees: Russell, "A
 * circumplex model of affect" (1980), figure 2.
 */
const MOOD_ANGLES = {
  happy: 8,
  excited: 49,
  energetic: 74,
  tense: 93,
  angry: 99,
  miserable: 189,
  sad: 208,
  gloomy: 209,
  bored: 242,
  tired: 268,
  calm: 316,
  relaxed: 318,
  content: 323,
  serene: 329,
  // Not Russell's: the middle of a quadrant, or the end of arousal.
  aggressive: 135,
  mellow: 270,
  peaceful: 315,
} as const

export type Mood = keyof typeof MOOD_ANGLES

export const MOODS = Object.keys(MOOD_ANGLES) as [Mood, ...Mood[]]

/**
 * In units of the distance between sounds: half the range away is as far as two tracks of assorted
 * music.
 */
export function moodDistance(mood: Mood, valence: number, energy: number): number {
  const angle = (MOOD_ANGLES[mood] * Math.PI) / 180
  const apart = Math.hypot(valence - (1 + Math.cos(angle)) / 2, energy - (1 + Math.sin(angle)) / 2)
  // What was not heard is neither near nor far.
  return Number.isNaN(apart) ? 10 : 20 * apart
}
