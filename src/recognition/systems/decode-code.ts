import { inflateSync } from 'node:zlib'
import { type Codes, HASH_DIGITS, KEY_DIGITS, TIME_DIGITS, type WireFamily } from './codes.ts'

/** Half as much again as Echoprint makes of the longest recording. */
export const MAX_CODES = 2 ** 20
export const MAX_CODE_CHARACTERS = 6 * 2 ** 20

/** What a code string holds, or a sentence that says why it cannot be read. */
type DecodedCode =
  | { readonly family: WireFamily; readonly codes: Codes }
  | { readonly codes?: undefined; readonly message: string }

/** The bit that distinguishes our keys from those of the old service. */
const OWN_KEY_BIT = 2 ** 30
/** A key has three symbols of ten bits. */
const SYMBOL_BITS = 10
/** The old service rounded times to multiples of this, milliseconds. */
const KEY_TIME_STEP = 32
const MAX_CODE_TEXT_BYTES = MAX_CODES * (TIME_DIGITS + KEY_DIGITS)

/**
 * Reads a code string of any family, in either base64 alphabet or as decimals. Invalid system A may
 * be Echoprint: clients leave the version out.
 */
export function decodeCode(text: unknown, version?: unknown): DecodedCode {
  const system = systemOf(version)
  if (system === undefined) {
    const known = '3.13, 3.15, 4.0, 4.11 or 4.12'
    return { message: `The version of the code is ${describeValue(version)}, not ${known}.` }
  }
  const bytes = inflateCode(text)
  if (typeof bytes === 'string') return { message: bytes }
  const flaws: string[] = []
  if (system === 'A') {
    const keys = readCodePairs(bytes, KEY_DIGITS)
    if (typeof keys !== 'string' && areOwnKeys(keys)) return { family: 'chroma', codes: keys }
    const flaw = typeof keys === 'string' ? keys : findKeyFlaw(keys)
    if (typeof keys !== 'string' && flaw === undefined) return { family: 'enmfp', codes: keys }
    flaws.push(`as system A ${flaw}`)
  }
  const hashes = readCodePairs(bytes, HASH_DIGITS)
  if (typeof hashes === 'string') flaws.push(`as Echoprint ${hashes}`)
  else if (hashes.codes.some((code) => code >= 16 ** HASH_DIGITS)) {
    flaws.push('as Echoprint it has a code of more than 20 bits')
  } else return { family: system === 'A' ? 'echoprint' : system, codes: hashes }
  return { message: `The code inflates to a text that holds no codes: ${flaws.join('; ')}.` }
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

function inflateCode(text: unknown): Uint8Array | string {
  if (typeof text !== 'string') return `The code is ${describeValue(text)}, not a string.`
  if (text.length > MAX_CODE_CHARACTERS) {
    const length = text.length.toLocaleString('en')
    const maxLength = MAX_CODE_CHARACTERS.toLocaleString('en')
    return `The code has ${length} characters; ${maxLength} are the most.`
  }
  const code = text.trim()
  if (code === '') return 'The code is empty: there was too little sound for one.'
  const oddPlace = code.search(/[^A-Za-z0-9+/_-]/)
  if (oddPlace >= 0 && !/^={1,2}$/.test(code.slice(oddPlace, oddPlace + 3))) {
    return `The code is no base64: at ${oddPlace} it has ${describeValue(code[oddPlace])}.`
  }
  if ((oddPlace >= 0 ? oddPlace : code.length) % 4 === 1) {
    return 'The code is no base64 of that length: a part is missing or added.'
  }
  const bytes = Buffer.from(code, 'base64')
  // RFC 1950: the method, and a check of the first two bytes.
  if (bytes.length < 2 || bytes.readUInt8(0) % 16 !== 8 || bytes.readUInt16BE(0) % 31 !== 0) {
    return 'The code does not begin as zlib data does.'
  }
  try {
    const result = inflateSync(bytes, { maxOutputLength: MAX_CODE_TEXT_BYTES, info: true })
    const { buffer, engine } = result as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    if (engine.bytesWritten < bytes.length) {
      const more = bytes.length - engine.bytesWritten
      return `The code has ${more} bytes after the end of its zlib data.`
    }
    return trimSpace(buffer)
  } catch (error) {
    const { code: name, message } = error as NodeJS.ErrnoException
    return name === 'ERR_BUFFER_TOO_LARGE'
      ? `The code inflates to more than ${MAX_CODES.toLocaleString('en')} codes.`
      : `The code's zlib data is damaged: ${message}.`
  }
}

function trimSpace(bytes: Uint8Array): Uint8Array {
  let start = 0
  let end = bytes.length
  while (start < end && isSpaceByte(bytes[start]!)) start++
  while (start < end && isSpaceByte(bytes[end - 1]!)) end--
  return bytes.subarray(start, end)
}

function readCodePairs(text: Uint8Array, digits: number): Codes | string {
  if (text.length === 0) return 'it is empty'
  return text.includes(0x20) ? readDecimalPairs(text) : readHexPairs(text, digits)
}

function readHexPairs(text: Uint8Array, digits: number): Codes | string {
  const width = TIME_DIGITS + digits
  if (text.length % width !== 0) {
    return `its ${text.length} characters are no multiple of ${width}`
  }
  const count = text.length / width
  if (count > MAX_CODES) return `it has more than ${MAX_CODES} codes`
  // A plain loop: findIndex is slow on millions of digits.
  for (let i = 0; i < text.length; i++) {
    if (NIBBLES[text[i]!]! > 15)
      return `it has ${describeValue(String.fromCharCode(text[i]!))} at ${i}`
  }
  const times = new Uint32Array(count)
  const codes = new Uint32Array(count)
  let offset = 0
  for (let i = 0; i < count; i++, offset += TIME_DIGITS)
    times[i] = readHex(text, offset, TIME_DIGITS)
  for (let i = 0; i < count; i++, offset += digits) codes[i] = readHex(text, offset, digits)
  return { codes, times }
}

function readDecimalPairs(text: Uint8Array): Codes | string {
  let numbers = 0
  for (let i = 0; i < text.length; i++) {
    if (!isSpaceByte(text[i]!) && (i === 0 || isSpaceByte(text[i - 1]!))) numbers++
  }
  if (numbers % 2 !== 0) return `its ${numbers} numbers are no pairs`
  if (numbers > 2 * MAX_CODES) return `it has more than ${MAX_CODES} codes`
  const values = [new Uint32Array(numbers / 2), new Uint32Array(numbers / 2)] as const
  for (let i = 0, offset = 0; i < numbers; i++) {
    while (isSpaceByte(text[offset]!)) offset++
    let value = 0
    for (; offset < text.length && !isSpaceByte(text[offset]!); offset++) {
      const digit = text[offset]! - 0x30
      if (digit < 0 || digit > 9)
        return `it has ${describeValue(String.fromCharCode(text[offset]!))} at ${offset}`
      value = value * 10 + digit
      if (value >= 2 ** 31) return `it has a number of more than 31 bits at ${offset}`
    }
    values[i % 2]![i >> 1] = value
  }
  return { codes: values[0], times: values[1] }
}

function areOwnKeys({ codes }: Codes): boolean {
  return codes.every((code) => code >= OWN_KEY_BIT && code < 2 * OWN_KEY_BIT)
}

/** Describes what keys of the old service's system A would not have. */
function findKeyFlaw({ codes, times }: Codes): string | undefined {
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!
    const time = times[i]!
    if (code >= OWN_KEY_BIT) return `code ${i} has more than 30 bits`
    if (time % KEY_TIME_STEP !== 0) return `time ${i} is no multiple of ${KEY_TIME_STEP} ms`
    if (i === 0) continue
    if (time < times[i - 1]!) return `time ${i} is earlier than the one before`
    // The newest symbol is the highest; the two older ones move down.
    if (code % 2 ** (2 * SYMBOL_BITS) !== codes[i - 1]! >>> SYMBOL_BITS) {
      return `code ${i} does not continue the one before`
    }
  }
  return undefined
}

const NIBBLES = new Uint8Array(256).fill(255)
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16)
  NIBBLES[digit.charCodeAt(0)] = value
  NIBBLES[digit.toUpperCase().charCodeAt(0)] = value
}

function readHex(text: Uint8Array, start: number, digits: number): number {
  let value = 0
  for (let i = start; i < start + digits; i++) value = value * 16 + NIBBLES[text[i]!]!
  return value
}

function isSpaceByte(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  return typeof value === 'number'
    ? String(value)
    : value === null
      ? 'null'
      : `of type ${typeof value}`
}
