import type { AnalysisDocument } from '../../analysis/document.ts'
import { cosineDistance } from '../../analysis/statistics.ts'

export type Segments = AnalysisDocument['segments']

/** Seconds between the moments at which pitches are compared, and how many there are at most. */
const STEP = 0.25
const MOST_MOMENTS = 2_000
/** Moments quieter than this are silence, dB. */
const SILENCE = -45
/** Seconds by which one file is shifted to compare other moments. */
const SHIFTS = [5.3, 11.7, 23.9]

/** Where two files sound together, seconds. */
export interface Together {
  /** Where it begins in the first file. */
  readonly from: number
  readonly length: number
  /** How much later it begins in the second file. */
  readonly offset: number
}

/**
 * How much the pitches of two files differ moment by moment, as a share of how much those of different
 * moments do: 0 is not at all, 1 as much as other moments. In steps of a few milliseconds.
 */
export function* comparingPitches(
  a: Segments,
  b: Segments,
  together: Together,
): Generator<void, number> {
  const own = apartAt(a, b, together, 0)
  let other = 0
  for (const shift of SHIFTS) {
    yield
    other += apartAt(a, b, together, shift % together.length) / SHIFTS.length
  }
  return own / Math.max(other, 1e-9)
}

/** The mean difference of the pitches, 1 minus the cosine, with the second file rotated by a shift. */
function apartAt(
  a: Segments,
  b: Segments,
  { from, length, offset }: Together,
  shift: number,
): number {
  const step = Math.max(STEP, length / MOST_MOMENTS)
  let apart = 0
  let count = 0
  let i = 0
  let j = 0
  for (let t = step / 2; t < length; t += step) {
    i = segmentAt(a, from + t, i)
    j = segmentAt(b, from + offset + ((t + shift) % length), j)
    const one = a[i]
    const other = b[j]
    if (!one || !other) continue
    if (one.loudness_max < SILENCE && other.loudness_max < SILENCE) continue
    apart += cosineDistance(one.pitches, other.pitches)
    count++
  }
  return apart / Math.max(count, 1)
}

/** The index of the segment at a time, searched from another one on. */
function segmentAt(segments: Segments, time: number, near: number): number {
  let at = (segments[near]?.start ?? 0) <= time ? near : 0
  while (at + 1 < segments.length && segments[at + 1]!.start <= time) at++
  return at
}
