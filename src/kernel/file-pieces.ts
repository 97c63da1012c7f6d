import { open } from 'node:fs/promises'

const PIECE = 1 << 20
/** Buffers of finished reads, for reuse; at most `SPARE`. */
const spare: Buffer[] = []
const SPARE = 8

/**
 * Reads a whole file in pieces of a megabyte that share one buffer. A stream allocates each piece,
 * and so much garbage makes V8 collect the whole heap every few files.
 *
 * @param take - receives each piece, which is valid until `take` returns
 * @returns the number of bytes
 * @throws the system's error when the file cannot be read; the signal's reason on abort
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
