import { inflateSync } from 'node:zlib'
import { type Codes, HASH_DIGITS, KEY_DIGITS, TIME_DIGITS, type WireFamily } from './codes.ts'

/** Pairs of a code string at most: half as much again as Echoprint makes of the longest recording. */
export const MOST_CODES = 2 ** 20
/** Characters of a code string at most: so many pairs take some 5 MB, and white space is cheap. */
export const MOST_CHARACTERS = 6 * 2 ** 20

/** What a code string holds, or a sentence that says why it cannot be read. */
type Decoded =
  | { readonly family: WireFamily; readonly codes: Codes }
  | { readonly codes?: undefined; readonly message: string }

/** The bit that distinguishes our keys from those of the old service. */
const OURS = 2 ** 30
/** A key has three symbols of ten bits. */
const SYMBOL = 10
/** The old service rounded times to multiples of this, milliseconds. */
const KEY_STEP = 32
const MOST_INFLATED = MOST_CODES * (TIME_DIGITS + KEY_DIGITS)

/**
 * Reads a code string of any family. Both alphabets of base64 are accepted, with or without padding
 * and with white space around; a text with spaces in it holds "code time code time …" as decimals.
 *
 * The version tells the system: 3.13 and 3.15 (also when none is given) system A, 4.0, 4.11 and
 * 4.12 Echoprint. A string that is invalid as system A but valid as Echoprint counts as Echoprint
 * 4.12, because clients often leave the version out.
 */
export function decodeCode(text: unknown, version?: unknown): Decoded {
  const system = systemOf(version)
  if (system === undefined) {
    const known = '3.13, 3.15, 4.0, 4.11 or 4.12'
    return { message: `The version of the code is ${shown(version)}, not ${known}.` }
  }
  const bytes = inflated(text)
  if (typeof bytes === 'string') return { message: bytes }
  const wrong: string[] = []
  if (system === 'A') {
    const keys = pairsOf(bytes, KEY_DIGITS)
    if (typeof keys !== 'string' && areOurs(keys)) return { family: 'chroma', codes: keys }
    const flaw = typeof keys === 'string' ? keys : flawOf(keys)
    if (typeof keys !== 'string' && flaw === undefined) return { family: 'enmfp', codes: keys }
    wrong.push(`as system A ${flaw}`)
  }
  const hashes = pairsOf(bytes, HASH_DIGITS)
  if (typeof hashes === 'string') wrong.push(`as Echoprint ${hashes}`)
  else if (hashes.codes.some((code) => code >= 16 ** HASH_DIGITS)) {
    wrong.push('as Echoprint it has a code of more than 20 bits')
  } else return { family: system === 'A' ? 'echoprint' : system, codes: hashes }
  return { message: `The code inflates to a text that holds no codes: ${wrong.join('; ')}.` }
}

function systemOf(version: unknown): 'A' | 'echoprint40' | 'echoprint' | undefined {
  if (version === undefined || version === null) return 'A'
  if (typeof version !== 'string' && typeof version !== 'number') return undefined
  switch (Number(version)) {
    case 3.13:
    case 3.15:
      return 'A'
    case 4:
      return 'echoprint40'
    case 4.11:
    case 4.12:
      return 'echoprint'
    default:
      return undefined
  }
}

/** The text inside a code string, without white space around it; or what is wrong. */
function inflated(text: unknown): Uint8Array | string {
  if (typeof text !== 'string') return `The code is ${shown(text)}, not a string.`
  if (text.length > MOST_CHARACTERS) {
    const length = text.length.toLocaleString('en')
    const most = MOST_CHARACTERS.toLocaleString('en')
    return `The code has ${length} characters; ${most} are the most.`
  }
  const code = text.trim()
  if (code === '') return 'The code is empty: there was too little sound for one.'
  const odd = code.search(/[^A-Za-z0-9+/_-]/)
  if (odd >= 0 && !/^={1,2}$/.test(code.slice(odd, odd + 3))) {
    return `The code is no base64: at ${odd} it has ${shown(code[odd])}.`
  }
  if ((odd >= 0 ? odd : code.length) % 4 === 1) {
    return 'The code is no base64 of that length: a part is missing or added.'
  }
  const bytes = Buffer.from(code, 'base64')
  // RFC 1950: the method, and a check of the first two bytes.
  if (bytes.length < 2 || bytes.readUInt8(0) % 16 !== 8 || bytes.readUInt16BE(0) % 31 !== 0) {
    return 'The code does not begin as zlib data does.'
  }
  try {
    const result = inflateSync(bytes, { maxOutputLength: MOST_INFLATED, info: true })
    const { buffer, engine } = result as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    if (engine.bytesWritten < bytes.length) {
      const more = bytes.length - engine.bytesWritten
      return `The code has ${more} bytes after the end of its zlib data.`
    }
    return trimmed(buffer)
  } catch (error) {
    const { code: name, message } = error as NodeJS.ErrnoException
    return name === 'ERR_BUFFER_TOO_LARGE'
      ? `The code inflates to more than ${MOST_CODES.toLocaleString('en')} codes.`
      : `The code's zlib data is damaged: ${message}.`
  }
}

function trimmed(bytes: Uint8Array): Uint8Array {
  let from = 0
  let to = bytes.length
  while (from < to && isSpace(bytes[from]!)) from++
  while (from < to && isSpace(bytes[to - 1]!)) to--
  return bytes.subarray(from, to)
}

/** Reads pairs whose codes have so many digits, unless they are decimals; or says what is wrong. */
function pairsOf(text: Uint8Array, digits: number): Codes | string {
  if (text.length === 0) return 'it is empty'
  return text.includes(0x20) ? decimalPairs(text) : hexPairs(text, digits)
}

function hexPairs(text: Uint8Array, digits: number): Codes | string {
  const width = TIME_DIGITS + digits
  if (text.length % width !== 0) {
    return `its ${text.length} characters are no multiple of ${width}`
  }
  const count = text.length / width
  if (count > MOST_CODES) return `it has more than ${MOST_CODES} codes`
  // A plain loop: findIndex takes ten times as long, and a few kB inflate to 13 million digits.
  for (let i = 0; i < text.length; i++) {
    if (NIBBLE[text[i]!]! > 15) return `it has ${shown(String.fromCharCode(text[i]!))} at ${i}`
  }
  const times = new Uint32Array(count)
  const codes = new Uint32Array(count)
  let at = 0
  for (let i = 0; i < count; i++, at += TIME_DIGITS) times[i] = readHex(text, at, TIME_DIGITS)
  for (let i = 0; i < count; i++, at += digits) codes[i] = readHex(text, at, digits)
  return { codes, times }
}

function decimalPairs(text: Uint8Array): Codes | string {
  let numbers = 0
  for (let i = 0; i < text.length; i++) {
    if (!isSpace(text[i]!) && (i === 0 || isSpace(text[i - 1]!))) numbers++
  }
  if (numbers % 2 !== 0) return `its ${numbers} numbers are no pairs`
  if (numbers > 2 * MOST_CODES) return `it has more than ${MOST_CODES} codes`
  const values = [new Uint32Array(numbers / 2), new Uint32Array(numbers / 2)] as const
  for (let i = 0, at = 0; i < numbers; i++) {
    while (isSpace(text[at]!)) at++
    let value = 0
    for (; at < text.length && !isSpace(text[at]!); at++) {
      const digit = text[at]! - 0x30
      if (digit < 0 || digit > 9) return `it has ${shown(String.fromCharCode(text[at]!))} at ${at}`
      value = value * 10 + digit
      if (value >= 2 ** 31) return `it has a number of more than 31 bits at ${at}`
    }
    values[i % 2]![i >> 1] = value
  }
  return { codes: values[0], times: values[1] }
}

function areOurs({ codes }: Codes): boolean {
  return codes.every((code) => code >= OURS && code < 2 * OURS)
}

/** Describes what keys of the old service's system A would not have. */
function flawOf({ codes, times }: Codes): string | undefined {
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!
    const time = times[i]!
    if (code >= OURS) return `code ${i} has more than 30 bits`
    if (time % KEY_STEP !== 0) return `time ${i} is no multiple of ${KEY_STEP} ms`
    if (i === 0) continue
    if (time < times[i - 1]!) return `time ${i} is earlier than the one before`
    // The newest symbol is the highest; the two older ones move down.
    if (code % 2 ** (2 * SYMBOL) !== codes[i - 1]! >>> SYMBOL) {
      return `code ${i} does not continue the one before`
    }
  }
  return undefined
}

const NIBBLE = new Uint8Array(256).fill(255)
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16)
  NIBBLE[digit.charCodeAt(0)] = value
  NIBBLE[digit.toUpperCase().charCodeAt(0)] = value
}

function readHex(text: Uint8Array, from: number, digits: number): number {
  let value = 0
  for (let i = from; i < from + digits; i++) value = value * 16 + NIBBLE[text[i]!]!
  return value
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  return typeof value === 'number'
    ? String(value)
    : value === null
      ? 'null'
      : `of type ${typeof value}`
}
