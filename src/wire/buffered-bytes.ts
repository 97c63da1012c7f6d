import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROCESS_NAME } from '../kernel/process-name.ts'
import { limitExceeded, type ParameterError } from '../values/errors.ts'

/** The bytes of one parameter of a request, in pieces. They can be read once. */
export type Bytes = AsyncIterable<Uint8Array>

/** More bytes than these are written to a temporary file. */
const MAX_MEMORY_BYTES = 256 * 1024
const PIECE_BYTES = 256 * 1024

/**
 * Keeps the bytes of a parameter until the whole request is read, because form parts come in any
 * order.
 */
export class ParameterBuffer {
  readonly #name: string
  readonly #limit: { name: string; bytes: number }
  #pieces: Uint8Array[] = []
  #size = 0
  #file: { handle: FileHandle; path: string } | undefined

  constructor(name: string, limit: { name: string; bytes: number }) {
    this.#name = name
    this.#limit = limit
  }

  /** @throws {ParameterError} `limit_exceeded` */
  async append(bytes: Uint8Array): Promise<void> {
    this.#size += bytes.length
    if (this.#size > this.#limit.bytes) throw tooLarge(this.#name, this.#limit)
    if (this.#file) {
      await this.#file.handle.writeFile(bytes)
      return
    }
    // A copy, because the caller can reuse the memory.
    this.#pieces.push(new Uint8Array(bytes))
    if (this.#size > MAX_MEMORY_BYTES) await this.#moveToFile()
  }

  get size(): number {
    return this.#size
  }

  /** After this call no more bytes can be written. */
  readBytes(): Bytes {
    return this.#file ? readFilePieces(this.#file.handle) : streamOf(this.#pieces)
  }

  async dispose(): Promise<void> {
    this.#pieces = []
    const file = this.#file
    this.#file = undefined
    await file?.handle.close()
    if (file) await rm(file.path, { force: true })
  }

  async #moveToFile(): Promise<void> {
    // The name of the process lets the next start remove what a killed one left.
    const path = join(tmpdir(), `audile-${PROCESS_NAME}-wire-${randomUUID()}`)
    const handle = await open(path, 'wx+', 0o600)
    this.#file = { handle, path }
    for (const piece of this.#pieces) await handle.writeFile(piece)
    this.#pieces = []
  }
}

export function tooLarge(name: string, limit: { name: string; bytes: number }): ParameterError {
  return limitExceeded(name, `it has more than the ${limit.bytes} bytes of limits.${limit.name}`)
}

async function* readFilePieces(handle: FileHandle): AsyncGenerator<Uint8Array, void> {
  for (let position = 0; ; ) {
    const buffer = new Uint8Array(PIECE_BYTES)
    const { bytesRead } = await handle.read(buffer, 0, PIECE_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

export async function* streamOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* pieces
}
