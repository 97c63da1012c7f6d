import { open } from 'node:fs/promises'
import { DecodeError } from '../values/errors.ts'

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Signatures and ids of file formats are ASCII. */
export function latin1(bytes: Uint8Array, start = 0, length = bytes.length): string {
  const { buffer, byteOffset, byteLength } = bytes
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1', start, start + length)
}

/** Bytes that can be read at any position: a file, or a part of one. */
export interface ByteSource {
  readonly size: number
  /** Fewer bytes at the end; the array belongs to the caller and starts its buffer. */
  read(position: number, length: number): Promise<Uint8Array<ArrayBuffer>>
}

export const READ_BYTES = 262_144

export interface FileSource extends ByteSource {
  readonly path: string
  close(): Promise<void>
}

/** @throws DecodeError when the file does not exist or may not be read */
export async function openFile(path: string): Promise<FileSource> {
  const file = await open(path, 'r').catch((error) => {
    throw unreadableFile(path, error)
  })
  const stat = await file.stat()
  if (!stat.isFile()) {
    await file.close()
    throw new DecodeError(`${path} is not a file.`)
  }
  const { size } = stat
  return {
    path,
    size,
    async read(position, length) {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - position)))
      let filled = 0
      while (filled < bytes.length) {
        const { bytesRead } = await file
          .read(bytes, filled, bytes.length - filled, position + filled)
          .catch((error) => {
            throw unreadableFile(path, error)
          })
        if (bytesRead === 0) return bytes.slice(0, filled)
        filled += bytesRead
      }
      return bytes
    },
    close: () => file.close(),
  }
}

/** The bytes from `start` to before `end`. */
export function part(source: ByteSource, start: number, end = source.size): ByteSource {
  const size = Math.max(0, Math.min(end, source.size) - start)
  return {
    size,
    read: (position, length) =>
      source.read(start + position, Math.max(0, Math.min(length, size - position))),
  }
}

export async function* pieces(
  source: ByteSource,
  length: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for (let position = 0; position < source.size; ) {
    const bytes = await source.read(position, length)
    if (bytes.length === 0) return
    position += bytes.length
    yield bytes
  }
}

/** Whether the file itself could not be read; otherwise its content is wrong. */
export function isUnreadable(error: unknown): boolean {
  // Under Jest the system's errors belong to another realm, where instanceof fails.
  const cause = error instanceof DecodeError ? (error.cause as { syscall?: string }) : undefined
  return cause?.syscall !== undefined
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  EACCES: 'This process may not read it.',
  EPERM: 'This process may not read it.',
}

function unreadableFile(path: string, error: unknown): DecodeError {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new DecodeError(`Cannot read ${path}: ${REASONS[code] ?? message}`, { cause: error })
}
