import { fromBase64, toBase64Url } from '../../values/base64.ts'
import type { Codes } from './codes.ts'
import { MOST_CODES } from './decode-code.ts'
import { keysByTime } from './key-order.ts'
import { PostingsReader, PostingsWriter } from './postings.ts'

/*
 * Landmarks as text, for `songs.import` and from `recordings.export`. The version names the
 * system and the form: `landmarks-2` are triplets of landmarks.
 *
 * The text is base64 with the alphabet for addresses (RFC 4648, section 5), padded. Its bytes are
 * numbers, seven bits a byte, the lowest first, with the top bit set in all but the last byte of each:
 * the count of codes, then for each, ascending, the step from the code before and the time in frames of
 * 46 ms (512 samples at 11,025 Hz); of the second and later times of one code, the step from the time
 * before. About five bytes a code: 19 kB of text for a song of four minutes.
 */

const VERSION = 'landmarks-2'
/** Bits of a code. */
const BITS = 30

/** Whether a version is one of landmarks, even one that is unknown here. */
export function isLandmarkVersion(version: string | number): version is string {
  return typeof version === 'string' && version.startsWith('landmarks-')
}

/** The version of a family's text; `undefined` for other systems. */
export function landmarkVersionOf(family: string): string | undefined {
  return family === 'triplets' ? VERSION : undefined
}

export function encodeLandmarks(codes: Codes): string {
  return toBase64Url(packed(codes))
}

function packed({ codes, times }: Codes): Uint8Array {
  const writer = new PostingsWriter()
  writer.begin()
  for (const i of keysByTime(codes, times)) writer.add(codes[i]!, times[i]!)
  return writer.end()
}

/**
 * Reads the text of landmarks.
 *
 * @returns the codes, or what is wrong with the text
 */
export function decodeLandmarks(
  text: string,
  version: string,
): { family: 'triplets'; codes: Codes } | { codes?: undefined; message: string } {
  if (version !== VERSION) {
    return wrong(`The version of the landmarks is "${version}", not ${VERSION}.`)
  }
  let bytes: Uint8Array
  try {
    bytes = fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return wrong('The landmarks are no base64.')
  }
  const reader = new PostingsReader()
  reader.unpack(bytes, 0)
  const { length } = reader
  const { keys, times } = reader.copied()
  const codes = { codes: keys, times }
  if (length === 0) return wrong('There are no landmarks in the text.')
  if (length > MOST_CODES || keys.some((code) => code >= 2 ** BITS)) {
    return wrong(`The landmarks are damaged: a code has more than ${BITS} bits.`)
  }
  // Codes have exactly one text: a text that differs from it was cut or changed.
  if (Buffer.compare(packed(codes), bytes) !== 0) return wrong('The landmarks are damaged.')
  return { family: 'triplets', codes }
}

function wrong(message: string): { message: string } {
  return { message }
}
