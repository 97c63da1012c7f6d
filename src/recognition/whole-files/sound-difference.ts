import type { AnalysisDocument } from '../../analysis/document.ts'

/** How a file sounds, moment by moment. */
export type Segments = AnalysisDocument['segments']

/** Seconds between the moments at which sounds are compared, and how many there are at most. */
const STEP = 0.25
const MOST_MOMENTS = 2_000
/** Moments quieter than this are silence, dB. */
const SILENCE = -45
/** Seconds by which one file is shifted to compare other moments. */
const SHIFTS = [5.3, 11.7, 23.9]

/** How two files differ where codes align them, as shares of how different moments differ. */
export interface SoundDifference {
  /** 0 is the same; 1 is as different as other moments are. */
  readonly pitches: number
  readonly timbre: number
}

/** Where two files sound together, seconds. */
export interface Together {
  /** Where it begins in the first file. */
  readonly from: number
  readonly length: number
  /** How much later it begins in the second file. */
  readonly offset: number
}

/** Compares the sounds of two files moment by moment, in steps of a few milliseconds. */
export function* comparingSounds(
  a: Segments,
  b: Segments,
  together: Together,
): Generator<void, SoundDifference> {
  const own = apartAt(a, b, together, 0)
  const other = { pitches: 0, timbre: 0 }
  for (const shift of SHIFTS) {
    yield
    const shifted = apartAt(a, b, together, shift % together.length)
    other.pitches += shifted.pitches / SHIFTS.length
    other.timbre += shifted.timbre / SHIFTS.length
  }
  return {
    pitches: own.pitches / Math.max(other.pitches, 1e-9),
    timbre: own.timbre / Math.max(other.timbre, 1e-9),
  }
}

/** The mean difference of two files, the second one rotated by a shift: of pitches 1 minus the cosine. */
function apartAt(
  a: Segments,
  b: Segments,
  { from, length, offset }: Together,
  shift: number,
): SoundDifference {
  const step = Math.max(STEP, length / MOST_MOMENTS)
  let timbre = 0
  let pitches = 0
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
    // Without the first coefficient: it is the level, which differs between copies.
    for (let k = 1; k < 12; k++) timbre += Math.abs(one.timbre[k]! - other.timbre[k]!)
    pitches += 1 - cosine(one.pitches, other.pitches)
    count++
  }
  return { timbre: timbre / Math.max(count, 1), pitches: pitches / Math.max(count, 1) }
}

/** The index of the segment at a time, searched from another one on. */
function segmentAt(segments: Segments, time: number, near: number): number {
  let at = (segments[near]?.start ?? 0) <= time ? near : 0
  while (at + 1 < segments.length && segments[at + 1]!.start <= time) at++
  return at
}

function cosine(a: readonly number[], b: readonly number[]): number {
  let product = 0
  let squareA = 0
  let squareB = 0
  for (let k = 0; k < 12; k++) {
    product += a[k]! * b[k]!
    squareA += a[k]! ** 2
    squareB += b[k]! ** 2
  }
  return product / Math.sqrt(squareA * squareB)
}
