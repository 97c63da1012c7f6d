import { keyBitsOf, mixed } from './code-keys.ts'
import type { Codes } from './codes.ts'
import type { Traces } from './fingerprinter.ts'
import { keysByTime } from './key-order.ts'
import { songCodes } from './triplets.ts'
import type { Family } from './version.ts'

/**
 * The codes of a whole recording, which the index holds and by which a recording is looked up. Each
 * list is in the order in which it is stored: by key, then time.
 */
export interface RecordingPrints {
  triplets: Codes
  echoprint: Codes
  chroma: Codes
}

/**
 * Makes the codes of a recording. It takes some milliseconds for a song: call it in the thread that
 * analyses, not in the engine's thread, which all calls share.
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

export function inKeyOrder(family: Family, { codes, times }: Codes): Codes {
  const bits = keyBitsOf(family)
  const keys = bits === undefined ? codes : codes.map((code) => mixed(code, bits))
  const order = keysByTime(keys, times)
  return { codes: order.map((i) => codes[i]!), times: order.map((i) => times[i]!) }
}
