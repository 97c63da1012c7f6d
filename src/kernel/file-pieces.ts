import { open } from 'node:fs/promises'

/** Bytes that are read at once. */
const PIECE = 1 << 20
/** Memory of reads that are over, for the next ones; so many at most. */
const spare: Buffer[] = []
const SPARE = 8

/**
 * Reads a file from end to end, in pieces of a megabyte that share their memory. The pieces of a stream
 * are garbage after each, and so much of it has the whole heap searched every few files.
 *
 * @param take - receives each piece, valid until it returns
 * @returns the number of bytes
 * @throws the error of the system when it cannot be read; the signal's reason on abort
 */
export async function readPieces(
  path: string,
  take: (piece: Uint8Array) => void,
  signal?: AbortSignal,
): Promise<number> {
  const file = await open(path, 'r')
  const memory = spare.pop() ?? Buffer.allocUnsafeSlow(PIECE)
  try {
    for (let bytes = 0; ; ) {
      signal?.throwIfAborted()
      const { bytesRead } = await file.read(memory, 0, PIECE, null)
      if (bytesRead === 0) return bytes
      take(memory.subarray(0, bytesRead))
      bytes += bytesRead
    }
  } finally {
    if (spare.length < SPARE) spare.push(memory)
    await file.close()
  }
}
