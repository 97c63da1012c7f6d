import { grown } from '../../audio/samples.ts'
import { eachKey, KeyedWriter } from '../systems/keyed-postings.ts'
import { PostingsReader, PostingsWriter } from '../systems/postings.ts'
import type { PostingsRow } from './index-store.ts'
import type { FamilyLayout } from './layout.ts'

/** Joins a key and a place in one number to sort: numbers sort many times faster than objects. */
const PLACES = 2 ** 32

/**
 * Postings of the keys of one chunk, to be written as rows. The postings of one key must be added
 * in the order of their recordings and times.
 */
export class ChunkPostings {
  readonly #keyed = new KeyedWriter()
  readonly #plain = new PostingsWriter()
  #first = 0
  #order = new Float64Array(1024)
  #songs = new Uint32Array(1024)
  #times = new Uint32Array(1024)
  #length = 0

  constructor(
    private readonly layout: FamilyLayout,
    chunk: number,
  ) {
    this.moveTo(chunk)
  }

  /** Forgets all postings; the next ones are of another chunk. */
  moveTo(chunk: number): void {
    this.#first = this.layout.firstKeyOf(chunk * this.layout.chunk)
    this.clear()
  }

  get length(): number {
    return this.#length
  }

  clear(): void {
    this.#length = 0
  }

  add(key: number, song: number, time: number): void {
    const at = this.#length++
    this.#order = grown(this.#order, at + 1)
    this.#songs = grown(this.#songs, at + 1)
    this.#times = grown(this.#times, at + 1)
    this.#order[at] = (key - this.#first) * PLACES + at
    this.#songs[at] = song
    this.#times[at] = time
  }

  /**
   * Adds the postings of a row, except those of recordings for which `isMissingFile` is true.
   *
   * @param layout - of the index that has the row
   * @param offset - added to the numbers of recordings
   */
  addRow(
    layout: FamilyLayout,
    row: PostingsRow,
    isMissingFile: (recording: number) => boolean,
    offset = 0,
  ): void {
    eachPosting(layout, row, (key, recording, time) => {
      if (!isMissingFile(recording)) this.add(key, recording + offset, time)
    })
  }

  /**
   * The rows of the postings, all of one segment: their slots, ids and bytes, and how many postings
   * each has. The bytes are valid until the next row is asked for.
   */
  *rows(segment: number): Generator<{ slot: number; id: number; run: Uint8Array; count: number }> {
    const { layout } = this
    const base = segment * layout.segment
    const order = this.#order.subarray(0, this.#length).sort()
    const keyed = this.#keyed
    const plain = this.#plain
    for (let i = 0; i < order.length; ) {
      const slot = layout.slotOf(this.#first + Math.floor(order[i]! / PLACES))
      const from = i
      keyed.begin()
      plain.begin()
      for (; i < order.length; i++) {
        const step = Math.floor(order[i]! / PLACES)
        const key = this.#first + step
        if (layout.slotOf(key) !== slot) break
        const at = order[i]! - step * PLACES
        const song = this.#songs[at]! - base
        if (layout.isWide) keyed.add(layout.restOf(key), song, this.#times[at]!)
        else plain.add(song, this.#times[at]!)
      }
      const run = layout.isWide ? keyed.end() : plain.end()
      yield { slot, id: layout.rowOf(slot, segment), run, count: i - from }
    }
  }
}

const reader = new PostingsReader()

export function eachPosting(
  layout: FamilyLayout,
  { id, postings }: PostingsRow,
  found: (key: number, recording: number, time: number) => void,
): void {
  const base = layout.baseOf(id)
  const first = layout.firstKeyOf(layout.slotOfRow(id))
  const told = (key: number) => {
    for (let i = 0; i < reader.length; i++) found(key, reader.songs[i]!, reader.times[i]!)
  }
  reader.clear()
  if (layout.isWide) {
    eachKey(postings, (rest, from, to) => {
      reader.clear()
      reader.take(postings, from, to, base, (to - from) >> 1)
      told(first + rest)
      return false
    })
  } else {
    reader.unpack(postings, base)
    told(first)
  }
}
