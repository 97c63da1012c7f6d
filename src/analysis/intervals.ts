/** A stretch of time in seconds; `confidence` is 0…1. */
export interface Interval {
  /** Seconds from the beginning. */
  start: number
  /** Seconds. */
  duration: number
  /** How sure it is, 0…1. */
  confidence: number
}

/**
 * Times are multiples of 2⁻²⁰ s (about 1 µs). Such numbers add and subtract without rounding, so
 * that `start + duration` is the next start to the last digit, at any length of music.
 */
export function exactTime(seconds: number): number {
  return Math.round(seconds * 2 ** 20) / 2 ** 20
}

/** The last exact time that is not after `seconds`. */
export function exactTimeBefore(seconds: number): number {
  return Math.floor(seconds * 2 ** 20) / 2 ** 20
}

/**
 * Moves intervals, in place, from a time axis that begins `lead` seconds before the track to the track's
 * axis, and cuts them at its beginning. `lead` must be exact.
 */
export function fromBeginning<T extends Interval>(intervals: T[], lead: number): T[] {
  for (const interval of intervals) {
    const end = interval.start + interval.duration - lead
    interval.start = Math.max(0, interval.start - lead)
    interval.duration = end - interval.start
  }
  return intervals
}

/** The intervals between successive times, each with a confidence. The times must be exact. */
export function between(times: ArrayLike<number>, confidence: (i: number) => number): Interval[] {
  const intervals: Interval[] = []
  for (let i = 0; i + 1 < times.length; i++)
    intervals.push({
      start: times[i]!,
      duration: times[i + 1]! - times[i]!,
      confidence: Math.min(1, Math.max(0, confidence(i))),
    })
  return intervals
}

/** Seconds by which intervals of rounded documents may lie apart without a pause. */
const SAME = 0.01

/** The pauses between intervals that have no gap but for these. */
export function pausesBetween(intervals: readonly Interval[]): { start: number; end: number }[] {
  return intervals.slice(1).flatMap(({ start }, i) => {
    const end = intervals[i]!.start + intervals[i]!.duration
    return start > end + SAME ? [{ start: end, end: start }] : []
  })
}

/** The intervals, with even ones about as long as the one before in the pauses between them. */
export function withFilledPauses(intervals: readonly Interval[]): Interval[] {
  return intervals.flatMap((interval, i) => {
    const { start, duration } = interval
    const end = start + duration
    const next = intervals[i + 1]?.start ?? end
    if (next <= end + SAME) return [interval]
    const count = Math.max(1, Math.round((next - end) / duration))
    const step = (next - end) / count
    const filled = Array.from({ length: count }, (_, n) => ({
      start: end + n * step,
      duration: step,
      confidence: 0,
    }))
    return [interval, ...filled]
  })
}
