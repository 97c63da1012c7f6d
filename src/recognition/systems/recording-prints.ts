import { keyBitsOf, mixed } from './code-keys.ts'
import type { Codes } from './codes.ts'
import type { Traces } from './fingerprinter.ts'
import { keysByTime } from './key-order.ts'
import { pairCodes } from './pairs.ts'
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
  /** Pairs of landmarks, by which recordings of older databases are found; not stored. */
  pairs?: Codes
}

/**
 * Makes the codes of a recording. It takes some milliseconds for a song, in the thread that analyses:
 * the engine's has one for all of them.
 *
 * @param withPairs - adds the pairs
 */
export function recordingPrints(
  { landmarks, echoprint, chroma }: Traces & { chroma: Codes },
  withPairs = false,
): RecordingPrints {
  return {
    triplets: inKeyOrder('triplets', songCodes(landmarks)),
    echoprint: inKeyOrder('echoprint', echoprint.codes),
    chroma: inKeyOrder('chroma', chroma),
    ...(withPairs && { pairs: pairCodes(landmarks) }),
  }
}

/** Codes in the order of their keys, then times. */
export function inKeyOrder(family: Family, { codes, times }: Codes): Codes {
  const bits = keyBitsOf(family)
  const keys = bits === undefined ? codes : codes.map((code) => mixed(code, bits))
  const order = keysByTime(keys, times)
  return { codes: order.map((i) => codes[i]!), times: order.map((i) => times[i]!) }
}
