import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type ByteSource, ByteStream } from '../values/byte-stream.ts'
import { AudileError, invalidParameter, messageOf, type ParameterError } from '../values/errors.ts'

/** What an importer reads: the path of a file, or its bytes. Both may be gzipped. */
export type ImportInput = string | ByteSource

const INPUT_PIECE_BYTES = 1 << 20

/** By their first bytes. */
const PACKED_FORMATS: readonly [magic: string, what: string, remedy: string][] = [
  ['fd377a585a00', 'packed by xz', 'unpack it first (xz -d)'],
  ['425a68', 'packed by bzip2', 'unpack it first (bzip2 -d)'],
  ['28b52ffd', 'packed by zstd', 'unpack it first (zstd -d)'],
  ['504b0304', 'a zip archive', 'unzip it and give the file inside'],
]
const MAX_MAGIC_BYTES = 6

/**
 * Piece by piece, with gzip unpacked.
 *
 * @throws {ParameterError} when the file cannot be read, is cut off, or is another kind of archive
 */
export async function* inputBytes(input: ImportInput): AsyncGenerator<Uint8Array, void> {
  const raw = rawInputBytes(input)
  const firstBytes = await readFirstBytes(raw, MAX_MAGIC_BYTES)
  const magic = Buffer.from(firstBytes.subarray(0, MAX_MAGIC_BYTES)).toString('hex')
  for (const [start, what, remedy] of PACKED_FORMATS) {
    if (magic.startsWith(start)) throw invalidInput(input, `is ${what}; ${remedy}`)
  }
  const wholeInput = joinedPieces(firstBytes, raw)
  if (!magic.startsWith('1f8b')) return yield* wholeInput
  // The iterator below throws an error of either stream.
  const unpacked = pipeline(
    Readable.from(wholeInput),
    createGunzip({ chunkSize: INPUT_PIECE_BYTES >> 2 }),
    () => {},
  )
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
 * @returns `opening`: the first unpacked bytes. `input`: read it instead, because a stream can be
 * read only once
 */
export async function peekBytes(
  input: ImportInput,
  length: number,
): Promise<{ opening: Uint8Array; input: ImportInput }> {
  const pieces = inputBytes(input)
  const firstBytes = await readFirstBytes(pieces, length)
  const opening = firstBytes.subarray(0, length)
  if (typeof input !== 'string') return { opening, input: joinedPieces(firstBytes, pieces) }
  await pieces.return()
  return { opening, input }
}

/** As Latin-1. */
export async function peekText(
  givenInput: ImportInput,
  length: number,
): Promise<{ start: string; input: ImportInput }> {
  const { opening, input } = await peekBytes(givenInput, length)
  return { start: Buffer.from(opening).toString('latin1'), input }
}

/** @throws {ParameterError} when it is a path that does not exist */
export async function isFolderPath(input: ImportInput): Promise<boolean> {
  if (typeof input !== 'string') return false
  const stats = await stat(input).catch((error: unknown) => {
    throw unreadablePath(input, error)
  })
  return stats.isDirectory()
}

/** Sorted by name in each folder. */
export async function* filesBelow(folder: string, name: RegExp): AsyncGenerator<string, void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadablePath(folder, error)
  })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path, name)
    else if (name.test(entry.name)) yield path
  }
}

export function invalidInput(input: unknown, why: string, cause?: unknown): ParameterError {
  return invalidParameter('input', `${inputName(input)} ${why}`, { cause })
}

export function inputName(input: unknown): string {
  return typeof input === 'string' ? `"${input}"` : 'what was given'
}

function unreadablePath(path: string, error: unknown): ParameterError {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return invalidInput(path, 'does not exist', error)
  if (code === 'EACCES' || code === 'EPERM') {
    return invalidInput(path, 'may not be read by this process', error)
  }
  if (code === 'EISDIR') return invalidInput(path, 'is a folder; give the file in it', error)
  return invalidInput(path, `cannot be read: ${messageOf(error)}`, error)
}

async function* rawInputBytes(input: ImportInput): AsyncGenerator<Uint8Array, void> {
  if (typeof input === 'string') {
    try {
      yield* createReadStream(input, {
        highWaterMark: INPUT_PIECE_BYTES,
      }) as AsyncIterable<Uint8Array>
    } catch (error) {
      throw unreadablePath(input, error)
    }
    return
  }
  const stream = new ByteStream(input)
  let hasEnded = false
  try {
    for (;;) {
      const piece = await stream.read()
      if (!piece) break
      yield piece
    }
    hasEnded = true
  } finally {
    if (!hasEnded) stream.cancel()
  }
}

/** At least `length` bytes, or all if there are fewer. */
async function readFirstBytes(
  pieces: AsyncIterator<Uint8Array>,
  length: number,
): Promise<Uint8Array> {
  let bytes: Uint8Array = new Uint8Array(0)
  while (bytes.length < length) {
    const { done, value } = await pieces.next()
    if (done) break
    bytes = bytes.length === 0 ? value : Buffer.concat([bytes, value])
  }
  return bytes
}

async function* joinedPieces(
  firstPiece: Uint8Array,
  morePieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  if (firstPiece.length > 0) yield firstPiece
  yield* morePieces
}
