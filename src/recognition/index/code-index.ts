import { type RecordingStore, storedKeys } from '../recording-store.ts'
import type { Lookup } from '../systems/codes.ts'
import { PostingsReader } from '../systems/postings.ts'
import { FAMILIES, type Family } from '../systems/version.ts'
import { HeadTable } from './head-table.ts'
import { type IndexState, isDoing, NO_TASK } from './index-store.ts'
import { KeyRuns } from './key-runs.ts'
import { CHUNKS, chunkOfStep, chunkRowOf, type FamilyLayout } from './layout.ts'

/**
 * The index as the matcher reads it: packed postings from the database, unpacked ones (heads) from
 * memory. Changes by other processes are found too.
 */
export class CodeIndex {
  readonly #reader = new PostingsReader()
  #state: IndexState = { generation: -1, packs: -1, ...NO_TASK }
  /** All numbers of recordings are below this. */
  #end = 0
  #headIds: readonly number[] = []
  readonly #heads = new Map<Family, HeadTable>()
  /** By family: how often each slot occurs, where a slot is a key. */
  readonly #frequencies = new Map<Family, Uint32Array>()
  readonly #keyRuns = new Map<Family, KeyRuns>()
  /** Removed recordings that postings still name, and the segments that have any. */
  #removed: ReadonlySet<number> = new Set()
  #purgeable: ReadonlySet<number> = new Set()

  constructor(private readonly store: RecordingStore) {}

  openLookups(): (family: Family) => Lookup {
    this.#keyRuns.clear()
    this.store.atomically.reading(() => this.#refreshState())
    return (family) => this.#lookupOf(family)
  }

  #lookupOf(family: Family): Lookup {
    const layout = this.store.index.layout()[family]
    const songs = this.#end
    const readPostings = (code: number) => {
      const postings = this.#readPostings(layout, layout.keyOf(code))
      // Drops recordings that were packed during the search; numbers ascend.
      while (postings.length > 0 && postings.songs[postings.length - 1]! >= songs) postings.length--
      return postings
    }
    if (!layout.isWide) this.#frequenciesOf(layout)
    // Memory may change during the search, so it is asked anew.
    const countPacked = layout.isWide
      ? (key: number) => this.#keyRunsOf(layout).countPostings(key)
      : (key: number) => this.#frequenciesOf(layout)[key]!
    const countPostings = (code: number) => {
      const key = layout.keyOf(code)
      return countPacked(key) + this.#headsOf(layout).countPostings(key)
    }
    return { songs, frequency: countPostings, postings: readPostings }
  }

  #readPostings(layout: FamilyLayout, key: number): PostingsReader {
    const reader = this.#reader
    reader.clear()
    let last = -1
    const afterUnpacking = (base: number, start: number) => {
      if (reader.length > start) last = reader.songs[reader.length - 1]!
      if (this.#purgeable.has(layout.segmentOf(base))) this.#dropRemoved(start)
    }
    if (layout.isWide) {
      for (const { blob, from, to: end, base } of this.#keyRunsOf(layout).runsOf(key)) {
        const length = reader.length
        reader.unpackPostings(blob, from, end, base, (end - from) >> 1)
        afterUnpacking(base, length)
      }
    } else if (this.#frequenciesOf(layout)[key]! > 0) {
      const { index } = this.store
      for (const row of index.postings(layout.rowOf(key), layout.lastRowOf(key))) {
        const base = layout.baseOf(row.id)
        const length = reader.length
        reader.unpackRuns(row.postings, base)
        afterUnpacking(base, length)
      }
    }
    // Recordings that are being packed are in both places; those up to `last` were read.
    this.#headsOf(layout).readPostings(key, last, reader)
    return reader
  }

  #dropRemoved(start: number): void {
    const { songs, times } = this.#reader
    let kept = start
    for (let i = start; i < this.#reader.length; i++) {
      if (this.#removed.has(songs[i]!)) continue
      songs[kept] = songs[i]!
      times[kept++] = times[i]!
    }
    this.#reader.length = kept
  }

  #refreshState(): void {
    const { index } = this.store
    const state = index.state()
    if (state.generation === this.#state.generation) return
    this.#refreshFrequencies(state)
    this.#headIds = index.headIds()
    for (const [family, table] of this.#heads) this.#followHeads(family, table)
    const { triplets } = index.layout()
    this.#removed = new Set(index.removed())
    this.#purgeable = new Set([...this.#removed].map((id) => triplets.segmentOf(id)))
    this.#end = this.store.lastId() + 1
    this.#state = state
  }

  /** Reading all frequencies is slow: during one task only its changes are read. */
  #refreshFrequencies(state: IndexState): void {
    const oldState = this.#state
    if (state.packs === oldState.packs) return
    if (oldState.task === null || !isDoing(state, oldState)) {
      this.#frequencies.clear()
      return
    }
    for (let step = oldState.step; step < state.step; step++) {
      const { family, chunk } = chunkOfStep(step)
      const frequencies = this.#frequencies.get(family)
      const counts = frequencies && this.store.index.readFrequencies(chunkRowOf(family, chunk))
      if (counts) frequencies.set(counts, chunk * counts.length)
    }
  }

  #headsOf({ family }: FamilyLayout): HeadTable {
    const knownTable = this.#heads.get(family)
    if (knownTable) return knownTable
    const table = new HeadTable(this.store.index.layout()[family])
    // Kept only when whole: a damaged file can end early.
    this.#followHeads(family, table)
    this.#heads.set(family, table)
    return table
  }

  #followHeads(family: Family, table: HeadTable): void {
    const present = new Set(this.#headIds)
    for (const id of table.presentRecordings) if (!present.has(id)) table.dropRecording(id)
    if (table.isWorn) {
      this.#heads.delete(family)
      return
    }
    for (const id of this.#headIds) {
      if (table.hasRecording(id)) continue
      const codes = this.store.index.headCodes(id, FAMILIES[family])
      table.addRecording(id, codes ? storedKeys(codes) : NO_KEYS)
    }
  }

  #keyRunsOf(layout: FamilyLayout): KeyRuns {
    const keyRuns = this.#keyRuns.get(layout.family) ?? new KeyRuns(this.store.index, layout)
    this.#keyRuns.set(layout.family, keyRuns)
    return keyRuns
  }

  #frequenciesOf({ family, chunk }: FamilyLayout): Uint32Array {
    const knownFrequencies = this.#frequencies.get(family)
    if (knownFrequencies) return knownFrequencies
    const frequencies = new Uint32Array(chunk * CHUNKS)
    const first = chunkRowOf(family, 0)
    for (const [row, counts] of this.store.index.allFrequencies(first, first + CHUNKS - 1)) {
      frequencies.set(counts, (row - first) * chunk)
    }
    this.#frequencies.set(family, frequencies)
    return frequencies
  }
}

const NO_KEYS = { keys: new Uint32Array(0), times: new Uint32Array(0) }
