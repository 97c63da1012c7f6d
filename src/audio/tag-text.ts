import { latin1 } from './bytes.ts'
import { type LegacyEncoding, legacyEncodingOf } from './legacy-text.ts'

/** Byte order marks, which some writers leave in front of each value. */
const MARK = /\ufeff/g

/**
 * The first part of a text field that is not empty (NUL separates the parts), without byte order marks
 * and surrounding space.
 */
export function cleanText(text: string): string | undefined {
  for (const value of text.split('\0', 100)) {
    const plain = value.replace(MARK, '').trim()
    if (plain !== '') return plain
  }
  return undefined
}

/** The bytes of a field up to the NUL that ends it. */
export function untilNul(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

/** Reads the bytes of a text. */
export type ReadText = (bytes: Uint8Array) => string

/**
 * Reads the texts of one tag whose encoding is stated as Latin-1, wrongly or not at all: UTF-8 where
 * that is valid, and for all others one encoding, which they suggest together. A character that is
 * cut off at the end of a field of fixed length is left out.
 *
 * @param texts all such texts of the tag
 */
export function guessText(texts: readonly Uint8Array[]): ReadText {
  const legacy = texts.filter((bytes) => !byteOrder(bytes) && utf8(bytes) === undefined)
  const encoding = legacy.length > 0 ? legacyEncodingOf(legacy) : 'windows-1252'
  return (bytes) => {
    if (byteOrder(bytes)) return utf16(bytes, true)
    return (
      utf8(bytes) ?? (encoding === 'windows-1252' ? windows1252(bytes) : whole(bytes, encoding))
    )
  }
}

/** Text that is a tag of its own, read as {@link guessText} does. */
export function guessedText(bytes: Uint8Array): string {
  return guessText([bytes])(bytes)
}

function whole(bytes: Uint8Array, encoding: LegacyEncoding): string {
  return new TextDecoder(encoding).decode(bytes, { stream: true })
}

// Bytes 80 to 9f in Windows-1252, which TextDecoder does not decode in all versions of Node.
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

function windows1252(bytes: Uint8Array): string {
  return latin1(bytes).replace(/[\x80-\x9f]/g, (sign) => WINDOWS.charAt(sign.charCodeAt(0) - 0x80))
}

/** Text in UTF-8; undefined where the bytes are none. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    // As a stream, so that a cut-off last character is no error.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const text = decoder.decode(bytes, { stream: true })
    // A single non-ASCII byte after ASCII is a letter in Latin-1.
    return text.length === bytes.length || Buffer.byteLength(text) > text.length ? text : undefined
  } catch {
    return undefined
  }
}

/** The byte order that a mark states. */
export function byteOrder([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/** UTF-16; a byte order mark overrules `little`. */
export function utf16(bytes: Uint8Array, little: boolean): string {
  const order = byteOrder(bytes) ?? (little ? 'utf-16le' : 'utf-16be')
  return new TextDecoder(order).decode(bytes.subarray(0, bytes.length - (bytes.length % 2)))
}
