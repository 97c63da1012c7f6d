import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type ByteSource, ByteStream } from '../byte-stream.ts'
import { AudileError, ParameterError } from '../errors.ts'

/** What an importer reads: the path of a file, or its bytes. */
export type ImportInput = string | ByteSource

/** Bytes read at a time. */
const READ = 1 << 20

/** Archives are told by their first bytes; gzip is unpacked, of the others it is said how. */
const PACKED: readonly [magic: string, what: string, remedy: string][] = [
  ['fd377a585a00', 'packed by xz', 'unpack it first (xz -d)'],
  ['425a68', 'packed by bzip2', 'unpack it first (bzip2 -d)'],
  ['28b52ffd', 'packed by zstd', 'unpack it first (zstd -d)'],
  ['504b0304', 'a zip archive', 'unzip it and give what is in it'],
]
const LONGEST_MAGIC = 6

/**
 * The bytes of an input, piece by piece; those of a gzip file unpacked, whatever its name.
 *
 * @throws {ParameterError} when there is no such file, it cannot be read, is cut off, or is packed
 * in another way
 */
export async function* bytesOf(input: ImportInput): AsyncGenerator<Uint8Array, void> {
  const raw = rawBytesOf(input)
  const first = await head(raw, LONGEST_MAGIC)
  const magic = Buffer.from(first.subarray(0, LONGEST_MAGIC)).toString('hex')
  for (const [start, what, remedy] of PACKED) {
    if (magic.startsWith(start)) throw invalid(input, `is ${what}; ${remedy}`)
  }
  const whole = joined(first, raw)
  if (!magic.startsWith('1f8b')) return yield* whole
  // The stream that is iterated tells the error, of whichever of the two.
  const unpacked = pipeline(Readable.from(whole), createGunzip({ chunkSize: READ >> 2 }), () => {})
  try {
    yield* unpacked as AsyncIterable<Uint8Array>
  } catch (error) {
    if (error instanceof AudileError) throw error
    throw invalid(input, `cannot be unpacked (${reasonOf(error)}); get it anew`, error)
  }
}

/**
 * The first bytes of an input, unpacked, fewer where it has no more; and the input to be read on,
 * which is another where bytes come only once.
 */
export async function peek(
  input: ImportInput,
  length: number,
): Promise<{ first: Uint8Array; input: ImportInput }> {
  const pieces = bytesOf(input)
  const first = await head(pieces, length)
  if (typeof input !== 'string') return { first, input: joined(first, pieces) }
  await pieces.return()
  return { first, input }
}

/** An error that says which input is at fault, what is wrong with it, and what helps. */
export function invalid(input: ImportInput, why: string, cause?: unknown): ParameterError {
  return new ParameterError(
    'invalid_parameter',
    `input - Invalid parameter: ${nameOf(input)} ${why}`,
    cause === undefined ? undefined : { cause },
  )
}

/** An input as messages call it. */
export function nameOf(input: ImportInput): string {
  return typeof input === 'string' ? `"${input}"` : 'what was given'
}

/** What an error of the system says. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** That a path cannot be opened, in words. */
export function unreadable(path: string, error: unknown): ParameterError {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return invalid(path, 'does not exist', error)
  if (code === 'EACCES' || code === 'EPERM') {
    return invalid(path, 'may not be read by this process', error)
  }
  if (code === 'EISDIR') return invalid(path, 'is a folder; give the file that is meant', error)
  return invalid(path, `cannot be read: ${reasonOf(error)}`, error)
}

async function* rawBytesOf(input: ImportInput): AsyncGenerator<Uint8Array, void> {
  if (typeof input === 'string') {
    try {
      yield* createReadStream(input, { highWaterMark: READ }) as AsyncIterable<Uint8Array>
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

/** As many pieces as make up so many bytes, as one. */
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
