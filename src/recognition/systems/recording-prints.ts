import { keyBitsOf, mixed } from './code-keys.ts'
import type { Codes } from './codes.ts'
import type { Traces } from './fingerprinter.ts'
import { keysByTime } from './key-order.ts'
import { songCodes } from './triplets.ts'
import type { Family } from './version.ts'

/**
 * The codes of a whole recording: what the index holds of it, and by what it is found there. Each list
 * is in the order of its keys, then times, in which it is stored.
 */
export interface RecordingPrints {
  triplets: Codes
  echoprint: Codes
  /** System A, ours. */
  chroma: Codes
}

/**
 * Makes the codes of a recording. It takes some milliseconds for a song, in the thread that analyses:
 * the engine's has one for all of them.
 */
export function recordingPrints({
  landmarks,
  echoprint,
  chroma,
}: Traces & { chroma: Codes }): RecordingPrints {
  return {
    triplets: inKeyOrder('triplets', songCodes(landmarks)),
    echoprint: inKeyOrder('echoprint', echoprint.codes),
    chroma: inKeyOrder('chroma', chroma),
  }
}

/** Codes in the order of their keys, then times. */
export function inKeyOrder(family: Family, { codes, times }: Codes): Codes {
  const bits = keyBitsOf(family)
  const keys = bits === undefined ? codes : codes.map((code) => mixed(code, bits))
  const order = keysByTime(keys, times)
  return { codes: order.map((i) => codes[i]!), times: order.map((i) => times[i]!) }
}
