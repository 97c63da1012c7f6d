import { firstFrom } from '../../audio/samples.ts'
import { keysOf } from '../recording-store.ts'
import type { Family } from '../systems/version.ts'
import type { IndexStore } from './index-store.ts'
import { chunkRowOf, type FamilyLayout, familyOf } from './layout.ts'
import { ChunkPostings } from './rows.ts'

/** The unpacked codes of one family of a recording: keys ascending, with their times. */
export interface Column {
  id: number
  keys: Uint32Array
  times: Uint32Array
  /** Where the chunk that was packed last ends; the next one most often begins there. */
  done?: number
}

/** Adds the unpacked codes of a recording to those of its families. */
export function addHead(columns: Map<Family, Column[]>, store: IndexStore, id: number): void {
  for (const { family, codes } of store.headOf(id)) {
    const name = familyOf(family)
    const column = { id, ...keysOf(codes) }
    const known = columns.get(name)
    if (known) known.push(column)
    else columns.set(name, [column])
  }
}

/**
 * Appends the codes of one chunk of slots to the postings.
 *
 * @param columns - by ascending recording
 * @param postings - room for those of a chunk, used again for each
 */
export function packChunk(
  store: IndexStore,
  layout: FamilyLayout,
  chunk: number,
  columns: readonly Column[],
  postings = new ChunkPostings(layout, chunk),
): void {
  const frequencies = new Frequencies(store, layout, chunk)
  postings.moveTo(chunk)
  const end = layout.firstKeyOf((chunk + 1) * layout.chunk)
  const first = layout.firstKeyOf(chunk * layout.chunk)
  for (let i = 0; i < columns.length; ) {
    const segment = layout.segmentOf(columns[i]!.id)
    postings.clear()
    for (; i < columns.length && layout.segmentOf(columns[i]!.id) === segment; i++) {
      const column = columns[i]!
      const { id, keys, times } = column
      let k = startOf(column, first)
      for (; k < keys.length && keys[k]! < end; k++) postings.add(keys[k]!, id, times[k]!)
      column.done = k
    }
    for (const { slot, id, run, count } of postings.rows(segment)) {
      store.append(id, run)
      frequencies.add(slot, count)
    }
  }
  frequencies.store()
}

/** The place of the first key of a chunk. */
function startOf({ keys, done = 0 }: Column, first: number): number {
  const isNext = (done === 0 || keys[done - 1]! < first) && !(keys[done]! < first)
  return isNext ? done : firstFrom(keys, first)
}

/** Takes removed recordings out of the postings of one chunk of slots. */
export function purgeChunk(
  store: IndexStore,
  layout: FamilyLayout,
  chunk: number,
  removed: ReadonlySet<number>,
): void {
  const segments = new Set([...removed].map((id) => layout.segmentOf(id)))
  const frequencies = new Frequencies(store, layout, chunk)
  const kept = new ChunkPostings(layout, chunk)
  const last = layout.lastRowOf((chunk + 1) * layout.chunk - 1)
  for (const row of store.postings(layout.rowOf(chunk * layout.chunk), last)) {
    const segment = layout.segmentOf(layout.baseOf(row.id))
    if (!segments.has(segment)) continue
    let gone = 0
    kept.clear()
    kept.addRow(layout, row, (recording) => {
      const isMissingFile = removed.has(recording)
      if (isMissingFile) gone++
      return isMissingFile
    })
    if (gone === 0) continue
    frequencies.add(layout.slotOfRow(row.id), -gone)
    if (kept.length === 0) store.drop(row.id)
    for (const { id, run } of kept.rows(segment)) store.replace(run, id)
  }
  frequencies.store()
}

/** How often the slots of a chunk occur; only stored where a slot is a key. */
export class Frequencies {
  readonly #store: IndexStore
  readonly #row: number | undefined
  readonly #first: number
  readonly #size: number
  #counts: Uint32Array | undefined

  constructor(store: IndexStore, layout: FamilyLayout, chunk: number) {
    this.#store = store
    this.#row = layout.isWide ? undefined : chunkRowOf(layout.family, chunk)
    this.#first = chunk * layout.chunk
    this.#size = layout.chunk
  }

  add(slot: number, count: number): void {
    if (this.#row === undefined) return
    this.#counts ??= this.#store.frequencies(this.#row) ?? new Uint32Array(this.#size)
    const at = slot - this.#first
    this.#counts[at] = this.#counts[at]! + count
  }

  store(): void {
    if (this.#row !== undefined && this.#counts) this.#store.setFrequencies(this.#row, this.#counts)
  }
}
