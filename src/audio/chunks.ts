import { DecodeError } from '../errors.ts'
import type { ByteSource } from './byte-source.ts'
import { latin1, viewOf } from './bytes.ts'

/** A file has a handful of chunks, and each is a read of its own. */
const MOST_CHUNKS = 10_000

/** A chunk of a WAV or AIFF file. */
export interface Chunk {
  id: string
  /** Where its content starts. */
  start: number
  /** Bytes of its content as stated, which may be more than the file has. */
  size: number
}

/** Whether numbers in a WAV or AIFF file have their low byte first. */
export async function isLittleEndian(source: ByteSource): Promise<boolean> {
  return !['FORM', 'RIFX'].includes(latin1(await source.read(0, 4)))
}

/** The chunks of a WAV or AIFF file. */
export async function* chunks(source: ByteSource, little: boolean): AsyncGenerator<Chunk, void> {
  let position = 12
  let longData = 0
  for (let count = 0; position + 8 <= source.size; count++) {
    if (count === MOST_CHUNKS) {
      throw new DecodeError(`This file is damaged: it has more than ${MOST_CHUNKS} chunks.`)
    }
    const head = await source.read(position, 8)
    if (head.length < 8) return
    const id = latin1(head, 0, 4)
    const start = position + 8
    let size = viewOf(head).getUint32(4, little)
    if (id === 'ds64') {
      const sizes = await source.read(start, 16)
      if (sizes.length === 16) longData = Number(viewOf(sizes).getBigUint64(8, true))
    }
    // RF64 and BW64 state the size of their data in ds64.
    if (id === 'data' && size === 0xffffffff && longData > 0) size = longData
    yield { id, start, size }
    position = start + size
    // Chunks start at even positions, but some writers forget it.
    if (size % 2 === 1 && !isLetter((await source.read(position, 1))[0])) position++
  }
}

function isLetter(byte = 0): boolean {
  return byte > 0x20 && byte < 0x7f
}
