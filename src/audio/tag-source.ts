import type { ByteSource } from './byte-source.ts'

/**
 * Fewest bytes per read: most reads are of a few bytes, close behind each other. Reading further ahead
 * would use up the limit where what is read is scattered, as the fragments of an MP4 file are.
 */
const READ_AHEAD = 2048
/** Pieces of the file that are kept: its start, its end, and what surrounds the tags. */
const MOST_PIECES = 8

/** A source of which only so many bytes may be read; the pieces read last are kept. */
export class LimitedSource implements ByteSource {
  exceeded = false
  readonly #source: ByteSource
  #left: number
  readonly #pieces: { start: number; bytes: Uint8Array<ArrayBuffer> }[] = []

  constructor(source: ByteSource, most: number) {
    this.#source = source
    this.#left = most
  }

  get size(): number {
    return this.#source.size
  }

  async read(position: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const from = Math.max(0, position)
    const end = Math.min(from + length, this.size)
    if (end <= from) return new Uint8Array(0)
    const kept = this.#pieces.find(
      ({ start, bytes }) => start <= from && end <= start + bytes.length,
    )
    if (kept) return kept.bytes.slice(from - kept.start, end - kept.start)
    const wanted = Math.min(Math.max(end - from, READ_AHEAD), this.size - from)
    this.#left -= wanted
    if (this.#left < 0) {
      this.exceeded = true
      throw new Error('too many bytes')
    }
    const bytes = await this.#source.read(from, wanted)
    this.#pieces.unshift({ start: from, bytes })
    // The one read first, now the last, holds the tags that the file begins with.
    if (this.#pieces.length > MOST_PIECES) this.#pieces.splice(MOST_PIECES - 2, 1)
    return bytes.slice(0, end - from)
  }
}

/** The source with one of its bytes as 0. */
export function withZeroAt(source: ByteSource, at: number): ByteSource {
  return {
    size: source.size,
    read: async (position, length) => {
      const bytes = await source.read(position, length)
      if (at >= position && at < position + bytes.length) bytes[at - position] = 0
      return bytes
    },
  }
}

export function inMemory(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: async (position, length) => new Uint8Array(bytes.slice(position, position + length)),
  }
}
