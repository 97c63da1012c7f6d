import { keyBitsOf, keyOfCode } from './code-keys.ts'
import type { Codes } from './codes.ts'
import type { PrintTraces } from './fingerprinter.ts'
import { orderByKey } from './key-order.ts'
import { songCodes } from './triplets.ts'
import type { Family } from './version.ts'

/** The codes of a whole recording, sorted by key, then time. */
export interface RecordingPrints {
  triplets: Codes
  echoprint: Codes
  chroma: Codes
}

/** Takes some milliseconds for a song: call it in the thread that analyses. */
export function recordingPrints({
  landmarks,
  echoprint,
  chroma,
}: PrintTraces & { chroma: Codes }): RecordingPrints {
  return {
    triplets: sortCodesByKey('triplets', songCodes(landmarks)),
    echoprint: sortCodesByKey('echoprint', echoprint.codes),
    chroma: sortCodesByKey('chroma', chroma),
  }
}

export function sortCodesByKey(family: Family, { codes, times }: Codes): Codes {
  const bits = keyBitsOf(family)
  const keys = bits === undefined ? codes : codes.map((code) => keyOfCode(code, bits))
  const order = orderByKey(keys, times)
  return { codes: order.map((i) => codes[i]!), times: order.map((i) => times[i]!) }
}
