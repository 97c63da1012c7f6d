/**
 * Moods by their angle in the plane of valence (0°) and arousal (90°), in degrees: Russell, "A
 * circumplex model of affect" (1980), figure 2.
 */
const ANGLES = {
  happy: 8,
  excited: 49,
  /** Russell's word is aroused. */
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
  // Terms of `moodsOf` that Russell does not have: the middle of a quadrant, or the end of arousal.
  aggressive: 135,
  mellow: 270,
  peaceful: 315,
} as const

/** A mood that can be a seed. */
export type Mood = keyof typeof ANGLES

/** All moods. */
export const MOODS = Object.keys(ANGLES) as [Mood, ...Mood[]]

/**
 * The distance of a track from a mood, in units of the distance between sounds: tracks whose valence
 * and energy are half the range away are as far as two tracks of assorted music.
 */
export function moodDistance(mood: Mood, valence: number, energy: number): number {
  const angle = (ANGLES[mood] * Math.PI) / 180
  const apart = Math.hypot(valence - (1 + Math.cos(angle)) / 2, energy - (1 + Math.sin(angle)) / 2)
  // What was not heard is neither near nor far.
  return Number.isNaN(apart) ? 10 : 20 * apart
}
