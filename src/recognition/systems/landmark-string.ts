import { fromBase64, toBase64Url } from '../../values/base64.ts'
import type { Codes } from './codes.ts'
import { MAX_CODES } from './decode-code.ts'
import { orderByKey } from './key-order.ts'
import { PostingsReader, PostingsWriter } from './postings.ts'

/*
 * Landmarks as text: base64 (RFC 4648, section 5) of varints: the count, then for each code its
 * step and its time in frames.
 */

const LANDMARK_VERSION = 'landmarks-2'
/** Bits of a code. */
const LANDMARK_CODE_BITS = 30

/** Whether a version is one of landmarks, even one that is unknown here. */
export function isLandmarkVersion(version: string | number): version is string {
  return typeof version === 'string' && version.startsWith('landmarks-')
}

export function landmarkVersionOf(family: string): string | undefined {
  return family === 'triplets' ? LANDMARK_VERSION : undefined
}

export function encodeLandmarks(codes: Codes): string {
  return toBase64Url(packLandmarks(codes))
}

function packLandmarks({ codes, times }: Codes): Uint8Array {
  const writer = new PostingsWriter()
  writer.beginRun()
  for (const i of orderByKey(codes, times)) writer.addPosting(codes[i]!, times[i]!)
  return writer.endRun()
}

export function decodeLandmarks(
  text: string,
  version: string,
): { family: 'triplets'; codes: Codes } | { codes?: undefined; message: string } {
  if (version !== LANDMARK_VERSION) {
    return invalidLandmarks(
      `The version of the landmarks is "${version}", not ${LANDMARK_VERSION}.`,
    )
  }
  let bytes: Uint8Array
  try {
    bytes = fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return invalidLandmarks('The landmarks are no base64.')
  }
  const reader = new PostingsReader()
  reader.unpackRuns(bytes, 0)
  const { length } = reader
  const { keys, times } = reader.toKeys()
  const codes = { codes: keys, times }
  if (length === 0) return invalidLandmarks('There are no landmarks in the text.')
  if (length > MAX_CODES || keys.some((code) => code >= 2 ** LANDMARK_CODE_BITS)) {
    return invalidLandmarks(
      `The landmarks are damaged: a code has more than ${LANDMARK_CODE_BITS} bits.`,
    )
  }
  // Codes have exactly one text: another one was cut or changed.
  if (Buffer.compare(packLandmarks(codes), bytes) !== 0)
    return invalidLandmarks('The landmarks are damaged.')
  return { family: 'triplets', codes }
}

function invalidLandmarks(message: string): { message: string } {
  return { message }
}
