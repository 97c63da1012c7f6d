import { PostingsReader, PostingsWriter } from '../systems/postings.ts'
import type { Family } from '../systems/version.ts'
import type { IndexStore } from './index-store.ts'
import {
  baseOf,
  CHUNK,
  chunkRowOf,
  firstAt,
  lastRowOf,
  rowOf,
  SEGMENT,
  segmentOf,
} from './layout.ts'

/** The unpacked codes of one family of a recording: slots ascending, with their times. */
export interface Column {
  id: number
  slots: Uint32Array
  times: Uint32Array
}

const writer = new PostingsWriter()
const reader = new PostingsReader()

/**
 * Appends the codes of one chunk of slots to the postings.
 *
 * @param columns - by ascending recording
 */
export function packChunk(
  store: IndexStore,
  family: Family,
  chunk: number,
  columns: readonly Column[],
): void {
  const first = chunk * CHUNK
  const found = columns.map((column) => ({ column, from: firstAt(column.slots, first) }))
  /** Where the codes of a slot begin in `order`. */
  const starts = new Uint32Array(CHUNK + 1)
  for (const { column, from } of found) {
    for (let i = from; i < column.slots.length; i++) {
      const slot = column.slots[i]! - first
      if (slot >= CHUNK) break
      starts[slot + 1] = starts[slot + 1]! + 1
    }
  }
  for (let slot = 0; slot < CHUNK; slot++) starts[slot + 1] = starts[slot + 1]! + starts[slot]!
  const total = starts[CHUNK]!
  if (total === 0) return
  // A counting sort: recordings come in ascending order, and stay in it within a slot.
  const order = new Uint32Array(2 * total)
  const next = starts.slice(0, CHUNK)
  for (const { column, from } of found) {
    for (let i = from; i < column.slots.length; i++) {
      const slot = column.slots[i]! - first
      if (slot >= CHUNK) break
      const to = 2 * next[slot]!
      next[slot] = next[slot]! + 1
      order[to] = column.id
      order[to + 1] = column.times[i]!
    }
  }
  const row = chunkRowOf(family, chunk)
  const frequencies = store.frequencies(row) ?? new Uint32Array(CHUNK)
  for (let slot = 0; slot < CHUNK; slot++) {
    const to = starts[slot + 1]!
    for (let i = starts[slot]!; i < to; ) {
      // One run for the recordings of each segment.
      const segment = segmentOf(order[2 * i]!)
      const base = segment * SEGMENT
      writer.begin()
      for (; i < to && order[2 * i]! < base + SEGMENT; i++) {
        writer.add(order[2 * i]! - base, order[2 * i + 1]!)
      }
      store.append(rowOf(family, first + slot, segment), writer.end())
    }
    frequencies[slot] = frequencies[slot]! + to - starts[slot]!
  }
  store.setFrequencies(row, frequencies)
}

/** Takes removed recordings out of the postings of one chunk of slots. */
export function purgeChunk(
  store: IndexStore,
  family: Family,
  chunk: number,
  removed: ReadonlySet<number>,
): void {
  const bases = new Set([...removed].map((id) => segmentOf(id) * SEGMENT))
  const row = chunkRowOf(family, chunk)
  const frequencies = store.frequencies(row)
  if (!frequencies) return
  for (const [i, frequency] of frequencies.entries()) {
    if (frequency === 0) continue
    const slot = chunk * CHUNK + i
    for (const { id, postings } of store.postings(rowOf(family, slot), lastRowOf(family, slot))) {
      const base = baseOf(id)
      if (!bases.has(base)) continue
      reader.clear()
      reader.unpack(postings, 0)
      writer.begin()
      for (let k = 0; k < reader.length; k++) {
        if (!removed.has(base + reader.songs[k]!)) writer.add(reader.songs[k]!, reader.times[k]!)
      }
      const gone = reader.length - writer.count
      if (gone === 0) continue
      frequencies[i] = frequencies[i]! - gone
      if (writer.count > 0) store.replace(writer.end(), id)
      else store.drop(id)
    }
  }
  store.setFrequencies(row, frequencies)
}
