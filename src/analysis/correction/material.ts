import type { AnalysisDocument } from '../document.ts'
import type { Interval } from '../intervals.ts'
import type { Segment } from '../segments.ts'

const ONSETS = {
  /** Decibels by which a full onset rises. */
  rise: 12,
  /** Seconds from an onset up to which it supports a moment. */
  reach: 0.05,
}

/** Starts of intervals without gaps, and where the last one ends; empty of none. */
export type Edges = readonly number[]

/** A document, and what of it beats are found and weighed by. */
export interface Material {
  document: AnalysisDocument
  /** Of its beats. */
  edges: Edges
  /** When its notes begin, seconds. */
  onsets: Float64Array
  /** 0…1, of each onset. */
  strengths: Float64Array
}

/** Onsets are where segments start, as strong as these are sure and rise. */
export function materialOf(document: AnalysisDocument): Material {
  const { segments, beats } = document
  const strengthOf = ({ confidence, loudness_start, loudness_max }: Segment) =>
    confidence * Math.min(1, Math.max(0, loudness_max - loudness_start) / ONSETS.rise)
  return {
    document,
    edges: edgesOf(beats),
    onsets: Float64Array.from(segments, ({ start }) => start),
    strengths: Float64Array.from(segments, strengthOf),
  }
}

/** The edges of intervals. */
export function edgesOf(intervals: readonly Interval[]): number[] {
  const last = intervals.at(-1)
  if (!last) return []
  return [...intervals.map(({ start }) => start), last.start + last.duration]
}

/** The index of the first value that is not below `value`, in ascending values. */
export function firstFrom(values: ArrayLike<number>, value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The index of the nearest of ascending values; -1 of none. */
export function nearestTo(values: ArrayLike<number>, value: number): number {
  const after = firstFrom(values, value)
  if (after === values.length) return after - 1
  return after > 0 && value - values[after - 1]! < values[after]! - value ? after - 1 : after
}

/** How far an onset supports a moment, 0…1, less with its distance; and the onset that does so most, or the moment. */
export function supportAt(
  { onsets, strengths }: Material,
  time: number,
  reach = ONSETS.reach,
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
