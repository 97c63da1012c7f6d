import type { AnalysisDocument } from '../document.ts'
import { type Interval, pausesBetween } from '../intervals.ts'

/** Seconds by which times of rounded documents differ. */
const SAME_MOMENT = 1e-3

/** A corrected document with the pauses of the original: where nothing is heard are no beats. */
export function withPausesOf<D extends AnalysisDocument>(original: D, corrected: D): D {
  const pauses = pausesBetween(original.beats)
  if (pauses.length === 0 || corrected === original) return corrected
  const cutPauses = <T extends Interval>(
    list: readonly T[],
    isWhole: (start: number, end: number) => boolean,
  ) =>
    pauses.reduce<T[]>(
      (remaining, pause) =>
        remaining.flatMap((interval) => {
          const end = interval.start + interval.duration
          if (end <= pause.start + SAME_MOMENT || interval.start >= pause.end - SAME_MOMENT)
            return [interval]
          if (interval.start >= pause.start - SAME_MOMENT || !isWhole(interval.start, pause.start))
            return []
          return [{ ...interval, duration: pause.start - interval.start }]
        }),
      [...list],
    )
  const keepAlways = () => true
  const beats = cutPauses(corrected.beats, keepAlways)
  const size = corrected.track.time_signature
  const bars = cutPauses(corrected.bars, (start, end) => {
    const inside = beats.filter(
      (beat) => beat.start >= start - SAME_MOMENT && beat.start < end - SAME_MOMENT,
    )
    return inside.length === size
  })
  return { ...corrected, beats, bars, tatums: cutPauses(corrected.tatums, keepAlways) }
}
