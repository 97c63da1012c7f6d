import type { AnalysisDocument } from '../analysis/document.ts'
import { type Codes, WIRE_VERSION } from '../recognition/systems/codes.ts'
import { decodeCode } from '../recognition/systems/decode-code.ts'
import { CHROMA, ECHOPRINT } from '../recognition/systems/version.ts'

/** The parts of an analysis that tell recordings apart. */
export interface Outline {
  /** Seconds. */
  readonly duration: number
  /** Echoprint codes with their times, as code · {@link TIMES} + time; ascending. */
  readonly codes: Float64Array
  /** The same of system A's codes. */
  readonly chroma: Float64Array
  readonly segments: AnalysisDocument['segments']
}

/** A code and its time are one number: code · TIMES + time. */
export const TIMES = 2 ** 22
/** Milliseconds of a unit of an outline's chroma times. */
const CHROMA_STEP = 2 * CHROMA.timeStep
/** Units of time a second, of the codes and of the chroma. */
export const PER_SECOND = Object.freeze({
  codes: 1000 / ECHOPRINT.timeUnit,
  chroma: 1000 / CHROMA_STEP,
})

const STOP_CODES = new Set(ECHOPRINT.stopCodes)

/** Takes the outline of an analysis, in steps of a few milliseconds. */
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

/** A code that has more pairs, for being so frequent in both, says nothing of an offset. */
const MOST_PAIRS = 100_000
/** Codes compared between two steps; four pairs take as long as one code. */
const PACE = 10_000

/** What the codes that two recordings have in common are worth at each offset. */
export class Offsets {
  /** The index of offset 0. */
  readonly #zero: number
  readonly #worth: Float64Array

  private constructor(before: number, after: number) {
    this.#zero = before
    this.#worth = new Float64Array(before + after)
  }

  /** Compares the codes of one kind, in steps of a few milliseconds. Offsets are in their unit. */
  static *comparing(a: Outline, b: Outline, kind: 'codes' | 'chroma'): Generator<void, Offsets> {
    const room = ({ duration }: Outline) => Math.ceil(duration * PER_SECOND[kind]) + 2
    const offsets = new Offsets(room(a), room(b))
    const one = a[kind]
    const other = b[kind]
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
          for (let l = j; l < endOther; l++) offsets.#add(other[l]! - one[k]!, worth)
        }
        work += pairs / 4
        i = endOne
        j = endOther
      }
    }
    return offsets
  }

  #add(offset: number, worth: number): void {
    const at = offset + this.#zero
    if (at >= 0 && at < this.#worth.length) this.#worth[at] = this.#worth[at]! + worth
  }

  /** The offset, from one to another, that is worth the most together with its two neighbours. */
  best(from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): number | undefined {
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

function endOf(codes: Float64Array, from: number, code: number): number {
  let end = from + 1
  while (end < codes.length && Math.floor(codes[end]! / TIMES) === code) end++
  return end
}
