import type { Lookup } from '../fingerprint/lookup.ts'
import { PostingsReader } from '../fingerprint/postings.ts'
import { FAMILIES, type Family } from '../fingerprint/version.ts'
import {
  baseOf,
  CHUNK,
  CHUNKS,
  chunkOfStep,
  chunkRowOf,
  firstAt,
  lastRowOf,
  rowOf,
  SEGMENT,
  SLOTS,
  slotOf,
} from './index-layout.ts'
import { slotsOf } from './ingest.ts'
import type { HeadRow, IndexState, RecordingStore } from './store.ts'

/** The codes of a recording that is not packed: slots ascending, with their times. */
interface Head {
  slots: Uint32Array
  times: Uint32Array
}

/**
 * The index of codes as the matcher reads it: packed postings from the database, and the newest
 * recordings from memory. What is kept in memory follows the database's own count of changes, so
 * that another process's recordings are found too.
 */
export class CodeIndex {
  readonly #store: RecordingStore
  readonly #reader = new PostingsReader()
  /** Of what is kept here. */
  #state: IndexState = { generation: -1, packs: -1, task: null, upto: null, step: null }
  #count = 0
  readonly #heads = new Map<number, Map<Family, Head>>()
  /** How often each slot occurs in the postings, and in the heads. */
  readonly #frequencies = new Map<Family, Uint32Array>()
  readonly #headFrequencies = new Map<Family, Uint32Array>()
  /** Removed recordings, and whether a segment has any. */
  #removed = new Set<number>()
  #maimed = new Set<number>()

  constructor(store: RecordingStore) {
    this.#store = store
  }

  /** How to look into each family, in the index as it is now. */
  lookups(): (family: Family) => Lookup {
    this.#store.atomically.reading(() => this.#refresh())
    return (family) => this.#lookup(family)
  }

  #lookup(family: Family): Lookup {
    const packed = this.#frequenciesOf(family)
    const fresh = this.#headFrequencies.get(family)
    const heads: [number, Head][] = []
    for (const [id, families] of this.#heads) {
      const head = families.get(family)
      if (head) heads.push([id, head])
    }
    const songs = this.#count
    return {
      songs,
      frequency: (code) => {
        const slot = slotOf(family, code)
        return packed[slot]! + (fresh?.[slot] ?? 0)
      },
      postings: (code) => {
        const found = this.#postings(family, slotOf(family, code), heads)
        // Recordings that came and were packed while the search is under way. Numbers ascend.
        while (found.length > 0 && found.songs[found.length - 1]! >= songs) found.length--
        return found
      },
    }
  }

  /** All postings of a slot, by ascending recording. */
  #postings(family: Family, slot: number, heads: [number, Head][]): PostingsReader {
    const reader = this.#reader
    reader.clear()
    let last = -1
    if (this.#frequenciesOf(family)[slot]! > 0) {
      for (const row of this.#store.postings(rowOf(family, slot), lastRowOf(family, slot))) {
        const base = baseOf(row.id)
        const from = reader.length
        reader.unpack(row.postings, base)
        if (reader.length > from) last = reader.songs[reader.length - 1]!
        if (this.#maimed.has(base)) this.#dropRemoved(from)
      }
    }
    if (!this.#headFrequencies.get(family)?.[slot]) return reader
    for (const [id, { slots, times }] of heads) {
      // While a batch is being packed it stands in both places: those up to here are packed.
      if (id <= last) continue
      for (let i = firstAt(slots, slot); i < slots.length && slots[i] === slot; i++) {
        reader.add(id, times[i]!)
      }
    }
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
    const state = this.#store.state()
    if (state.generation === this.#state.generation) return
    this.#refreshFrequencies(state)
    const ids = this.#store.headIds()
    const present = new Set(ids)
    for (const [id, head] of this.#heads) {
      if (present.has(id)) continue
      this.#heads.delete(id)
      this.#tally(head, -1)
    }
    for (const id of ids) {
      if (this.#heads.has(id)) continue
      const head = headsOf(this.#store.headOf(id))
      this.#heads.set(id, head)
      this.#tally(head, 1)
    }
    this.#removed = new Set(this.#store.removed())
    this.#maimed = new Set([...this.#removed].map((id) => id - (id % SEGMENT)))
    this.#count = this.#store.lastId() + 1
    this.#state = state
  }

  /** Reading all frequencies is dear: where it is known what a task has changed, only that is read. */
  #refreshFrequencies({ packs, task, upto, step }: IndexState): void {
    const was = this.#state
    if (packs === was.packs) return
    if (task === null || task !== was.task || upto === null || upto !== was.upto) {
      this.#frequencies.clear()
      return
    }
    for (let next = was.step ?? 0; next < (step ?? 0); next++) {
      const { family, chunk } = chunkOfStep(next)
      const all = this.#frequencies.get(family)
      const counts = all && this.#store.counts(chunkRowOf(family, chunk))
      if (counts) all.set(integersOf(counts), chunk * CHUNK)
    }
  }

  #tally(heads: Map<Family, Head>, by: 1 | -1): void {
    for (const [family, { slots }] of heads) {
      const counts = this.#headFrequencies.get(family) ?? new Uint32Array(SLOTS)
      this.#headFrequencies.set(family, counts)
      for (const slot of slots) counts[slot] = counts[slot]! + by
    }
  }

  #frequenciesOf(family: Family): Uint32Array {
    let all = this.#frequencies.get(family)
    if (!all) {
      all = new Uint32Array(SLOTS)
      const bytes = new Uint8Array(all.buffer)
      const first = chunkRowOf(family, 0)
      for (const { id, counts } of this.#store.countsOf(first, first + CHUNKS - 1)) {
        bytes.set(counts, 4 * (id - first) * CHUNK)
      }
      this.#frequencies.set(family, all)
    }
    return all
  }
}

/** Reads 32-bit little-endian integers; a copy, as a blob need not be aligned. */
export function integersOf(blob: Uint8Array): Uint32Array {
  const copy = new Uint8Array(blob)
  return new Uint32Array(copy.buffer, 0, copy.length >> 2)
}

function headsOf(rows: HeadRow[]): Map<Family, Head> {
  const heads = new Map<Family, Head>()
  for (const { family, codes } of rows) {
    const name = NAMES.get(family)
    if (name) heads.set(name, slotsOf(codes))
  }
  return heads
}

const NAMES = new Map<number, Family>(
  (Object.keys(FAMILIES) as Family[]).map((name) => [FAMILIES[name], name]),
)
