import { grown } from '../../audio/samples.ts'
import { forEachKey, KeyedWriter } from '../systems/keyed-postings.ts'
import { PostingsReader, PostingsWriter } from '../systems/postings.ts'
import type { PostingsRow } from './index-store.ts'
import type { FamilyLayout } from './layout.ts'

/** Joins a key and a place in one number: numbers sort faster than objects. */
const PLACE_SPAN = 2 ** 32

/** Postings of one chunk, to be written as rows. Those of one key are added in order. */
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

  moveTo(chunk: number): void {
    this.#first = this.layout.firstKeyOf(chunk * this.layout.chunk)
    this.clearPostings()
  }

  get length(): number {
    return this.#length
  }

  clearPostings(): void {
    this.#length = 0
  }

  addPosting(key: number, song: number, time: number): void {
    const place = this.#length++
    this.#order = grown(this.#order, place + 1)
    this.#songs = grown(this.#songs, place + 1)
    this.#times = grown(this.#times, place + 1)
    this.#order[place] = (key - this.#first) * PLACE_SPAN + place
    this.#songs[place] = song
    this.#times[place] = time
  }

  addRow(
    layout: FamilyLayout,
    row: PostingsRow,
    isLeftOut: (recording: number) => boolean,
    offset = 0,
  ): void {
    forEachPosting(layout, row, (key, recording, time) => {
      if (!isLeftOut(recording)) this.addPosting(key, recording + offset, time)
    })
  }

  /** The rows of the postings, all of one segment. The bytes are valid until the next row. */
  *makeRows(
    segment: number,
  ): Generator<{ slot: number; id: number; run: Uint8Array; count: number }> {
    const { layout } = this
    const base = segment * layout.segment
    const order = this.#order.subarray(0, this.#length).sort()
    const keyed = this.#keyed
    const plain = this.#plain
    for (let i = 0; i < order.length; ) {
      const slot = layout.slotOf(this.#first + Math.floor(order[i]! / PLACE_SPAN))
      const start = i
      keyed.beginRun()
      plain.beginRun()
      for (; i < order.length; i++) {
        const step = Math.floor(order[i]! / PLACE_SPAN)
        const key = this.#first + step
        if (layout.slotOf(key) !== slot) break
        const place = order[i]! - step * PLACE_SPAN
        const song = this.#songs[place]! - base
        if (layout.isWide) keyed.addPosting(layout.restOf(key), song, this.#times[place]!)
        else plain.addPosting(song, this.#times[place]!)
      }
      const run = layout.isWide ? keyed.endRun() : plain.endRun()
      yield { slot, id: layout.rowOf(slot, segment), run, count: i - start }
    }
  }
}

const rowReader = new PostingsReader()

export function forEachPosting(
  layout: FamilyLayout,
  { id, postings }: PostingsRow,
  visit: (key: number, recording: number, time: number) => void,
): void {
  const base = layout.baseOf(id)
  const first = layout.firstKeyOf(layout.slotOfRow(id))
  const visitAll = (key: number) => {
    for (let i = 0; i < rowReader.length; i++) visit(key, rowReader.songs[i]!, rowReader.times[i]!)
  }
  rowReader.clear()
  if (layout.isWide) {
    forEachKey(postings, (rest, from, to) => {
      rowReader.clear()
      rowReader.unpackPostings(postings, from, to, base, (to - from) >> 1)
      visitAll(first + rest)
      return false
    })
  } else {
    rowReader.unpackRuns(postings, base)
    visitAll(first)
  }
}
