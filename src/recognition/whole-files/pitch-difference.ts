import type { AnalysisDocument } from '../../analysis/document.ts'
import { cosineDistance } from '../../analysis/statistics.ts'

export type Segments = AnalysisDocument['segments']

const MOMENT_STEP = 0.25
const MAX_MOMENTS = 2_000
/** dB; quieter moments are silence. */
const SILENCE_LEVEL = -45
/** Shifts that compare different moments of one file. */
const SHIFT_SECONDS = [5.3, 11.7, 23.9]

/** Where two files sound together, seconds. */
export interface SharedTime {
  /** Where it begins in the first file. */
  readonly from: number
  readonly length: number
  readonly offset: number
}

/** How much pitches differ, relative to those of different moments: 0 is not at all, 1 as much. */
export function* comparePitches(
  a: Segments,
  b: Segments,
  together: SharedTime,
): Generator<void, number> {
  const difference = pitchDifference(a, b, together, 0)
  let chanceDifference = 0
  for (const shift of SHIFT_SECONDS) {
    yield
    chanceDifference +=
      pitchDifference(a, b, together, shift % together.length) / SHIFT_SECONDS.length
  }
  return difference / Math.max(chanceDifference, 1e-9)
}

function pitchDifference(
  a: Segments,
  b: Segments,
  { from: start, length, offset }: SharedTime,
  shift: number,
): number {
  const step = Math.max(MOMENT_STEP, length / MAX_MOMENTS)
  let sum = 0
  let count = 0
  let i = 0
  let j = 0
  for (let t = step / 2; t < length; t += step) {
    i = segmentAt(a, start + t, i)
    j = segmentAt(b, start + offset + ((t + shift) % length), j)
    const segment = a[i]
    const otherSegment = b[j]
    if (!segment || !otherSegment) continue
    if (segment.loudness_max < SILENCE_LEVEL && otherSegment.loudness_max < SILENCE_LEVEL) continue
    sum += cosineDistance(segment.pitches, otherSegment.pitches)
    count++
  }
  return sum / Math.max(count, 1)
}

function segmentAt(segments: Segments, time: number, near: number): number {
  let index = (segments[near]?.start ?? 0) <= time ? near : 0
  while (index + 1 < segments.length && segments[index + 1]!.start <= time) index++
  return index
}
