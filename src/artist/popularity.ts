/**
 * How well an artist or song is known, and how popular it is now, by plays in catalogs (The Echo
 * Nest).
 *
 * - familiarity = log(1 + n) / log(1 + N): n listeners, N the most of any
 * - hotttnesss = log(1 + h) / log(1 + H): h plays, halved after each {@link HALF_LIFE_DAYS}
 *
 * A catalog counts as one listener; of a single catalog, items and plays count instead.
 * Both are 0…1, relative to these catalogs, and give way to imported values.
 */

export const HALF_LIFE_DAYS = 60

const DAY_MILLISECONDS = 24 * 3600 * 1000

/** Plays that had the value `heat` at `at`, both times in milliseconds since 1970. */
export function decayHeat(heat: number, at: number, now: number): number {
  return heat === 0 ? 0 : heat * 2 ** (-Math.max(now - at, 0) / (HALF_LIFE_DAYS * DAY_MILLISECONDS))
}

const HALF_WEIGHT_LISTENERS = 50

/** Few listeners count little, so that one person's taste is no fame: n / (n + 50). */
export function shrinkPopularity(value: number, listeners: number): number {
  return (value * listeners) / (listeners + HALF_WEIGHT_LISTENERS)
}

/** On a logarithmic scale, 0…1. */
export function scalePopularity(count: number, maximum: number): number {
  return maximum <= 0 ? 0 : Math.log1p(Math.max(count, 0)) / Math.log1p(maximum)
}
