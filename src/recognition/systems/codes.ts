import { zlibSync } from 'fflate/browser'
import { toBase64Url } from '../../values/base64.ts'
import type { Family } from './version.ts'

/**
 * Which key occurs when, in the order of the generator; the unit of the times belongs to the
 * family.
 */
export interface Codes {
  /** Unsigned, at most 31 bits. */
  readonly codes: Uint32Array
  readonly times: Uint32Array
}

/** Where one code occurs; the first `length` elements count. */
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

export const WIRE_VERSIONS: Readonly<Record<WireFamily, string>> = Object.freeze({
  enmfp: '3.15',
  chroma: '3.15',
  echoprint40: '4.0',
  echoprint: '4.12',
})

/** Hexadecimal digits of a time, and of the codes of either system. */
export const TIME_DIGITS = 5
export const KEY_DIGITS = 8
export const HASH_DIGITS = 5
const MAX_CODE_TIME = 0xfffff
/** Echoprint writes fewer codes as an empty string. */
const MIN_HASHES = 3

/**
 * Writes all times, then all codes, as hexadecimal text, deflated, in base64 for addresses. Times
 * of more than five digits are left out.
 */
export function encodeCodes(family: WireFamily, { codes, times }: Codes): string {
  const keys = family === 'enmfp' || family === 'chroma'
  const digits = keys ? KEY_DIGITS : HASH_DIGITS
  const places: number[] = []
  for (const [i, time] of times.entries()) if (time <= MAX_CODE_TIME) places.push(i)
  if (places.length < (keys ? 1 : MIN_HASHES)) return ''
  const text = new Uint8Array(places.length * (TIME_DIGITS + digits))
  let offset = 0
  for (const i of places) offset = writeHex(text, offset, times[i]!, TIME_DIGITS)
  for (const i of places) offset = writeHex(text, offset, codes[i]!, digits)
  return toBase64Url(zlibSync(text))
}

function writeHex(text: Uint8Array, start: number, value: number, digits: number): number {
  for (let i = digits - 1, remaining = value; i >= 0; i--, remaining >>>= 4) {
    const digit = remaining & 15
    text[start + i] = digit < 10 ? 0x30 + digit : 0x57 + digit
  }
  return start + digits
}

export function codeFields(chroma: Codes, echoprint: Codes) {
  return {
    codestring: encodeCodes('chroma', chroma),
    code_version: Number(WIRE_VERSIONS.chroma),
    echoprintstring: encodeCodes('echoprint', echoprint),
    echoprint_version: Number(WIRE_VERSIONS.echoprint),
  }
}
