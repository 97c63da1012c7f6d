import type { AnalysisDocument } from '../analysis/document.ts'
import type { Codes } from '../fingerprint/codes.ts'
import { decodeCode } from '../fingerprint/decode-code.ts'
import { WIRE_VERSION } from '../fingerprint/encode-codes.ts'
import { ECHOPRINT } from '../fingerprint/version.ts'

/** When two files hold the same recording. See {@link Agreement} for the quantities. */
const SAME = Object.freeze({
  /** The other is trimmed, not an excerpt. */
  overlap: 2 / 3,
  /**
   * A window in which fewer codes agree, or the sound differs as much as from other moments, does not
   * belong; few may.
   */
  windowCodes: 0.03,
  windowChroma: 0.1,
  windowTimbre: 0.85,
  windows: 0.85,
  agreeing: 20,
})

/**
 * Music with a beat: the onsets agree beyond chance, the sound roughly (codecs at low rates dull it),
 * the pitches closely, by any of three measures. The same band with another tune over the same chords
 * has up to 0.24 of the codes, but pitches 0.14 apart or more, and 0.09 of the chroma.
 */
const BEATEN = Object.freeze({
  codes: 0.08,
  timbre: 0.75,
  timbreApart: 45,
  pitches: 0.1,
  pitchesApart: 0.02,
  chroma: 0.3,
})
/** Drums, of whose pitches little can be said: many onsets agree, and the sound closely. */
const DRUMS = Object.freeze({ codes: 0.18, timbre: 0.3, pitchesApart: 0.15 })
/** What is tuned between two semitones, and so falls to the one or to the other: the more the rest. */
const UNTUNED = Object.freeze({ codes: 0.25, timbre: 0.2, pitchesApart: 0.3 })
/** Chords and melodies without a beat: chroma agrees far beyond chance, and the pitches closely. */
const TONAL = Object.freeze({ chroma: 0.3, timbre: 0.65, pitches: 0.05 })
/** Soft sounds, whose few onsets codecs move: the sound and the pitches agree very closely. */
const SOFT = Object.freeze({
  codes: 0.035,
  chroma: 0.2,
  timbre: 0.25,
  timbreApart: 20,
  pitches: 0.06,
  pitchesApart: 0.01,
})

/** Seconds of a window; a short overlap has so many. */
const WINDOW = 10
const FEWEST_WINDOWS = 3
/** Windows with fewer codes of both recordings tell nothing. */
const FEWEST = Object.freeze({ codes: 20, chroma: 6 })
/** Seconds between the moments at which the sounds are compared; at most so many of them. */
const STEP = 0.25
const MOST_MOMENTS = 2_000
/** Moments quieter than this are silence, dB. */
const SILENCE = -45
/** Shifts in seconds by which one recording is compared with what it is not. */
const SHIFTS = [5.3, 11.7, 23.9]
/** A code that occurs so often in both that it has more pairs tells nothing of an offset. */
const MOST_PAIRS = 100_000
/** Codes looked at between two steps; four pairs take as long. */
const PACE = 10_000

const SECOND = 1000 / ECHOPRINT.timeUnit
/** A code and its time as one number. */
const TIMES = 2 ** 22
/** Milliseconds of a step by which chroma is aligned, and how far off its best offset may be, in s. */
const CHROMA_STEP = 64
const CHROMA_REACH = 0.15

/** What of an analysis tells recordings apart. */
export interface Outline {
  /** Seconds. */
  readonly duration: number
  /** Echoprint codes with their times, as code · 2^22 + time, ascending. */
  readonly codes: Float64Array
  /** The codes of system A likewise, their times in steps of 64 ms. */
  readonly chroma: Float64Array
  readonly segments: AnalysisDocument['segments']
}

/** How two recordings agree where they agree best. */
export interface Agreement {
  /** Seconds of the second recording at which the first one begins. */
  readonly offset: number
  /** Seconds in which both sound, as a share of the longer one. */
  readonly overlap: number
  /** Codes of either family that agree. */
  readonly agreeing: number
  /** Share of Echoprint's codes that agree: the median over windows of ten seconds. */
  readonly codes: number
  /** The same of system A's. */
  readonly chroma: number
  /** Share of the windows in which codes agree, and of those in which the sound does. */
  readonly windows: number
  readonly soundWindows: number
  /** Mean difference of the timbre, and as a share of that between other moments. */
  readonly timbreApart: number
  readonly timbre: number
  /** The same of the pitches; a difference is 1 minus the cosine. */
  readonly pitchesApart: number
  readonly pitches: number
}

const STOP_CODES = new Set(ECHOPRINT.stopCodes)

/** What of an analysis tells recordings apart, made in steps of a few milliseconds. */
export function* outlining({ track, segments }: AnalysisDocument): Generator<void, Outline> {
  const echoprint = decodeCode(track.echoprintstring ?? '', WIRE_VERSION.echoprint)
  yield
  const codes = keysOf(echoprint.codes, 1)
  yield
  const { codes: chords } = decodeCode(track.codestring ?? '', WIRE_VERSION.chroma)
  return { duration: track.duration, codes, chroma: keysOf(chords, CHROMA_STEP), segments }
}

function keysOf(found: Codes | undefined, step: number): Float64Array {
  const { codes, times } = found ?? { codes: new Uint32Array(0), times: new Uint32Array(0) }
  const keys = new Float64Array(codes.length)
  let count = 0
  for (let i = 0; i < codes.length; i++) {
    if (!STOP_CODES.has(codes[i]!)) keys[count++] = codes[i]! * TIMES + Math.floor(times[i]! / step)
  }
  return keys.slice(0, count).sort()
}

/**
 * Whether two files hold the same recording, though encoded otherwise or trimmed: at one offset, all
 * the way through, their onsets, their timbres and their pitches agree. Another performance or another
 * mix has other onsets; what is made of the same loops has other timbres; another tune of the same
 * players has other pitches.
 */
export function isSame(agreement: Agreement | undefined): boolean {
  if (!agreement) return false
  const { overlap, agreeing, codes, chroma } = agreement
  const { timbre, timbreApart, pitches, pitchesApart } = agreement
  const windows = Math.min(agreement.windows, agreement.soundWindows)
  if (overlap < SAME.overlap || agreeing < SAME.agreeing || windows < SAME.windows) return false
  const beaten =
    codes >= BEATEN.codes &&
    (timbre <= BEATEN.timbre || timbreApart <= BEATEN.timbreApart) &&
    (pitches <= BEATEN.pitches || pitchesApart <= BEATEN.pitchesApart || chroma >= BEATEN.chroma)
  const vague = [DRUMS, UNTUNED].some(
    (due) => codes >= due.codes && timbre <= due.timbre && pitchesApart <= due.pitchesApart,
  )
  const tonal = chroma >= TONAL.chroma && timbre <= TONAL.timbre && pitches <= TONAL.pitches
  const soft =
    (codes >= SOFT.codes || chroma >= SOFT.chroma) &&
    (timbre <= SOFT.timbre || timbreApart <= SOFT.timbreApart) &&
    (pitches <= SOFT.pitches || pitchesApart <= SOFT.pitchesApart)
  return beaten || vague || tonal || soft
}

/** Compares two recordings, in steps of a few milliseconds; `undefined` when no code agrees. */
export function* comparing(a: Outline, b: Outline): Generator<void, Agreement | undefined> {
  const onsets = yield* worthOf(a, b, 'codes', SECOND)
  const best = onsets.best(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  const first = best === undefined ? undefined : yield* comparingAt(a, b, best)
  if (isSame(first)) return first
  // Where onsets are few and soft, chance can align them better than what they are.
  const perSecond = 1000 / CHROMA_STEP
  const chroma = yield* worthOf(a, b, 'chroma', perSecond)
  const rough = chroma.best(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  if (rough === undefined) return first
  const near = (rough / perSecond) * SECOND
  const reach = CHROMA_REACH * SECOND
  const second = yield* comparingAt(a, b, onsets.best(near - reach, near + reach) ?? near)
  return isSame(second) || !first ? second : first
}

function* comparingAt(
  a: Outline,
  b: Outline,
  aligned: number,
): Generator<void, Agreement | undefined> {
  const offset = aligned / SECOND
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
  const held = own.windows.filter(
    (apart) => apart <= Math.max(BEATEN.timbreApart, SAME.windowTimbre * other.timbre),
  )
  return {
    offset,
    overlap: length / Math.max(a.duration, b.duration),
    ...counted,
    soundWindows: held.length / Math.max(own.windows.length, 1),
    timbreApart: own.timbre,
    timbre: own.timbre / Math.max(other.timbre, 1e-9),
    pitchesApart: own.pitches,
    pitches: own.pitches / Math.max(other.pitches, 1e-9),
  }
}

/** What the codes that two recordings have in common are worth at each offset. */
class Offsets {
  /** Of no offset, plus the first recording's length. */
  readonly #zero: number
  readonly #worth: Float64Array

  constructor(before: number, after: number) {
    this.#zero = before
    this.#worth = new Float64Array(before + after)
  }

  add(offset: number, worth: number): void {
    const at = offset + this.#zero
    if (at >= 0 && at < this.#worth.length) this.#worth[at] = this.#worth[at]! + worth
  }

  /** The offset from one to another that is worth the most, its neighbours counted in. */
  best(from: number, to: number): number | undefined {
    const worth = this.#worth
    const first = Math.max(1, Math.ceil(from + this.#zero))
    const last = Math.min(worth.length - 2, Math.floor(to + this.#zero))
    let best: number | undefined
    let most = 0
    for (let at = first; at <= last; at++) {
      const near = worth[at - 1]! + worth[at]! + worth[at + 1]!
      if (near <= most) continue
      most = near
      best = at - this.#zero
    }
    return best
  }
}

function* worthOf(
  a: Outline,
  b: Outline,
  family: 'codes' | 'chroma',
  perSecond: number,
): Generator<void, Offsets> {
  const offsets = new Offsets(
    Math.ceil(a.duration * perSecond) + 2,
    Math.ceil(b.duration * perSecond) + 2,
  )
  const one = a[family]
  const other = b[family]
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
      // So each code counts once at the offset at which all its occurrences meet.
      const worth = pairs > MOST_PAIRS ? 0 : 1 / Math.sqrt(pairs)
      for (let k = i; k < endOne && worth > 0; k++) {
        for (let l = j; l < endOther; l++) offsets.add(other[l]! - one[k]!, worth)
      }
      work += pairs / 4
      i = endOne
      j = endOther
    }
  }
  return offsets
}

function endOf(codes: Float64Array, from: number, code: number): number {
  let end = from + 1
  while (end < codes.length && Math.floor(codes[end]! / TIMES) === code) end++
  return end
}

/** How many codes agree at an offset, window by window. */
function countWindows(
  a: Outline,
  b: Outline,
  where: { offset: number; from: number; length: number },
): Pick<Agreement, 'agreeing' | 'codes' | 'chroma' | 'windows'> {
  const codes = sharesOf(a.codes, b.codes, where, SECOND, 1)
  const chroma = sharesOf(a.chroma, b.chroma, where, 1000 / CHROMA_STEP, 2)
  let told = 0
  let held = 0
  for (const [i, { hits, all }] of codes.entries()) {
    const other = chroma[i]!
    const tells = all >= FEWEST.codes
    const otherTells = other.all >= FEWEST.chroma
    if (!tells && !otherTells) continue
    told++
    if (tells && 2 * hits >= SAME.windowCodes * all) held++
    else if (otherTells && 2 * other.hits >= SAME.windowChroma * other.all) held++
  }
  return {
    agreeing: [...codes, ...chroma].reduce((sum, { hits }) => sum + hits, 0),
    codes: medianOf(codes, FEWEST.codes),
    chroma: medianOf(chroma, FEWEST.chroma),
    windows: told === 0 ? 0 : held / told,
  }
}

/** Codes of a window that agree, and all that both recordings have there. */
interface Share {
  hits: number
  all: number
}

/** @param reach - by how many units of time rounding can shift a code */
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
  const told = shares.filter(({ all }) => all >= fewest).map(({ hits, all }) => (2 * hits) / all)
  return told.sort((x, y) => x - y)[Math.floor((told.length - 1) / 2)] ?? 0
}

/** How far the sounds of two recordings are apart on average, one of them shifted round. */
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
    // The first coefficient is the level, which normalising changes.
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

/** The windows that an overlap is cut into: how many, and which one a moment belongs to. */
function windowsOf(length: number): { count: number; at: (time: number) => number } {
  const seconds = Math.min(WINDOW, length / FEWEST_WINDOWS)
  const count = Math.floor(length / seconds + 1e-9)
  // What is left at the end belongs to the last one.
  return { count, at: (time) => Math.min(Math.floor(time / seconds), count - 1) }
}

/** The segment in which a moment lies, looked for from another one on. */
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
