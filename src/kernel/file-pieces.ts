import { open } from 'node:fs/promises'

const READ_PIECE_BYTES = 1 << 20
const spareBuffers: Buffer[] = []
const MAX_SPARE_BUFFERS = 8

/**
 * Pieces share one buffer: the garbage of a stream makes V8 collect the whole heap.
 *
 * @returns the number of bytes
 */
export async function readFilePieces(
  path: string,
  takePiece: (piece: Uint8Array) => void,
  signal?: AbortSignal,
): Promise<number> {
  const file = await open(path, 'r')
  const memory = spareBuffers.pop() ?? Buffer.allocUnsafeSlow(READ_PIECE_BYTES)
  try {
    for (let bytes = 0; ; ) {
      signal?.throwIfAborted()
      const { bytesRead } = await file.read(memory, 0, READ_PIECE_BYTES, null)
      if (bytesRead === 0) return bytes
      takePiece(memory.subarray(0, bytesRead))
      bytes += bytesRead
    }
  } finally {
    if (spareBuffers.length < MAX_SPARE_BUFFERS) spareBuffers.push(memory)
    await file.close()
  }
}
