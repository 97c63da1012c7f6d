import { firstFrom } from '../../audio/samples.ts'
import type { RecordingStore } from '../recording-store.ts'
import type { Family } from '../systems/version.ts'
import { CHUNKS, chunkOfStep, type FamilyLayout, familyOf, WRITTEN } from './layout.ts'
import { addHead, type Column, Frequencies } from './pack-chunk.ts'
import { ChunkPostings } from './rows.ts'

/** An index whose postings are merged into another one. */
export interface Source {
  recordings: RecordingStore
  /** Added to the numbers of its recordings. */
  offset: number
}

/** A source, with the recordings that are left out and the codes that are not packed. */
interface OpenSource extends Source {
  removed: ReadonlySet<number>
  heads: Map<Family, Column[]>
}

/** About the codes of one recording, and the postings that a row should hold. */
const CODES = 2_000
const PER_ROW = 150

/**
 * The layout of an index that is made once and then only read: one row has all the postings of a
 * slot, so that looking up a code takes one read.
 */
export function layoutFor(recordings: number) {
  const bits = Math.round(Math.log2((recordings * CODES) / PER_ROW))
  return { slotBits: Math.min(26, Math.max(WRITTEN.slotBits, bits)), segmentBits: 24 }
}

/**
 * Takes over the postings of other indexes, chunk by chunk. A chunk is the same share of the keys
 * in all layouts, so every index is read and written from start to end, with one chunk in memory.
 */
export class Merge {
  readonly #into: RecordingStore
  readonly #sources: readonly OpenSource[]

  constructor(into: RecordingStore, sources: readonly Source[]) {
    this.#into = into
    this.#sources = sources.map((source) => ({
      ...source,
      removed: new Set(source.recordings.index.removed()),
      heads: headsOf(source.recordings),
    }))
  }

  /** One of the steps of a task on the whole index; in a transaction. */
  step(step: number): void {
    const { family, chunk } = chunkOfStep(step)
    const { index } = this.#into
    const layout = index.layout()[family]
    const postings = new ChunkPostings(layout, chunk)
    for (const source of this.#sources) this.#collect(source, layout, chunk, postings)
    const frequencies = new Frequencies(index, layout, chunk)
    for (const { slot, id, run, count } of postings.rows(0)) {
      index.append(id, run)
      frequencies.add(slot, count)
    }
    frequencies.store()
  }

  #collect(
    { recordings, offset, removed, heads }: OpenSource,
    into: FamilyLayout,
    chunk: number,
    postings: ChunkPostings,
  ): void {
    const { index } = recordings
    const layout = index.layout()[into.family]
    const columns = heads.get(layout.family) ?? []
    const waiting = new Set(columns.map(({ id }) => id))
    const isMissingFile = (recording: number) => removed.has(recording) || waiting.has(recording)
    const first = chunk * layout.chunk
    const last = first + layout.chunk - 1
    for (const row of index.postings(layout.rowOf(first), layout.lastRowOf(last))) {
      postings.addRow(layout, row, isMissingFile, offset)
    }
    const from = layout.firstKeyOf(first)
    const end = layout.firstKeyOf(last + 1)
    for (const { id, keys, times } of columns) {
      for (let i = firstFrom(keys, from); i < keys.length && keys[i]! < end; i++) {
        postings.add(keys[i]!, offset + id, times[i]!)
      }
    }
  }
}

/** The codes that are not packed, or being packed. They stay in memory until the end. */
function headsOf({ index }: RecordingStore): Map<Family, Column[]> {
  const heads = new Map<Family, Column[]>()
  for (const id of index.headIds()) addHead(heads, index, id)
  return heads
}

/** The size of one family of codes in an index. */
export interface FamilySize {
  /** Rows: one for a slot and segment, and one for each recording that is not packed yet. */
  rows: number
  /** Bytes of the codes, without those of the tables. */
  bytes: number
}

/** The sizes of the families that have codes in an index. @param pause - between steps */
export async function sizesOf(
  { index }: RecordingStore,
  pause: () => Promise<void>,
): Promise<Partial<Record<Family, FamilySize>>> {
  const sizes: Partial<Record<Family, FamilySize>> = {}
  const heads = index.headSizes()
  for (const layout of Object.values(index.layout())) {
    const { rows = 0, bytes = 0 } =
      heads.find(({ family }) => familyOf(family) === layout.family) ?? {}
    const size = { rows, bytes }
    for (let chunk = 0; chunk < CHUNKS; chunk++) {
      const first = layout.rowOf(chunk * layout.chunk)
      const { rows, bytes } = index.sizeBetween(
        first,
        layout.lastRowOf((chunk + 1) * layout.chunk - 1),
      )
      size.rows += rows
      size.bytes += bytes
      await pause()
    }
    if (size.rows > 0) sizes[layout.family] = size
  }
  return sizes
}
