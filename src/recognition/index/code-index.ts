import { keysOf, type RecordingStore } from '../recording-store.ts'
import type { Lookup } from '../systems/codes.ts'
import { PostingsReader } from '../systems/postings.ts'
import { FAMILIES, type Family } from '../systems/version.ts'
import { HeadTable } from './head-table.ts'
import { type IndexState, isDoing, NO_TASK } from './index-store.ts'
import { KeyRuns } from './key-runs.ts'
import { CHUNKS, chunkOfStep, chunkRowOf, type FamilyLayout } from './layout.ts'

/**
 * The index of codes as the matcher reads it: packed postings from the database, and the newest
 * recordings (the heads) from memory. The database counts its changes; when the count has grown,
 * memory is brought up to date, so that recordings of another process are found too.
 */
export class CodeIndex {
  readonly #reader = new PostingsReader()
  /** The state of the database that memory reflects. */
  #state: IndexState = { generation: -1, packs: -1, ...NO_TASK }
  /** All numbers of recordings are below this. */
  #end = 0
  /** The recordings that are not packed, ascending. */
  #headIds: readonly number[] = []
  /** The codes of these recordings, by family, for the families that were asked for. */
  readonly #heads = new Map<Family, HeadTable>()
  /** How often each slot occurs in the postings, by family, where a slot is a key. */
  readonly #frequencies = new Map<Family, Uint32Array>()
  /** By family, the places of the keys that the current search asks for. */
  readonly #known = new Map<Family, KeyRuns>()
  /** Removed recordings that postings still name, and the segments that have any. */
  #removed: ReadonlySet<number> = new Set()
  #purgeable: ReadonlySet<number> = new Set()

  constructor(private readonly store: RecordingStore) {}

  /** Gives access to the codes of each family, in the index as it is now. */
  lookups(): (family: Family) => Lookup {
    this.#known.clear()
    this.store.atomically.reading(() => this.#refresh())
    return (family) => this.#lookup(family)
  }

  #lookup(family: Family): Lookup {
    const layout = this.store.index.layout()[family]
    const songs = this.#end
    const postings = (code: number) => {
      const found = this.#postings(layout, layout.keyOf(code))
      // Drops recordings that were added and packed during the search. Numbers ascend.
      while (found.length > 0 && found.songs[found.length - 1]! >= songs) found.length--
      return found
    }
    if (!layout.isWide) this.#frequenciesOf(layout)
    // What memory holds may change during the search, so it is asked for anew each time.
    const packed = layout.isWide
      ? (key: number) => this.#keys(layout).frequency(key)
      : (key: number) => this.#frequenciesOf(layout)[key]!
    const frequency = (code: number) => {
      const key = layout.keyOf(code)
      return packed(key) + this.#headsOf(layout).frequency(key)
    }
    return { songs, frequency, postings }
  }

  /** All postings of a key, by ascending recording. */
  #postings(layout: FamilyLayout, key: number): PostingsReader {
    const reader = this.#reader
    reader.clear()
    let last = -1
    const unpacked = (base: number, from: number) => {
      if (reader.length > from) last = reader.songs[reader.length - 1]!
      if (this.#purgeable.has(layout.segmentOf(base))) this.#dropRemoved(from)
    }
    if (layout.isWide) {
      for (const { blob, from, to, base } of this.#keys(layout).runs(key)) {
        const length = reader.length
        reader.take(blob, from, to, base, (to - from) >> 1)
        unpacked(base, length)
      }
    } else if (this.#frequenciesOf(layout)[key]! > 0) {
      const { index } = this.store
      for (const row of index.postings(layout.rowOf(key), layout.lastRowOf(key))) {
        const base = layout.baseOf(row.id)
        const length = reader.length
        reader.unpack(row.postings, base)
        unpacked(base, length)
      }
    }
    // Recordings that are being packed are in both places; those up to `last` were just read.
    this.#headsOf(layout).postings(key, last, reader)
    return reader
  }

  #dropRemoved(from: number): void {
    const { songs, times } = this.#reader
    let to = from
    for (let i = from; i < this.#reader.length; i++) {
      if (this.#removed.has(songs[i]!)) continue
      songs[to] = songs[i]!
      times[to++] = times[i]!
    }
    this.#reader.length = to
  }

  #refresh(): void {
    const { index } = this.store
    const state = index.state()
    if (state.generation === this.#state.generation) return
    this.#refreshFrequencies(state)
    this.#headIds = index.headIds()
    for (const [family, table] of this.#heads) this.#follow(family, table)
    const { triplets } = index.layout()
    this.#removed = new Set(index.removed())
    this.#purgeable = new Set([...this.#removed].map((id) => triplets.segmentOf(id)))
    this.#end = this.store.lastId() + 1
    this.#state = state
  }

  /** Reading all frequencies is slow: while one task goes on, only what it has changed is read. */
  #refreshFrequencies(state: IndexState): void {
    const was = this.#state
    if (state.packs === was.packs) return
    if (was.task === null || !isDoing(state, was)) {
      this.#frequencies.clear()
      return
    }
    for (let step = was.step; step < state.step; step++) {
      const { family, chunk } = chunkOfStep(step)
      const all = this.#frequencies.get(family)
      const counts = all && this.store.index.frequencies(chunkRowOf(family, chunk))
      if (counts) all.set(counts, chunk * counts.length)
    }
  }

  #headsOf({ family }: FamilyLayout): HeadTable {
    const known = this.#heads.get(family)
    if (known) return known
    const table = new HeadTable(this.store.index.layout()[family])
    // Kept only when it is whole: reading a damaged file can end early.
    this.#follow(family, table)
    this.#heads.set(family, table)
    return table
  }

  /** Brings the unpacked codes of a family up to date. */
  #follow(family: Family, table: HeadTable): void {
    const present = new Set(this.#headIds)
    for (const id of table.recordings) if (!present.has(id)) table.drop(id)
    if (table.isWorn) {
      this.#heads.delete(family)
      return
    }
    for (const id of this.#headIds) {
      if (table.has(id)) continue
      const codes = this.store.index.headCodes(id, FAMILIES[family])
      table.add(id, codes ? keysOf(codes) : NO_KEYS)
    }
  }

  #keys(layout: FamilyLayout): KeyRuns {
    const known = this.#known.get(layout.family) ?? new KeyRuns(this.store.index, layout)
    this.#known.set(layout.family, known)
    return known
  }

  #frequenciesOf({ family, chunk }: FamilyLayout): Uint32Array {
    const known = this.#frequencies.get(family)
    if (known) return known
    const all = new Uint32Array(chunk * CHUNKS)
    const first = chunkRowOf(family, 0)
    for (const [row, counts] of this.store.index.allFrequencies(first, first + CHUNKS - 1)) {
      all.set(counts, (row - first) * chunk)
    }
    this.#frequencies.set(family, all)
    return all
  }
}

const NO_KEYS = { keys: new Uint32Array(0), times: new Uint32Array(0) }
