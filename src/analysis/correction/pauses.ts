import type { AnalysisDocument } from '../document.ts'
import { type Interval, pausesBetween } from '../intervals.ts'

/** Seconds by which times of rounded documents differ. */
const SAME = 1e-3

/** A corrected document with the pauses of the one before: where nothing is heard are no beats. */
export function withPausesOf<D extends AnalysisDocument>(before: D, after: D): D {
  const pauses = pausesBetween(before.beats)
  if (pauses.length === 0 || after === before) return after
  const cut = <T extends Interval>(
    list: readonly T[],
    isWhole: (start: number, end: number) => boolean,
  ) =>
    pauses.reduce<T[]>(
      (kept, pause) =>
        kept.flatMap((one) => {
          const end = one.start + one.duration
          if (end <= pause.start + SAME || one.start >= pause.end - SAME) return [one]
          if (one.start >= pause.start - SAME || !isWhole(one.start, pause.start)) return []
          return [{ ...one, duration: pause.start - one.start }]
        }),
      [...list],
    )
  const always = () => true
  const beats = cut(after.beats, always)
  const size = after.track.time_signature
  const bars = cut(after.bars, (start, end) => {
    const inside = beats.filter((beat) => beat.start >= start - SAME && beat.start < end - SAME)
    return inside.length === size
  })
  return { ...after, beats, bars, tatums: cut(after.tatums, always) }
}
