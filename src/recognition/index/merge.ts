import { firstFrom } from '../../audio/samples.ts'
import type { RecordingStore } from '../recording-store.ts'
import type { Family } from '../systems/version.ts'
import { CHUNKS, chunkOfStep, type FamilyLayout, familyOf, WRITABLE_LAYOUT } from './layout.ts'
import { ChunkFrequencies, collectUnpacked, type UnpackedCodes } from './pack-chunk.ts'
import { ChunkPostings } from './rows.ts'

export interface MergeSource {
  recordings: RecordingStore
  /** Added to the numbers of its recordings. */
  offset: number
}

interface OpenSource extends MergeSource {
  removed: ReadonlySet<number>
  heads: Map<Family, UnpackedCodes[]>
}

const CODES_PER_RECORDING = 2_000
const POSTINGS_PER_ROW = 150

/** The layout of an index that is only read: one row holds all postings of a slot. */
export function chooseLayout(recordings: number) {
  const bits = Math.round(Math.log2((recordings * CODES_PER_RECORDING) / POSTINGS_PER_ROW))
  return { slotBits: Math.min(26, Math.max(WRITABLE_LAYOUT.slotBits, bits)), segmentBits: 24 }
}

/** Takes over other indexes by chunks, which are the same share of the keys in all layouts. */
export class IndexMerge {
  readonly #target: RecordingStore
  readonly #sources: readonly OpenSource[]

  constructor(target: RecordingStore, sources: readonly MergeSource[]) {
    this.#target = target
    this.#sources = sources.map((source) => ({
      ...source,
      removed: new Set(source.recordings.index.removed()),
      heads: headsOf(source.recordings),
    }))
  }

  mergeStep(step: number): void {
    const { family, chunk } = chunkOfStep(step)
    const { index } = this.#target
    const layout = index.layout()[family]
    const postings = new ChunkPostings(layout, chunk)
    for (const source of this.#sources) this.#collectChunk(source, layout, chunk, postings)
    const frequencies = new ChunkFrequencies(index, layout, chunk)
    for (const { slot, id, run, count } of postings.makeRows(0)) {
      index.append(id, run)
      frequencies.addCount(slot, count)
    }
    frequencies.store()
  }

  #collectChunk(
    { recordings, offset, removed, heads }: OpenSource,
    targetLayout: FamilyLayout,
    chunk: number,
    postings: ChunkPostings,
  ): void {
    const { index } = recordings
    const layout = index.layout()[targetLayout.family]
    const columns = heads.get(layout.family) ?? []
    const unpacked = new Set(columns.map(({ id }) => id))
    const isLeftOut = (recording: number) => removed.has(recording) || unpacked.has(recording)
    const first = chunk * layout.chunk
    const last = first + layout.chunk - 1
    for (const row of index.postings(layout.rowOf(first), layout.lastRowOf(last))) {
      postings.addRow(layout, row, isLeftOut, offset)
    }
    const firstKey = layout.firstKeyOf(first)
    const endKey = layout.firstKeyOf(last + 1)
    for (const { id, keys, times } of columns) {
      for (let i = firstFrom(keys, firstKey); i < keys.length && keys[i]! < endKey; i++) {
        postings.addPosting(keys[i]!, offset + id, times[i]!)
      }
    }
  }
}

/** The unpacked codes stay in memory until the end. */
function headsOf({ index }: RecordingStore): Map<Family, UnpackedCodes[]> {
  const heads = new Map<Family, UnpackedCodes[]>()
  for (const id of index.headIds()) collectUnpacked(heads, index, id)
  return heads
}

/** The size of one family of codes in an index. */
export interface FamilySize {
  /** Rows: one for a slot and segment, and one for each recording that is not packed yet. */
  rows: number
  /** Bytes of the codes, without those of the tables. */
  bytes: number
}

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
