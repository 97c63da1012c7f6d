import { firstFrom } from '../../audio/samples.ts'
import type { AnalysisDocument } from '../document.ts'
import type { Interval } from '../intervals.ts'
import type { Segment } from '../segments.ts'

const ONSET_SUPPORT = {
  /** dB by which a full onset rises. */
  rise: 12,
  /** Seconds from an onset within which it supports a moment. */
  reach: 0.05,
}

/** Starts of gap-free intervals, and the end of the last; empty without intervals. */
export type Edges = readonly number[]

/** A document, and the features by which beats are found. */
export interface Material {
  document: AnalysisDocument
  edges: Edges
  /** Starts of notes, seconds. */
  onsets: Float64Array
  /** Of each onset, 0…1. */
  strengths: Float64Array
}

/** Onsets are the starts of segments; the strength is the confidence times the rise in level. */
export function materialOf(document: AnalysisDocument): Material {
  const { segments, beats } = document
  const strengthOf = ({ confidence, loudness_start, loudness_max }: Segment) =>
    confidence * Math.min(1, Math.max(0, loudness_max - loudness_start) / ONSET_SUPPORT.rise)
  return {
    document,
    edges: edgesOf(beats),
    onsets: Float64Array.from(segments, ({ start }) => start),
    strengths: Float64Array.from(segments, strengthOf),
  }
}

export function edgesOf(intervals: readonly Interval[]): number[] {
  const last = intervals.at(-1)
  if (!last) return []
  return [...intervals.map(({ start }) => start), last.start + last.duration]
}

/** The index of the nearest of ascending values; -1 if there are none. */
export function nearestTo(values: ArrayLike<number>, value: number): number {
  const after = firstFrom(values, value)
  if (after === values.length) return after - 1
  return after > 0 && value - values[after - 1]! < values[after]! - value ? after - 1 : after
}

/** The support by the best onset near a moment, 0…1, and that onset, or the moment. */
export function supportAt(
  { onsets, strengths }: Material,
  time: number,
  reach = ONSET_SUPPORT.reach,
): { support: number; at: number } {
  let best = { support: 0, at: time }
  for (let i = firstFrom(onsets, time - reach); i < onsets.length; i++) {
    const off = (onsets[i]! - time) / reach
    if (off > 1) break
    const support = strengths[i]! * (1 - off * off)
    if (support > best.support) best = { support, at: onsets[i]! }
  }
  return best
}
