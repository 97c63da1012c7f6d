import { JSONParser } from '@streamparser/json'
import { invalidParameter, type ParameterError } from '../values/errors.ts'
import { type Bytes, tooLarge } from './buffered-bytes.ts'
import { fromWire } from './names.ts'
import type { WireLimits } from './options.ts'

const PARSED_BYTES = 65_536

/**
 * Reads `data` of a catalog update, a JSON array of any length, as a stream.
 * @throws {ParameterError} if it is not a JSON array, or exceeds a limit
 */
export async function* readEntries(
  data: Bytes,
  { depth, entryBytes }: Readonly<WireLimits>,
): AsyncGenerator<unknown, void> {
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false })
  let parsedEntries: unknown[] = []
  let parserError: Error | undefined
  let entryLength = 0
  parser.onValue = ({ value }) => {
    parsedEntries.push(value)
    entryLength = 0
  }
  parser.onError = (error) => {
    parserError ??= error
  }
  let isArray = false
  for await (const piece of data) {
    if (!isArray) isArray = opensArray(piece)
    for (const part of splitPiece(piece)) {
      if (parser.isEnded) {
        if (part.every(isJsonSpace)) continue
        throw notAnArray('more follows its end')
      }
      parser.write(part)
      if (parserError !== undefined) throw notAnArray(parserError.message)
      entryLength += part.length
      if (entryLength > entryBytes + PARSED_BYTES) {
        throw tooLarge('an entry of data', { name: 'entryBytes', bytes: entryBytes })
      }
      const entries = parsedEntries
      parsedEntries = []
      for (const entry of entries) yield toEngineNames(entry, depth)
    }
  }
  if (!isArray) throw notAnArray('it is empty')
  if (!parser.isEnded) throw notAnArray('it ends in the middle')
}

/** Small parts, so that an entry cannot exceed its limit by much. */
function* splitPiece(piece: Uint8Array): Generator<Uint8Array, void> {
  for (let offset = 0; offset < piece.length; offset += PARSED_BYTES)
    yield piece.subarray(offset, offset + PARSED_BYTES)
}

function isJsonSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** The byte order mark of UTF-8; the parser skips it. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

function opensArray(piece: Uint8Array): boolean {
  const first = piece.find((byte) => !isJsonSpace(byte) && !BYTE_ORDER_MARK.includes(byte))
  if (first === undefined) return false
  if (first !== 0x5b) throw notAnArray('it does not begin with "["')
  return true
}

function toEngineNames(entry: unknown, depth: number): unknown {
  try {
    return fromWire(entry, depth)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw invalidParameter(
      'data',
      `an entry is nested deeper than the ${depth} levels of limits.depth`,
    )
  }
}

function notAnArray(reason: string): ParameterError {
  return invalidParameter('data', `must be a JSON array: ${reason}`)
}
