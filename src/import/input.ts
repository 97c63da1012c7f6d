import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type ByteSource, ByteStream } from '../values/byte-stream.ts'
import { AudileError, invalidParameter, messageOf, type ParameterError } from '../values/errors.ts'

/** What an importer reads: the path of a file, or its bytes. Both may be gzipped. */
export type ImportInput = string | ByteSource

const PIECE = 1 << 20

/** Compressed formats that are refused, by their first bytes. */
const PACKED: readonly [magic: string, what: string, remedy: string][] = [
  ['fd377a585a00', 'packed by xz', 'unpack it first (xz -d)'],
  ['425a68', 'packed by bzip2', 'unpack it first (bzip2 -d)'],
  ['28b52ffd', 'packed by zstd', 'unpack it first (zstd -d)'],
  ['504b0304', 'a zip archive', 'unzip it and give the file inside'],
]
const LONGEST_MAGIC = 6

/**
 * The bytes of an input, piece by piece. Gzip is detected from the first bytes and unpacked.
 *
 * @throws {ParameterError} when the file does not exist, cannot be read, is cut off, or is another
 * kind of archive
 */
export async function* bytesOf(input: ImportInput): AsyncGenerator<Uint8Array, void> {
  const raw = rawBytesOf(input)
  const first = await head(raw, LONGEST_MAGIC)
  const magic = Buffer.from(first.subarray(0, LONGEST_MAGIC)).toString('hex')
  for (const [start, what, remedy] of PACKED) {
    if (magic.startsWith(start)) throw invalidInput(input, `is ${what}; ${remedy}`)
  }
  const whole = joined(first, raw)
  if (!magic.startsWith('1f8b')) return yield* whole
  // An error of either stream is thrown by the iterator below.
  const unpacked = pipeline(Readable.from(whole), createGunzip({ chunkSize: PIECE >> 2 }), () => {})
  try {
    yield* unpacked as AsyncIterable<Uint8Array>
  } catch (error) {
    if (error instanceof AudileError) throw error
    throw invalidInput(
      input,
      `cannot be unpacked (${messageOf(error)}); download or copy it again`,
      error,
    )
  }
}

/**
 * Looks at the first bytes of an input.
 *
 * @returns `opening`: the first unpacked bytes. `input`: read it instead of the given one, because a
 * stream can be read only once
 */
export async function peekBytes(
  input: ImportInput,
  length: number,
): Promise<{ opening: Uint8Array; input: ImportInput }> {
  const pieces = bytesOf(input)
  const first = await head(pieces, length)
  const opening = first.subarray(0, length)
  if (typeof input !== 'string') return { opening, input: joined(first, pieces) }
  await pieces.return()
  return { opening, input }
}

/** As {@link peekBytes}; the first bytes as Latin-1. */
export async function peek(
  given: ImportInput,
  length: number,
): Promise<{ start: string; input: ImportInput }> {
  const { opening, input } = await peekBytes(given, length)
  return { start: Buffer.from(opening).toString('latin1'), input }
}

/**
 * Whether an input is the path of a folder.
 *
 * @throws {ParameterError} when it is a path that does not exist
 */
export async function isFolder(input: ImportInput): Promise<boolean> {
  if (typeof input !== 'string') return false
  const found = await stat(input).catch((error: unknown) => {
    throw unreadable(input, error)
  })
  return found.isDirectory()
}

/** The files in a folder and the folders below it whose names match, sorted by name in each folder. */
export async function* filesBelow(folder: string, name: RegExp): AsyncGenerator<string, void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadable(folder, error)
  })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path, name)
    else if (name.test(entry.name)) yield path
  }
}

/** An error that names the input, what is wrong with it, and the remedy. */
export function invalidInput(input: unknown, why: string, cause?: unknown): ParameterError {
  return invalidParameter('input', `${nameOf(input)} ${why}`, { cause })
}

export function nameOf(input: unknown): string {
  return typeof input === 'string' ? `"${input}"` : 'what was given'
}

/** The error for a path that the system cannot open. */
function unreadable(path: string, error: unknown): ParameterError {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return invalidInput(path, 'does not exist', error)
  if (code === 'EACCES' || code === 'EPERM') {
    return invalidInput(path, 'may not be read by this process', error)
  }
  if (code === 'EISDIR') return invalidInput(path, 'is a folder; give the file in it', error)
  return invalidInput(path, `cannot be read: ${messageOf(error)}`, error)
}

async function* rawBytesOf(input: ImportInput): AsyncGenerator<Uint8Array, void> {
  if (typeof input === 'string') {
    try {
      yield* createReadStream(input, { highWaterMark: PIECE }) as AsyncIterable<Uint8Array>
    } catch (error) {
      throw unreadable(input, error)
    }
    return
  }
  const stream = new ByteStream(input)
  let ended = false
  try {
    for (;;) {
      const piece = await stream.read()
      if (!piece) break
      yield piece
    }
    ended = true
  } finally {
    if (!ended) stream.cancel()
  }
}

/** The first pieces, joined: at least `length` bytes, or all if there are fewer. */
async function head(pieces: AsyncIterator<Uint8Array>, length: number): Promise<Uint8Array> {
  let bytes: Uint8Array = new Uint8Array(0)
  while (bytes.length < length) {
    const { done, value } = await pieces.next()
    if (done) break
    bytes = bytes.length === 0 ? value : Buffer.concat([bytes, value])
  }
  return bytes
}

async function* joined(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  if (first.length > 0) yield first
  yield* rest
}
