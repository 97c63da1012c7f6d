import { type FileHandle, open } from 'node:fs/promises'
import { DecodeError } from '../errors.ts'

/** Bytes that can be read at any position: a file, or a part of one. */
export interface ByteSource {
  /** How many bytes there are. */
  readonly size: number
  /**
   * Up to `length` bytes from `position` on, fewer at the end and none behind it. The array is the
   * caller's own and starts at offset 0 of its buffer.
   */
  read(position: number, length: number): Promise<Uint8Array<ArrayBuffer>>
}

/** Bytes per sequential read. */
export const READ_BYTES = 262_144

/** A file opened for reading. */
export class FileSource implements ByteSource {
  readonly path: string
  readonly size: number
  readonly #file: FileHandle

  private constructor(path: string, file: FileHandle, size: number) {
    this.path = path
    this.#file = file
    this.size = size
  }

  /** @throws DecodeError when there is no such file, or it may not be read; the system's error is its `cause` */
  static async open(path: string): Promise<FileSource> {
    let file: FileHandle | undefined
    try {
      file = await open(path, 'r')
      const stat = await file.stat()
      if (!stat.isFile()) throw new DecodeError(`${path} is not a file.`)
      return new FileSource(path, file, stat.size)
    } catch (error) {
      await file?.close()
      throw error instanceof DecodeError ? error : unreadable(path, error)
    }
  }

  async read(position: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const wanted = Math.max(0, Math.min(length, this.size - position))
    const bytes = new Uint8Array(wanted)
    let filled = 0
    try {
      while (filled < wanted) {
        const { bytesRead } = await this.#file.read(
          bytes,
          filled,
          wanted - filled,
          position + filled,
        )
        if (bytesRead === 0) break
        filled += bytesRead
      }
    } catch (error) {
      throw unreadable(this.path, error)
    }
    return filled === wanted ? bytes : bytes.slice(0, filled)
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/** The bytes of `source` from `start` up to (not including) `end`, as a source of their own. */
export function part(source: ByteSource, start: number, end = source.size): ByteSource {
  const size = Math.max(0, Math.min(end, source.size) - start)
  return {
    size,
    read: (position, length) =>
      source.read(start + position, Math.max(0, Math.min(length, size - position))),
  }
}

/** The whole of a source, in pieces of `length` bytes. */
export async function* pieces(
  source: ByteSource,
  length: number,
  start = 0,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for (let position = start; position < source.size; ) {
    const bytes = await source.read(position, length)
    if (bytes.length === 0) return
    position += bytes.length
    yield bytes
  }
}

/** Whether an error says that the file itself could not be read, not that its content is wrong. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof DecodeError && (error.cause as NodeJS.ErrnoException)?.syscall !== undefined
  )
}

function unreadable(path: string, error: unknown): DecodeError {
  const code = (error as NodeJS.ErrnoException).code
  const what =
    code === 'ENOENT'
      ? 'There is no such file.'
      : code === 'EACCES' || code === 'EPERM'
        ? 'This process may not read it.'
        : String((error as Error).message)
  return new DecodeError(`Cannot read ${path}: ${what}`, { cause: error })
}
