import { zlibSync } from 'fflate/browser'
import { toBase64Url } from '../../base64.ts'
import type { Family } from './version.ts'

/**
 * A fingerprint as lists: which key occurs when. Parallel arrays in the order their generator emits
 * them; the unit of the times belongs to the family (see version.ts).
 */
export interface Codes {
  /** Unsigned, at most 31 bits. */
  readonly codes: Uint32Array
  readonly times: Uint32Array
}

/** Where one code occurs: parallel arrays, of which the first `length` elements count. */
export interface Postings {
  readonly songs: Uint32Array
  /** In the family's unit. */
  readonly times: Uint32Array
  readonly length: number
}

/** What the matcher asks of an index of one family of codes. */
export interface Lookup {
  /** Every song's number is below this; removed songs may leave gaps. */
  readonly songs: number
  /** About how many postings a code has; 0 means certainly none. Cheap: asked for every code. */
  frequency(code: number): number
  /** All postings of a code, in any order. The next call may overwrite them. */
  postings(code: number): Postings
}

/** A family that has code strings. */
export type WireFamily = Exclude<Family, 'triplets'>

/** The version that goes with a code string of each family. */
export const WIRE_VERSION: Readonly<Record<WireFamily, string>> = Object.freeze({
  enmfp: '3.15',
  chroma: '3.15',
  echoprint40: '4.0',
  echoprint: '4.12',
})

/** Hexadecimal digits of a time, and of the codes of either system. */
export const TIME_DIGITS = 5
export const KEY_DIGITS = 8
export const HASH_DIGITS = 5
const LAST_TIME = 0xfffff
/** Fewer codes than this are not worth a string: Echoprint then writes an empty one. */
const FEWEST_HASHES = 3

/**
 * Writes codes as the text that the services of the time exchanged: all times as five hexadecimal
 * digits, then all codes (eight digits in system A, five in Echoprint), deflated, as base64 with
 * the alphabet that suits addresses.
 *
 * Pairs whose time has more than five digits are left out: from 17 minutes on in system A (ms), from
 * 6.7 hours on in Echoprint.
 *
 * @returns '' when there are too few codes
 */
export function encodeCodes(family: WireFamily, { codes, times }: Codes): string {
  const keys = family === 'enmfp' || family === 'chroma'
  const digits = keys ? KEY_DIGITS : HASH_DIGITS
  const kept: number[] = []
  for (const [i, time] of times.entries()) if (time <= LAST_TIME) kept.push(i)
  if (kept.length < (keys ? 1 : FEWEST_HASHES)) return ''
  const text = new Uint8Array(kept.length * (TIME_DIGITS + digits))
  let at = 0
  for (const i of kept) at = writeHex(text, at, times[i]!, TIME_DIGITS)
  for (const i of kept) at = writeHex(text, at, codes[i]!, digits)
  return toBase64Url(zlibSync(text))
}

/** Writes a number's lowest digits; returns the position after them. */
function writeHex(text: Uint8Array, from: number, value: number, digits: number): number {
  for (let i = digits - 1, rest = value; i >= 0; i--, rest >>>= 4) {
    const digit = rest & 15
    text[from + i] = digit < 10 ? 0x30 + digit : 0x57 + digit
  }
  return from + digits
}

/** The fields of an analysis that hold its fingerprints. */
export function codeFields(chroma: Codes, echoprint: Codes) {
  return {
    codestring: encodeCodes('chroma', chroma),
    code_version: Number(WIRE_VERSION.chroma),
    echoprintstring: encodeCodes('echoprint', echoprint),
    echoprint_version: Number(WIRE_VERSION.echoprint),
  }
}
