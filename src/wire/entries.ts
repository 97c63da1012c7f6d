import { JSONParser } from '@streamparser/json'
import { invalidParameter, type ParameterError } from '../values/errors.ts'
import { type Bytes, tooLarge } from './buffered-bytes.ts'
import { fromWire } from './names.ts'
import type { WireLimits } from './options.ts'

/** Bytes that are parsed between two checks of the length of an entry. */
const PART_BYTES = 65_536

/**
 * The entries of a catalog update: `data`, a JSON array of any length, read as a stream. The engine
 * checks the entries.
 *
 * @throws {ParameterError} if the text is not a JSON array, or exceeds a limit
 */
export async function* entriesOf(
  data: Bytes,
  { depth, entryBytes }: Readonly<WireLimits>,
): AsyncGenerator<unknown, void> {
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false })
  let found: unknown[] = []
  let fault: Error | undefined
  let sinceLast = 0
  parser.onValue = ({ value }) => {
    found.push(value)
    sinceLast = 0
  }
  parser.onError = (error) => {
    fault ??= error
  }
  let begun = false
  for await (const piece of data) {
    // Stops at once if the text is not an array.
    if (!begun) begun = opensArray(piece)
    for (const part of parts(piece)) {
      if (parser.isEnded) {
        if (part.every(isSpace)) continue
        throw unreadable('more follows its end')
      }
      parser.write(part)
      if (fault !== undefined) throw unreadable(fault.message)
      sinceLast += part.length
      if (sinceLast > entryBytes + PART_BYTES) {
        throw tooLarge('an entry of data', { name: 'entryBytes', bytes: entryBytes })
      }
      const entries = found
      found = []
      for (const entry of entries) yield recased(entry, depth)
    }
  }
  if (!begun) throw unreadable('it is empty')
  if (!parser.isEnded) throw unreadable('it ends in the middle')
}

/** Divides a piece into parts so small that an entry cannot exceed its limit by much. */
function* parts(piece: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < piece.length; at += PART_BYTES) yield piece.subarray(at, at + PART_BYTES)
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** The byte order mark of UTF-8, which some programs write at the beginning. The parser skips it. */
const MARK = [0xef, 0xbb, 0xbf]

function opensArray(piece: Uint8Array): boolean {
  const first = piece.find((byte) => !isSpace(byte) && !MARK.includes(byte))
  if (first === undefined) return false
  if (first !== 0x5b) throw unreadable('it does not begin with "["')
  return true
}

function recased(entry: unknown, depth: number): unknown {
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

function unreadable(why: string): ParameterError {
  return invalidParameter('data', `must be a JSON array: ${why}`)
}
