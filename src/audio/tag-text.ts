import { latin1 } from './bytes.ts'
import { type LegacyEncoding, legacyEncodingOf } from './legacy-text.ts'

/** Byte order marks, which some writers leave in front of each value. */
const BYTE_ORDER_MARK = /\ufeff/g

/** NUL separates parts; marks and surrounding space are removed. */
export function cleanText(text: string): string | undefined {
  for (const value of text.split('\0', 100)) {
    const plain = value.replace(BYTE_ORDER_MARK, '').trim()
    if (plain !== '') return plain
  }
  return undefined
}

export function cutAtNul(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

export type ReadText = (bytes: Uint8Array) => string

/** UTF-8 where that is valid; all other texts of the tag suggest one encoding together. */
export function guessText(texts: readonly Uint8Array[]): ReadText {
  const legacy = texts.filter((bytes) => !byteOrder(bytes) && decodeUtf8(bytes) === undefined)
  const encoding = legacy.length > 0 ? legacyEncodingOf(legacy) : 'windows-1252'
  return (bytes) => {
    if (byteOrder(bytes)) return decodeUtf16(bytes, true)
    return (
      decodeUtf8(bytes) ??
      (encoding === 'windows-1252' ? decodeWindows1252(bytes) : decodeLegacy(bytes, encoding))
    )
  }
}

/** Text that is a tag of its own. */
export function readGuessedText(bytes: Uint8Array): string {
  return guessText([bytes])(bytes)
}

function decodeLegacy(bytes: Uint8Array, encoding: LegacyEncoding): string {
  return new TextDecoder(encoding).decode(bytes, { stream: true })
}

// Bytes 80 to 9f in Windows-1252, which TextDecoder does not decode in all versions of Node.
const WINDOWS_1252_SIGNS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

function decodeWindows1252(bytes: Uint8Array): string {
  return latin1(bytes).replace(/[\x80-\x9f]/g, (sign) =>
    WINDOWS_1252_SIGNS.charAt(sign.charCodeAt(0) - 0x80),
  )
}

/** Undefined where the bytes are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
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
export function decodeUtf16(bytes: Uint8Array, isLittleEndian: boolean): string {
  const order = byteOrder(bytes) ?? (isLittleEndian ? 'utf-16le' : 'utf-16be')
  return new TextDecoder(order).decode(bytes.subarray(0, bytes.length - (bytes.length % 2)))
}
