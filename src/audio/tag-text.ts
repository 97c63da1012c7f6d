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

const UTF8 = new TextDecoder('utf-8', { fatal: true })
// Bytes 80 to 9f in Windows-1252, which TextDecoder does not decode in all versions of Node.
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/**
 * Text whose encoding is stated as Latin-1 or not at all: UTF-8 where that is valid, Shift-JIS where it
 * looks Japanese, else Windows-1252. A character that is cut off at the end of a field of fixed length
 * is left out.
 */
export function guessedText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16(bytes, true)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16(bytes, false)
  return utf8(bytes) ?? shiftJis(bytes) ?? windows1252(bytes)
}

function windows1252(bytes: Uint8Array): string {
  return latin1(bytes).replace(/[\x80-\x9f]/g, (sign) => WINDOWS.charAt(sign.charCodeAt(0) - 0x80))
}

function utf8(bytes: Uint8Array): string | undefined {
  // At most three bytes are left of a character that is cut off, the first of them c2 or more.
  for (let cut = 0; cut <= 3 && cut < bytes.length; cut++) {
    const whole = bytes.subarray(0, bytes.length - cut)
    if (cut > 0 && (bytes[whole.length]! < 0xc2 || whole.every((byte) => byte < 0x80))) continue
    try {
      return UTF8.decode(whole)
    } catch {}
  }
  return undefined
}

/**
 * Shift-JIS writes hiragana behind a byte 82 and katakana behind 83. In other encodings those bytes are
 * rare, and never a quarter of the bytes above 7f.
 */
function shiftJis(bytes: Uint8Array): string | undefined {
  let double = 0
  let kana = 0
  let high = 0
  let at = 0
  for (; at < bytes.length; at++) {
    const lead = bytes[at]!
    if (lead >= 0x80) high++
    if ((lead >= 0x81 && lead <= 0x9f) || (lead >= 0xe0 && lead <= 0xfc)) {
      if (at + 1 === bytes.length) break
      double++
      if (lead === 0x82 || lead === 0x83) kana++
      at++
    } else if (lead >= 0x80) return undefined
  }
  if (double < 2 || kana < 2 || kana * 4 < high) return undefined
  try {
    return new TextDecoder('shift_jis', { fatal: true }).decode(bytes.subarray(0, at))
  } catch {
    return undefined
  }
}

/** UTF-16; a byte order mark overrules `little`. */
export function utf16(bytes: Uint8Array, little: boolean): string {
  const marked = bytes[0] === 0xff && bytes[1] === 0xfe
  const swapped = bytes[0] === 0xfe && bytes[1] === 0xff
  const order = marked || (little && !swapped) ? 'utf-16le' : 'utf-16be'
  return new TextDecoder(order).decode(bytes.subarray(0, bytes.length - (bytes.length % 2)))
}
