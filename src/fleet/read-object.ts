import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { messageOf } from '../values/errors.ts'
import { FinalError } from './retry.ts'

/** @throws {Final} when there are more than `maxBytes` */
export async function collectBytes(
  object: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of object) {
    bytes += piece.length
    if (bytes > maxBytes) throw new FinalError(`An object has more than ${maxBytes} bytes.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** The disk of this machine failed, not the store. */
export class DiskFault extends FinalError {}

/**
 * @param maxBytes - of the whole object; reading stops after them
 * @returns the MD5 of what was written, hexadecimal
 * @throws {DiskFault} when it cannot be written; the signal's reason on abort
 */
export async function writeObject(
  object: AsyncIterable<Uint8Array>,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('md5')
  const file = await toDiskFault(open(path, 'w', 0o600))
  let bytes = 0
  try {
    for await (const piece of object) {
      signal.throwIfAborted()
      bytes += piece.length
      if (bytes > maxBytes) return ''
      hash.update(piece)
      await toDiskFault(file.write(piece))
    }
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}

async function toDiskFault<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new DiskFault(messageOf(error), { cause: error })
  }
}
