import { grown } from '../../audio/samples.ts'
import { HEAD, MOST, PostingsWriter, varintAt, widthOf, write } from './postings.ts'

/*
 * A row of packed postings that holds several keys of one slot.
 *
 * A blob is a sequence of runs, so that a later run is added by appending. A run is varint(bytes that
 * follow), then for each key, ascending, varint(rest − rest before), varint(bytes of its postings) and
 * the postings as in postings.ts, without a count. Song, time and rest start from 0 in each.
 */

/** Writes rows of keyed postings into buffers that are reused for each row. */
export class KeyedWriter {
  readonly #postings = new PostingsWriter()
  #bytes = new Uint8Array(4096)
  #length = HEAD
  #rest = 0
  #before = 0

  begin(): void {
    this.#length = HEAD
    this.#rest = 0
    this.#before = 0
    this.#postings.begin()
  }

  /** Adds a posting. Postings must ascend by rest, then song, then time. */
  add(rest: number, song: number, time: number): void {
    if (rest !== this.#rest) {
      this.#close()
      this.#rest = rest
    }
    this.#postings.add(song, time)
  }

  /** The run, empty when nothing was added. Valid until the next {@link begin}. */
  end(): Uint8Array {
    this.#close()
    const length = this.#length - HEAD
    if (length === 0) return this.#bytes.subarray(0, 0)
    const start = HEAD - widthOf(length)
    write(this.#bytes, start, length)
    return this.#bytes.subarray(start, this.#length)
  }

  #close(): void {
    if (this.#postings.count === 0) return
    const { bytes: added } = this.#postings
    this.#bytes = grown(this.#bytes, this.#length + added + MOST)
    let at = write(this.#bytes, this.#length, this.#rest - this.#before)
    at = write(this.#bytes, at, added)
    this.#length = this.#postings.copy(this.#bytes, at)
    this.#before = this.#rest
    this.#postings.begin()
  }
}

/**
 * Calls `found` with the rest of each key in a blob, and the start and end of its postings. Keys
 * ascend within a run; when `found` returns true, the remaining keys of the run are skipped.
 */
export function eachKey(
  blob: Uint8Array,
  found: (rest: number, from: number, to: number) => boolean | undefined,
): void {
  for (let at = 0; at < blob.length; ) {
    const length = varintAt(blob, at)
    // A damaged blob ends here, not in an endless loop.
    if (!(length > 0)) return
    at += widthOf(length)
    const end = Math.min(at + length, blob.length)
    let rest = 0
    while (at < end) {
      const step = varintAt(blob, at)
      at += widthOf(step)
      const bytes = varintAt(blob, at)
      at += widthOf(bytes)
      rest += step
      const to = Math.min(at + bytes, end)
      if (found(rest, at, to)) break
      at = to
    }
    at = end
  }
}
