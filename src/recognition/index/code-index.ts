import { type RecordingStore, slotsOf } from '../recording-store.ts'
import type { Lookup } from '../systems/codes.ts'
import { PostingsReader } from '../systems/postings.ts'
import type { Family } from '../systems/version.ts'
import { type HeadRow, type IndexState, isDoing, NO_TASK } from './index-store.ts'
import {
  baseOf,
  CHUNK,
  CHUNKS,
  chunkOfStep,
  chunkRowOf,
  familyOf,
  firstAt,
  lastRowOf,
  rowOf,
  SLOTS,
  segmentOf,
  slotOf,
} from './layout.ts'

/** The codes of a recording that is not packed: slots ascending, with their times. */
type Head = ReturnType<typeof slotsOf>

/**
 * The index of codes as the matcher reads it: packed postings from the database, and the newest
 * recordings (the heads) from memory. The database counts its changes; when the count has grown,
 * memory is brought up to date, so that recordings of another process are found too.
 */
export class CodeIndex {
  readonly #store: RecordingStore
  readonly #reader = new PostingsReader()
  /** The state of the database that memory agrees with. */
  #state: IndexState = { generation: -1, packs: -1, ...NO_TASK }
  /** All numbers of recordings are below this. */
  #end = 0
  readonly #heads = new Map<number, Map<Family, Head>>()
  /** How often each slot occurs in the postings, and in the heads, by family. */
  readonly #frequencies = new Map<Family, Uint32Array>()
  readonly #headFrequencies = new Map<Family, Uint32Array>()
  /** Removed recordings that postings still name, and the segments that have any. */
  #removed: ReadonlySet<number> = new Set()
  #purgeable: ReadonlySet<number> = new Set()

  constructor(store: RecordingStore) {
    this.#store = store
  }

  /** Gives access to the codes of each family, in the index as it is now. */
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
    const songs = this.#end
    return {
      songs,
      frequency: (code) => {
        const slot = slotOf(family, code)
        return packed[slot]! + (fresh?.[slot] ?? 0)
      },
      postings: (code) => {
        const found = this.#postings(family, slotOf(family, code), heads)
        // Recordings that were added and packed during the search. Numbers ascend.
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
      for (const row of this.#store.index.postings(rowOf(family, slot), lastRowOf(family, slot))) {
        const base = baseOf(row.id)
        const from = reader.length
        reader.unpack(row.postings, base)
        if (reader.length > from) last = reader.songs[reader.length - 1]!
        if (this.#purgeable.has(segmentOf(base))) this.#dropRemoved(from)
      }
    }
    if (!this.#headFrequencies.get(family)?.[slot]) return reader
    for (const [id, { slots, times }] of heads) {
      // While recordings are being packed they are in both places: those up to `last` are packed.
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
    const { index } = this.#store
    const state = index.state()
    if (state.generation === this.#state.generation) return
    this.#refreshFrequencies(state)
    const ids = index.headIds()
    const present = new Set(ids)
    for (const [id, head] of this.#heads) {
      if (present.has(id)) continue
      this.#heads.delete(id)
      this.#tally(head, -1)
    }
    for (const id of ids) {
      if (this.#heads.has(id)) continue
      const head = headsOf(index.headOf(id))
      this.#heads.set(id, head)
      this.#tally(head, 1)
    }
    this.#removed = new Set(index.removed())
    this.#purgeable = new Set([...this.#removed].map(segmentOf))
    this.#end = this.#store.lastId() + 1
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
      const counts = all && this.#store.index.frequencies(chunkRowOf(family, chunk))
      if (counts) all.set(counts, chunk * CHUNK)
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
    const known = this.#frequencies.get(family)
    if (known) return known
    const all = new Uint32Array(SLOTS)
    const first = chunkRowOf(family, 0)
    for (const [row, counts] of this.#store.index.allFrequencies(first, first + CHUNKS - 1)) {
      all.set(counts, (row - first) * CHUNK)
    }
    this.#frequencies.set(family, all)
    return all
  }
}

function headsOf(rows: HeadRow[]): Map<Family, Head> {
  const heads = new Map<Family, Head>()
  for (const { family, codes } of rows) {
    const name = familyOf(family)
    if (name) heads.set(name, slotsOf(codes))
  }
  return heads
}
