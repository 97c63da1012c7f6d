import { type Outline, PER_SECOND, TIMES } from './recording-outline.ts'

/** How two recordings agree at one offset. */
export interface Agreement {
  /** Seconds of the second recording at which the first one begins. */
  readonly offset: number
  /** The time in which both sound, as a share of the longer one. */
  readonly overlap: number
  /** Codes of either kind that agree. */
  readonly agreeing: number
  /** Share of Echoprint's codes that agree: the median over the windows. */
  readonly codes: number
  /** The same of system A's. */
  readonly chroma: number
  /** Share of the windows in which codes agree, and of those in which the sound does. */
  readonly windows: number
  readonly soundWindows: number
  /** Mean difference of the timbre, as a share of that between other moments. */
  readonly timbre: number
  /** Mean difference of the pitches: 1 minus the cosine. */
  readonly pitchesApart: number
  /** … as a share of that between other moments. */
  readonly pitches: number
}

/** Seconds of a window; a short overlap is cut into this many instead. */
const WINDOW = 10
const FEWEST_WINDOWS = 3
/** Windows with fewer codes of both recordings together do not count. */
const FEWEST = Object.freeze({ codes: 20, chroma: 6 })
/** The shares of codes that agree in a window, one of which is enough. */
const LEAST = Object.freeze({ codes: 0.03, chroma: 0.1 })
/** The sound of a window agrees if its timbre differs by less than this … */
const TIMBRE_APART = 45
/** … or than this share of the difference between other moments. */
const TIMBRE_SHARE = 0.85
/** Seconds between the moments at which the sounds are compared, and how many there are at most. */
const STEP = 0.25
const MOST_MOMENTS = 2_000
/** Moments quieter than this are silence, dB. */
const SILENCE = -45
/** Seconds by which one recording is shifted to compare other moments. */
const SHIFTS = [5.3, 11.7, 23.9]

/**
 * How two recordings agree at an offset in seconds, in steps of a few milliseconds; `undefined` when
 * they do not overlap.
 */
export function* agreementAt(
  a: Outline,
  b: Outline,
  offset: number,
): Generator<void, Agreement | undefined> {
  const from = Math.max(0, -offset)
  const length = Math.min(a.duration, b.duration - offset) - from
  if (length <= 0) return undefined
  yield
  const counted = countWindows(a, b, { offset, from, length })
  yield
  const step = Math.max(STEP, length / MOST_MOMENTS)
  const own = soundsApart(a, b, { from, length, offset, step, shift: 0 })
  const other = { timbre: 0, pitches: 0 }
  for (const shift of SHIFTS) {
    yield
    const shifted = soundsApart(a, b, { from, length, offset, step, shift: shift % length })
    other.timbre += shifted.timbre / SHIFTS.length
    other.pitches += shifted.pitches / SHIFTS.length
  }
  const most = Math.max(TIMBRE_APART, TIMBRE_SHARE * other.timbre)
  const alike = own.windows.filter((apart) => apart <= most)
  return {
    offset,
    overlap: length / Math.max(a.duration, b.duration),
    ...counted,
    soundWindows: alike.length / Math.max(own.windows.length, 1),
    timbre: own.timbre / Math.max(other.timbre, 1e-9),
    pitchesApart: own.pitches,
    pitches: own.pitches / Math.max(other.pitches, 1e-9),
  }
}

/** How many codes agree at an offset, window by window. */
function countWindows(
  a: Outline,
  b: Outline,
  where: { offset: number; from: number; length: number },
): Pick<Agreement, 'agreeing' | 'codes' | 'chroma' | 'windows'> {
  const codes = sharesOf(a.codes, b.codes, where, PER_SECOND.codes, 1)
  const chroma = sharesOf(a.chroma, b.chroma, where, PER_SECOND.chroma, 2)
  const counted = codes
    .map((share, i) => [shareOf(share, FEWEST.codes), shareOf(chroma[i], FEWEST.chroma)] as const)
    .filter((shares) => shares.some((share) => share !== undefined))
  const agreed = counted.filter(
    ([onsets = 0, chords = 0]) => onsets >= LEAST.codes || chords >= LEAST.chroma,
  )
  return {
    agreeing: [...codes, ...chroma].reduce((sum, { hits }) => sum + hits, 0),
    codes: medianOf(codes, FEWEST.codes),
    chroma: medianOf(chroma, FEWEST.chroma),
    windows: agreed.length / Math.max(counted.length, 1),
  }
}

/** Codes of a window that agree, and all codes that both recordings have there. */
interface Share {
  hits: number
  all: number
}

function shareOf(share: Share | undefined, fewest: number): number | undefined {
  return share && share.all >= fewest ? (2 * share.hits) / share.all : undefined
}

/** @param reach - how many units of time rounding can shift a code by */
function sharesOf(
  one: Float64Array,
  other: Float64Array,
  { offset, from, length }: { offset: number; from: number; length: number },
  perSecond: number,
  reach: number,
): Share[] {
  const aligned = Math.round(offset * perSecond)
  const { count, at } = windowsOf(length)
  const shares = Array.from({ length: count }, () => ({ hits: 0, all: 0 }))
  const shareAt = (time: number) => {
    const t = time / perSecond - from
    return t < 0 || t > length ? undefined : shares[at(t)]
  }
  for (const key of other) {
    const share = shareAt((key % TIMES) - aligned)
    if (share) share.all++
  }
  let j = 0
  for (const key of one) {
    const share = shareAt(key % TIMES)
    if (!share) continue
    share.all++
    const least = key + aligned - reach
    while (j < other.length && other[j]! < least) j++
    if (j < other.length && other[j]! <= least + 2 * reach) share.hits++
  }
  return shares
}

function medianOf(shares: readonly Share[], fewest: number): number {
  const counted = shares.flatMap((share) => shareOf(share, fewest) ?? [])
  return counted.sort((x, y) => x - y)[Math.floor((counted.length - 1) / 2)] ?? 0
}

/** The mean difference of the sounds of two recordings, the second one rotated by a shift. */
function soundsApart(
  a: Outline,
  b: Outline,
  where: { from: number; length: number; offset: number; step: number; shift: number },
): { timbre: number; pitches: number; windows: number[] } {
  const { from, length, offset, step, shift } = where
  const { count: size, at } = windowsOf(length)
  const sums = Array.from({ length: size }, () => ({ timbre: 0, count: 0 }))
  let timbre = 0
  let pitches = 0
  let count = 0
  let i = 0
  let j = 0
  for (let t = step / 2; t < length; t += step) {
    const s = (t + shift) % length
    i = segmentAt(a.segments, from + t, i)
    j = segmentAt(b.segments, from + offset + s, j)
    const one = a.segments[i]
    const other = b.segments[j]
    if (!one || !other) continue
    if (one.loudness_max < SILENCE && other.loudness_max < SILENCE) continue
    // Without the first coefficient: it is the level, which differs between copies.
    let apart = 0
    for (let k = 1; k < 12; k++) apart += Math.abs(one.timbre[k]! - other.timbre[k]!)
    timbre += apart
    pitches += 1 - cosine(one.pitches, other.pitches)
    count++
    const sum = sums[at(t)]!
    sum.timbre += apart
    sum.count++
  }
  const fewest = length / size / step / 2
  return {
    timbre: timbre / Math.max(count, 1),
    pitches: pitches / Math.max(count, 1),
    windows: sums.filter((sum) => sum.count >= fewest).map((sum) => sum.timbre / sum.count),
  }
}

/** How many windows an overlap is cut into, and the window of a moment. */
function windowsOf(length: number): { count: number; at: (time: number) => number } {
  const seconds = Math.min(WINDOW, length / FEWEST_WINDOWS)
  const count = Math.floor(length / seconds + 1e-9)
  // The last window includes what is left at the end.
  return { count, at: (time) => Math.min(Math.floor(time / seconds), count - 1) }
}

/** The index of the segment at a time, searched from another one on. */
function segmentAt(segments: Outline['segments'], time: number, near: number): number {
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
