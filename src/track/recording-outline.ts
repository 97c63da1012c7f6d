import type { AnalysisDocument } from '../analysis/document.ts'
import type { Codes } from '../fingerprint/codes.ts'
import { decodeCode } from '../fingerprint/decode-code.ts'
import { WIRE_VERSION } from '../fingerprint/encode-codes.ts'
import { CHROMA, ECHOPRINT } from '../fingerprint/version.ts'

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
