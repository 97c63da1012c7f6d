import { latin1 } from './bytes.ts'

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

/** The text of a field that a NUL ends, in an encoding that is not stated. */
export function fieldText(bytes: Uint8Array): string | undefined {
  const end = bytes.indexOf(0)
  return cleanText(guessedText(end < 0 ? bytes : bytes.subarray(0, end)))
}

// Bytes 80 to 9f in Windows-1252, which TextDecoder does not decode in all versions of Node.
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/**
 * Text whose encoding is stated as Latin-1 or not at all: UTF-8 where that is valid, Shift-JIS where it
 * looks Japanese, else Windows-1252. A character that is cut off at the end of a field of fixed length
 * is left out.
 */
export function guessedText(bytes: Uint8Array): string {
  if (byteOrder(bytes)) return utf16(bytes, true)
  return utf8(bytes) ?? shiftJis(bytes) ?? windows1252(bytes)
}

function windows1252(bytes: Uint8Array): string {
  return latin1(bytes).replace(/[\x80-\x9f]/g, (sign) => WINDOWS.charAt(sign.charCodeAt(0) - 0x80))
}

function utf8(bytes: Uint8Array): string | undefined {
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

/** Shift-JIS writes hiragana after byte 82, katakana after 83; both are rare in other encodings. */
function shiftJis(bytes: Uint8Array): string | undefined {
  let kana = 0
  let at = 0
  for (; at < bytes.length; at++) {
    const lead = bytes[at]!
    if ((lead >= 0x81 && lead <= 0x9f) || (lead >= 0xe0 && lead <= 0xfc)) {
      if (at + 1 === bytes.length) break
      if (lead === 0x82 || lead === 0x83) kana++
      at++
    } else if (lead >= 0x80) return undefined
  }
  if (kana < 2) return undefined
  try {
    return new TextDecoder('shift_jis', { fatal: true }).decode(bytes.subarray(0, at))
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
