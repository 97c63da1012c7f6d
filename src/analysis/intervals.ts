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
 * Multiples of 2⁻²⁰ s add without rounding, so that `start + duration` is the next start to the
 * last digit.
 */
export function exactTime(seconds: number): number {
  return Math.round(seconds * 2 ** 20) / 2 ** 20
}

export function exactTimeBefore(seconds: number): number {
  return Math.floor(seconds * 2 ** 20) / 2 ** 20
}

/**
 * Moves intervals, in place, from an axis that begins `lead` seconds before the track; `lead` must
 * be exact.
 */
export function shiftToTrack<T extends Interval>(intervals: T[], lead: number): T[] {
  for (const interval of intervals) {
    const end = interval.start + interval.duration - lead
    interval.start = Math.max(0, interval.start - lead)
    interval.duration = end - interval.start
  }
  return intervals
}

/** The times must be exact. */
export function intervalsBetween(
  times: ArrayLike<number>,
  confidence: (i: number) => number,
): Interval[] {
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
const PAUSE_TOLERANCE = 0.01

/** The gaps of intervals that have no others. */
export function pausesBetween(intervals: readonly Interval[]): { start: number; end: number }[] {
  return intervals.slice(1).flatMap(({ start }, i) => {
    const end = intervals[i]!.start + intervals[i]!.duration
    return start > end + PAUSE_TOLERANCE ? [{ start: end, end: start }] : []
  })
}

/** Pauses get even intervals about as long as the one before. */
export function withFilledPauses(intervals: readonly Interval[]): Interval[] {
  return intervals.flatMap((interval, i) => {
    const { start, duration } = interval
    const end = start + duration
    const next = intervals[i + 1]?.start ?? end
    if (next <= end + PAUSE_TOLERANCE) return [interval]
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
