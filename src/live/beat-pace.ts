/** Beats whose tempo is told, and how much an interval may differ from the length of beats now. */
const PACE = { beats: 9, tolerance: 0.15 }

/**
 * The tempo of the last beats that are as far apart as beats now.
 *
 * @param times - of beats, ascending, in seconds; one or more
 * @param gap - the length of beats now, in seconds
 * @returns BPM, and of how many of the last times
 */
export function paceOf(times: readonly number[], gap: number): { tempo: number; counted: number } {
  let counted = 1
  while (counted < Math.min(PACE.beats, times.length)) {
    const later = times.length - counted
    const interval = times[later]! - times[later - 1]!
    if (Math.abs(interval / gap - 1) > PACE.tolerance) break
    counted++
  }
  const span = times.at(-1)! - times[times.length - counted]!
  return { tempo: 60 / (counted > 1 ? span / (counted - 1) : gap), counted }
}
