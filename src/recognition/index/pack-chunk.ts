import { firstFrom } from '../../audio/samples.ts'
import { storedKeys } from '../recording-store.ts'
import type { Family } from '../systems/version.ts'
import type { IndexStore } from './index-store.ts'
import { chunkRowOf, type FamilyLayout, familyOf } from './layout.ts'
import { ChunkPostings } from './rows.ts'

export interface UnpackedCodes {
  id: number
  keys: Uint32Array
  times: Uint32Array
  /** Where the chunk that was packed last ends; the next one most often begins there. */
  done?: number
}

export function collectUnpacked(
  columns: Map<Family, UnpackedCodes[]>,
  store: IndexStore,
  id: number,
): void {
  for (const { family, codes } of store.headOf(id)) {
    const name = familyOf(family)
    const column = { id, ...storedKeys(codes) }
    const familyColumns = columns.get(name)
    if (familyColumns) familyColumns.push(column)
    else columns.set(name, [column])
  }
}

/** Appends the codes of one chunk to the postings; columns ascend by recording. */
export function packChunk(
  store: IndexStore,
  layout: FamilyLayout,
  chunk: number,
  columns: readonly UnpackedCodes[],
  postings = new ChunkPostings(layout, chunk),
): void {
  const frequencies = new ChunkFrequencies(store, layout, chunk)
  postings.moveTo(chunk)
  const end = layout.firstKeyOf((chunk + 1) * layout.chunk)
  const first = layout.firstKeyOf(chunk * layout.chunk)
  for (let i = 0; i < columns.length; ) {
    const segment = layout.segmentOf(columns[i]!.id)
    postings.clearPostings()
    for (; i < columns.length && layout.segmentOf(columns[i]!.id) === segment; i++) {
      const column = columns[i]!
      const { id, keys, times } = column
      let k = firstPlaceOf(column, first)
      for (; k < keys.length && keys[k]! < end; k++) postings.addPosting(keys[k]!, id, times[k]!)
      column.done = k
    }
    for (const { slot, id, run, count } of postings.makeRows(segment)) {
      store.append(id, run)
      frequencies.addCount(slot, count)
    }
  }
  frequencies.store()
}

function firstPlaceOf({ keys, done = 0 }: UnpackedCodes, first: number): number {
  const isNext = (done === 0 || keys[done - 1]! < first) && !(keys[done]! < first)
  return isNext ? done : firstFrom(keys, first)
}

export function purgeChunk(
  store: IndexStore,
  layout: FamilyLayout,
  chunk: number,
  removed: ReadonlySet<number>,
): void {
  const segments = new Set([...removed].map((id) => layout.segmentOf(id)))
  const frequencies = new ChunkFrequencies(store, layout, chunk)
  const keptPostings = new ChunkPostings(layout, chunk)
  const last = layout.lastRowOf((chunk + 1) * layout.chunk - 1)
  for (const row of store.postings(layout.rowOf(chunk * layout.chunk), last)) {
    const segment = layout.segmentOf(layout.baseOf(row.id))
    if (!segments.has(segment)) continue
    let goneCount = 0
    keptPostings.clearPostings()
    keptPostings.addRow(layout, row, (recording) => {
      const isRemoved = removed.has(recording)
      if (isRemoved) goneCount++
      return isRemoved
    })
    if (goneCount === 0) continue
    frequencies.addCount(layout.slotOfRow(row.id), -goneCount)
    if (keptPostings.length === 0) store.drop(row.id)
    for (const { id, run } of keptPostings.makeRows(segment)) store.replace(run, id)
  }
  frequencies.store()
}

/** How often the slots of a chunk occur; stored only where a slot is a key. */
export class ChunkFrequencies {
  readonly #store: IndexStore
  readonly #row: number | undefined
  readonly #first: number
  readonly #size: number
  #counts: Uint32Array | undefined

  constructor(storeCounts: IndexStore, layout: FamilyLayout, chunk: number) {
    this.#store = storeCounts
    this.#row = layout.isWide ? undefined : chunkRowOf(layout.family, chunk)
    this.#first = chunk * layout.chunk
    this.#size = layout.chunk
  }

  addCount(slot: number, count: number): void {
    if (this.#row === undefined) return
    this.#counts ??= this.#store.readFrequencies(this.#row) ?? new Uint32Array(this.#size)
    const index = slot - this.#first
    this.#counts[index] = this.#counts[index]! + count
  }

  store(): void {
    if (this.#row !== undefined && this.#counts) this.#store.setFrequencies(this.#row, this.#counts)
  }
}
