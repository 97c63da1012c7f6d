import type { Codes } from '../systems/codes.ts'

export interface FileCodes {
  /** Code · {@link TIMES} + time; ascending. */
  readonly keys: Float64Array
  /** Units of time a second. */
  readonly perSecond: number
  /** Seconds. */
  readonly duration: number
}

/** A code and its time are one number: code · TIMES + time. */
const TIMES = 2 ** 22

/** Sorts the codes of a file for {@link aligning}. */
export function fileCodes(
  { codes, times }: Codes,
  { perSecond, duration }: Omit<FileCodes, 'keys'>,
): FileCodes {
  const keys = Float64Array.from(codes, (code, i) => code * TIMES + times[i]!).sort()
  return { keys, perSecond, duration }
}

/** How the codes of two files agree at one offset. */
export interface CodeAlignment {
  /** Seconds of the second file at which the first one begins; negative when it begins earlier. */
  readonly offset: number
  /** The time that both files share, as a share of the longer file. */
  readonly overlap: number
  /** How many codes of the first file agree. */
  readonly agreeing: number
  /** The share of the codes of both that agree, where both sound: 0…1. */
  readonly codes: number
  /** The same in one window: 85 % of the windows have more. Windows with few codes do not count. */
  readonly weakest: number
  /** The playing time of the second file relative to the first: 1.01 is 1 % slower. */
  readonly speed: number
}

/** A code with more pairs is too frequent in both files to say anything about an offset. */
const MOST_PAIRS = 100_000
/** Codes compared between two steps; four pairs take as long as one code. */
const PACE = 10_000
/** Seconds of a window; a shorter overlap is one window. */
const WINDOW = 10
/** Windows with fewer codes of both files together do not count. */
const FEWEST_CODES = 10
/** The share of the windows that may have less than the weakest one that counts: fades, a damaged place. */
const LEFT_OUT = 0.15
/** Units of time by which rounding may move a code of one file against that of the other. */
const ROUNDING = 1
/** Units of time within which codes tell the speed. */
const DRIFT = 2
/** Seconds within which codes of one moment lie, whatever the system: their steps are up to 46 ms. */
const MOMENT = 0.05

/**
 * Music that repeats itself agrees at several offsets, and after encoding a wrong one may agree
 * best. So at most this many offsets are returned, if they are worth this share of the best.
 */
const MOST_OFFSETS = 4
const LEAST_WORTH = 0.5

/**
 * Aligns two files by their codes, in steps of a few milliseconds, at the offsets at which they agree
 * best: these come first.
 *
 * @param leastOverlap - offsets at which the files overlap by a smaller share of the longer one are
 * not looked at
 */
export function* aligning(
  a: FileCodes,
  b: FileCodes,
  leastOverlap: number,
): Generator<void, CodeAlignment[]> {
  const found: CodeAlignment[] = []
  for (const shift of yield* bestShifts(a, b, leastOverlap)) {
    yield
    const alignment = alignedAt(a, b, shift)
    if (alignment) found.push(alignment)
  }
  return found
}

/**
 * How many codes of the first file the second one has within 50 ms of where an offset says.
 *
 * @param offset - seconds of the second file at which the first one begins
 */
export function agreeingAt(a: FileCodes, b: FileCodes, offset: number): number {
  const { perSecond } = a
  const shift = Math.round(offset * perSecond)
  return pairsAt(a.keys, b.keys, shift, Math.round(MOMENT * perSecond)).length
}

function alignedAt(a: FileCodes, b: FileCodes, shift: number): CodeAlignment | undefined {
  const { perSecond } = a
  const pairs = pairsAt(a.keys, b.keys, shift, DRIFT)
  const near = pairs.filter(({ apart }) => Math.abs(apart) <= ROUNDING)
  if (near.length === 0) return undefined
  const rounding = near.reduce((sum, { apart }) => sum + apart, 0) / near.length
  const offset = (shift + rounding) / perSecond
  const from = Math.max(0, -offset)
  const length = Math.min(a.duration, b.duration - offset) - from
  const windows = windowsOf(a, b, near, { offset, from, length })
  const total = windows.reduce((sum, { all }) => sum + all, 0)
  const shares = windows
    .filter(({ all }) => all >= FEWEST_CODES)
    .map(({ agreeing, all }) => (2 * agreeing) / all)
    .sort((x, y) => x - y)
  return {
    offset,
    overlap: length / Math.max(a.duration, b.duration),
    agreeing: near.length,
    codes: (2 * near.length) / Math.max(total, 1),
    weakest: shares[Math.floor(LEFT_OUT * shares.length)] ?? 0,
    speed: 1 + slopeOf(pairs),
  }
}

/** The shifts of the times, in units, at which the codes agree best; these first. */
function* bestShifts(a: FileCodes, b: FileCodes, leastOverlap: number): Generator<void, number[]> {
  const { perSecond } = a
  const least = leastOverlap * Math.max(a.duration, b.duration)
  if (Math.min(a.duration, b.duration) < least) return []
  const first = Math.ceil((least - a.duration) * perSecond)
  const last = Math.floor((b.duration - least) * perSecond)
  const worths = new Float64Array(last - first + 3)
  const one = a.keys
  const other = b.keys
  let work = 0
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    if (++work > PACE) {
      work = 0
      yield
    }
    const code = Math.floor(one[i]! / TIMES)
    const counterpart = Math.floor(other[j]! / TIMES)
    if (code < counterpart) i++
    else if (counterpart < code) j++
    else {
      const endOne = endOf(one, i, code)
      const endOther = endOf(other, j, code)
      const pairs = (endOne - i) * (endOther - j)
      // So a code counts once at the offset at which all its occurrences meet.
      const worth = pairs > MOST_PAIRS ? 0 : 1 / Math.sqrt(pairs)
      for (let k = i; k < endOne && worth > 0; k++) {
        for (let l = j; l < endOther; l++) {
          const at = other[l]! - one[k]! - first + 1
          if (at >= 0 && at < worths.length) worths[at] = worths[at]! + worth
        }
      }
      work += pairs / 4
      i = endOne
      j = endOther
    }
  }
  const near = (at: number) => worths[at]! + (worths[at - 1]! + worths[at + 1]!) / 2
  const peaks: { shift: number; worth: number }[] = []
  for (let at = 1; at < worths.length - 1; at++) {
    const worth = near(at)
    const isPeak = worth > 0 && (at === 1 || worth > near(at - 1))
    if (!isPeak || (at < worths.length - 2 && worth < near(at + 1))) continue
    peaks.push({ shift: at - 1 + first, worth })
  }
  peaks.sort((x, y) => y.worth - x.worth)
  const best = peaks[0]?.worth ?? 0
  return peaks
    .filter(({ worth }) => worth >= LEAST_WORTH * best)
    .slice(0, MOST_OFFSETS)
    .map(({ shift }) => shift)
}

function endOf(keys: Float64Array, from: number, code: number): number {
  let end = from + 1
  while (end < keys.length && Math.floor(keys[end]! / TIMES) === code) end++
  return end
}

/** A code of the first file that the second one has near the same place. */
interface Pair {
  /** Its time in the first file, units. */
  readonly time: number
  /** How much later the second file has it than the shift says, units. */
  readonly apart: number
}

/** The codes of the first file that the second one has, each with the nearest of its counterparts within a reach. */
function pairsAt(one: Float64Array, other: Float64Array, shift: number, reach: number): Pair[] {
  const pairs: Pair[] = []
  let j = 0
  for (const key of one) {
    while (j < other.length && other[j]! < key + shift - reach) j++
    let nearest = Number.POSITIVE_INFINITY
    for (let l = j; l < other.length && other[l]! <= key + shift + reach; l++) {
      const apart = other[l]! - key - shift
      if (Math.abs(apart) < Math.abs(nearest)) nearest = apart
    }
    if (nearest <= reach) pairs.push({ time: key % TIMES, apart: nearest })
  }
  return pairs
}

/** How many codes agree, and how many both files have, window by window of the overlap. */
function windowsOf(
  a: FileCodes,
  b: FileCodes,
  agreeing: readonly Pair[],
  { offset, from, length }: { offset: number; from: number; length: number },
): { agreeing: number; all: number }[] {
  const seconds = Math.min(WINDOW, length)
  const count = Math.floor(length / seconds + 1e-9)
  const windows = Array.from({ length: count }, () => ({ agreeing: 0, all: 0 }))
  const windowAt = (time: number) =>
    time < from || time > from + length
      ? undefined
      : // The last window includes what is left at the end.
        windows[Math.min(Math.floor((time - from) / seconds), count - 1)]
  const { perSecond } = a
  for (const { time } of agreeing) {
    const window = windowAt(time / perSecond)
    if (window) window.agreeing++
  }
  for (const { keys, later } of [
    { keys: a.keys, later: 0 },
    { keys: b.keys, later: offset },
  ]) {
    for (const key of keys) {
      const window = windowAt((key % TIMES) / perSecond - later)
      if (window) window.all++
    }
  }
  return windows
}

/** The slope of a straight line through the pairs: by how much more they are apart, per unit of time. */
function slopeOf(pairs: readonly Pair[]): number {
  const mean = (value: (pair: Pair) => number) =>
    pairs.reduce((sum, pair) => sum + value(pair), 0) / pairs.length
  const time = mean((pair) => pair.time)
  const apart = mean((pair) => pair.apart)
  const along = mean((pair) => (pair.time - time) ** 2)
  const across = mean((pair) => (pair.time - time) * (pair.apart - apart))
  return along === 0 ? 0 : across / along
}
