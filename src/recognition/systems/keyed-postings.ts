import { grown } from '../../audio/samples.ts'
import {
  MAX_POSTING_BYTES,
  PostingsWriter,
  RUN_HEAD_BYTES,
  readVarint,
  varintWidth,
  writeVarint,
} from './postings.ts'

/*
 * Runs of several keys, so that a later run is appended: varint(bytes), then for each key
 * varint(rest − rest before), varint(bytes), postings.
 */

export class KeyedWriter {
  readonly #postings = new PostingsWriter()
  #bytes = new Uint8Array(4096)
  #length = RUN_HEAD_BYTES
  #rest = 0
  #previousRest = 0

  beginRun(): void {
    this.#length = RUN_HEAD_BYTES
    this.#rest = 0
    this.#previousRest = 0
    this.#postings.beginRun()
  }

  /** Adds a posting. Postings must ascend by rest, then song, then time. */
  addPosting(rest: number, song: number, time: number): void {
    if (rest !== this.#rest) {
      this.#closeKey()
      this.#rest = rest
    }
    this.#postings.addPosting(song, time)
  }

  /** Empty when nothing was added; valid until the next {@link beginRun}. */
  endRun(): Uint8Array {
    this.#closeKey()
    const byteCount = this.#length - RUN_HEAD_BYTES
    if (byteCount === 0) return this.#bytes.subarray(0, 0)
    const start = RUN_HEAD_BYTES - varintWidth(byteCount)
    writeVarint(this.#bytes, start, byteCount)
    return this.#bytes.subarray(start, this.#length)
  }

  #closeKey(): void {
    if (this.#postings.count === 0) return
    const { byteCount } = this.#postings
    this.#bytes = grown(this.#bytes, this.#length + byteCount + MAX_POSTING_BYTES)
    let offset = writeVarint(this.#bytes, this.#length, this.#rest - this.#previousRest)
    offset = writeVarint(this.#bytes, offset, byteCount)
    this.#length = this.#postings.copyRun(this.#bytes, offset)
    this.#previousRest = this.#rest
    this.#postings.beginRun()
  }
}

/** Visits the keys of a blob, ascending within a run; a true answer skips the rest of the run. */
export function forEachKey(
  blob: Uint8Array,
  visit: (rest: number, from: number, postingsEnd: number) => boolean | undefined,
): void {
  for (let offset = 0; offset < blob.length; ) {
    const length = readVarint(blob, offset)
    // A damaged blob ends here, not in an endless loop.
    if (!(length > 0)) return
    offset += varintWidth(length)
    const end = Math.min(offset + length, blob.length)
    let rest = 0
    while (offset < end) {
      const step = readVarint(blob, offset)
      offset += varintWidth(step)
      const bytes = readVarint(blob, offset)
      offset += varintWidth(bytes)
      rest += step
      const to = Math.min(offset + bytes, end)
      if (visit(rest, offset, to)) break
      offset = to
    }
    offset = end
  }
}
