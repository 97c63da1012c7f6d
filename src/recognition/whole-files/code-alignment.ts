import type { Codes } from '../systems/codes.ts'

export interface FileCodes {
  /** Code · {@link TIME_SPAN} + time; ascending. */
  readonly keys: Float64Array
  /** Units of time a second. */
  readonly perSecond: number
  /** Seconds. */
  readonly duration: number
}

/** A code and its time are one number: code · TIME_SPAN + time. */
const TIME_SPAN = 2 ** 22

export function sortFileCodes(
  { codes, times }: Codes,
  { perSecond, duration }: Omit<FileCodes, 'keys'>,
): FileCodes {
  const keys = Float64Array.from(codes, (code, i) => code * TIME_SPAN + times[i]!).sort()
  return { keys, perSecond, duration }
}

export interface CodeAlignment {
  /** Seconds of the second file at which the first one begins; negative when it begins earlier. */
  readonly offset: number
  /** The time that both files share, as a share of the longer file. */
  readonly overlap: number
  /** How many codes of the first file agree. */
  readonly agreeing: number
  /** The share of the codes of both that agree, where both sound: 0…1. */
  readonly codes: number
  /** The same in the weakest window, after the lowest 15 %. */
  readonly weakest: number
  readonly speed: number
}

/** More frequent codes say nothing about an offset. */
const MAX_CODE_PAIRS = 100_000
/** Four pairs take as long as one code. */
const CODES_PER_STEP = 10_000
const WINDOW_SECONDS = 10
/** Windows with fewer codes of both files do not count. */
const MIN_WINDOW_CODES = 10
/** Fades and damaged places may have less. */
const WEAK_WINDOW_SHARE = 0.15
/** Rounding may move a code by so many units of time. */
const ROUNDING_UNITS = 1
/** Units of time within which codes tell the speed. */
const DRIFT_UNITS = 2
/** Codes of one moment lie within this in every system. */
const MOMENT_SECONDS = 0.05

/** Repeated music agrees at several offsets, and after encoding a wrong one may agree best. */
const MAX_OFFSETS = 4
const MIN_WORTH_SHARE = 0.5

/**
 * The offsets at which two files agree best, the best first. Offsets with less overlap are not
 * looked at.
 */
export function* alignCodes(
  a: FileCodes,
  b: FileCodes,
  leastOverlap: number,
): Generator<void, CodeAlignment[]> {
  const alignments: CodeAlignment[] = []
  for (const shift of yield* bestShifts(a, b, leastOverlap)) {
    yield
    const alignment = alignedAt(a, b, shift)
    if (alignment) alignments.push(alignment)
  }
  return alignments
}

/** How many codes of the first file the second has where an offset, in seconds, says. */
export function countAgreeing(a: FileCodes, b: FileCodes, offset: number): number {
  const { perSecond } = a
  const shift = Math.round(offset * perSecond)
  return pairsAt(a.keys, b.keys, shift, Math.round(MOMENT_SECONDS * perSecond)).length
}

function alignedAt(a: FileCodes, b: FileCodes, shift: number): CodeAlignment | undefined {
  const { perSecond } = a
  const pairs = pairsAt(a.keys, b.keys, shift, DRIFT_UNITS)
  const nearPairs = pairs.filter(({ apart }) => Math.abs(apart) <= ROUNDING_UNITS)
  if (nearPairs.length === 0) return undefined
  const rounding = nearPairs.reduce((sum, { apart }) => sum + apart, 0) / nearPairs.length
  const offset = (shift + rounding) / perSecond
  const start = Math.max(0, -offset)
  const length = Math.min(a.duration, b.duration - offset) - start
  const windows = windowsOf(a, b, nearPairs, { offset, from: start, length })
  const total = windows.reduce((sum, { all }) => sum + all, 0)
  const shares = windows
    .filter(({ all }) => all >= MIN_WINDOW_CODES)
    .map(({ agreeing, all }) => (2 * agreeing) / all)
    .sort((x, y) => x - y)
  return {
    offset,
    overlap: length / Math.max(a.duration, b.duration),
    agreeing: nearPairs.length,
    codes: (2 * nearPairs.length) / Math.max(total, 1),
    weakest: shares[Math.floor(WEAK_WINDOW_SHARE * shares.length)] ?? 0,
    speed: 1 + slopeOf(pairs),
  }
}

function* bestShifts(a: FileCodes, b: FileCodes, leastOverlap: number): Generator<void, number[]> {
  const { perSecond } = a
  const minOverlap = leastOverlap * Math.max(a.duration, b.duration)
  if (Math.min(a.duration, b.duration) < minOverlap) return []
  const first = Math.ceil((minOverlap - a.duration) * perSecond)
  const last = Math.floor((b.duration - minOverlap) * perSecond)
  const worths = new Float64Array(last - first + 3)
  const firstKeys = a.keys
  const secondKeys = b.keys
  let work = 0
  for (let i = 0, j = 0; i < firstKeys.length && j < secondKeys.length; ) {
    if (++work > CODES_PER_STEP) {
      work = 0
      yield
    }
    const code = Math.floor(firstKeys[i]! / TIME_SPAN)
    const counterpart = Math.floor(secondKeys[j]! / TIME_SPAN)
    if (code < counterpart) i++
    else if (counterpart < code) j++
    else {
      const endInFirst = endOfCode(firstKeys, i, code)
      const endInSecond = endOfCode(secondKeys, j, code)
      const pairs = (endInFirst - i) * (endInSecond - j)
      // So a code counts once where all its occurrences meet.
      const worth = pairs > MAX_CODE_PAIRS ? 0 : 1 / Math.sqrt(pairs)
      for (let k = i; k < endInFirst && worth > 0; k++) {
        for (let l = j; l < endInSecond; l++) {
          const place = secondKeys[l]! - firstKeys[k]! - first + 1
          if (place >= 0 && place < worths.length) worths[place] = worths[place]! + worth
        }
      }
      work += pairs / 4
      i = endInFirst
      j = endInSecond
    }
  }
  const worthAround = (place: number) =>
    worths[place]! + (worths[place - 1]! + worths[place + 1]!) / 2
  const peaks: { shift: number; worth: number }[] = []
  for (let place = 1; place < worths.length - 1; place++) {
    const worth = worthAround(place)
    const isPeak = worth > 0 && (place === 1 || worth > worthAround(place - 1))
    if (!isPeak || (place < worths.length - 2 && worth < worthAround(place + 1))) continue
    peaks.push({ shift: place - 1 + first, worth })
  }
  peaks.sort((x, y) => y.worth - x.worth)
  const bestWorth = peaks[0]?.worth ?? 0
  return peaks
    .filter(({ worth }) => worth >= MIN_WORTH_SHARE * bestWorth)
    .slice(0, MAX_OFFSETS)
    .map(({ shift }) => shift)
}

function endOfCode(keys: Float64Array, start: number, code: number): number {
  let end = start + 1
  while (end < keys.length && Math.floor(keys[end]! / TIME_SPAN) === code) end++
  return end
}

interface CodePair {
  /** Its time in the first file, units. */
  readonly time: number
  readonly apart: number
}

/** The codes of the first file that the second has within a reach, each with its nearest. */
function pairsAt(
  keys: Float64Array,
  otherKeys: Float64Array,
  shift: number,
  reach: number,
): CodePair[] {
  const pairs: CodePair[] = []
  let j = 0
  for (const key of keys) {
    while (j < otherKeys.length && otherKeys[j]! < key + shift - reach) j++
    let nearest = Number.POSITIVE_INFINITY
    for (let l = j; l < otherKeys.length && otherKeys[l]! <= key + shift + reach; l++) {
      const apart = otherKeys[l]! - key - shift
      if (Math.abs(apart) < Math.abs(nearest)) nearest = apart
    }
    if (nearest <= reach) pairs.push({ time: key % TIME_SPAN, apart: nearest })
  }
  return pairs
}

function windowsOf(
  a: FileCodes,
  b: FileCodes,
  agreeing: readonly CodePair[],
  { offset, from: start, length }: { offset: number; from: number; length: number },
): { agreeing: number; all: number }[] {
  const seconds = Math.min(WINDOW_SECONDS, length)
  const count = Math.floor(length / seconds + 1e-9)
  const windows = Array.from({ length: count }, () => ({ agreeing: 0, all: 0 }))
  const windowAt = (time: number) =>
    time < start || time > start + length
      ? undefined
      : // The last window includes what is left at the end.
        windows[Math.min(Math.floor((time - start) / seconds), count - 1)]
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
      const window = windowAt((key % TIME_SPAN) / perSecond - later)
      if (window) window.all++
    }
  }
  return windows
}

function slopeOf(pairs: readonly CodePair[]): number {
  const mean = (value: (pair: CodePair) => number) =>
    pairs.reduce((sum, pair) => sum + value(pair), 0) / pairs.length
  const time = mean((pair) => pair.time)
  const apart = mean((pair) => pair.apart)
  const variance = mean((pair) => (pair.time - time) ** 2)
  const covariance = mean((pair) => (pair.time - time) * (pair.apart - apart))
  return variance === 0 ? 0 : covariance / variance
}
