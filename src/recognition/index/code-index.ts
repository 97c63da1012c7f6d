import { keysOf, type RecordingStore } from '../recording-store.ts'
import type { Lookup } from '../systems/codes.ts'
import { PostingsReader } from '../systems/postings.ts'
import type { Family } from '../systems/version.ts'
import { type HeadRow, type IndexState, isDoing, NO_TASK } from './index-store.ts'
import { KeyRuns } from './key-runs.ts'
import {
  CHUNKS,
  chunkOfStep,
  chunkRowOf,
  type FamilyLayout,
  familyOf,
  firstAt,
  TOPS,
} from './layout.ts'

/** The codes of a recording that is not packed: keys ascending, with their times. */
type Head = ReturnType<typeof keysOf>

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
  /** How often each slot occurs in the postings, by family, where a slot is a key. */
  readonly #frequencies = new Map<Family, Uint32Array>()
  /** Where the keys are that the search at hand asks for, by family. */
  readonly #known = new Map<Family, KeyRuns>()
  /** How often keys with the same top bits occur in the heads, by family. */
  readonly #headFrequencies = new Map<Family, Uint32Array>()
  /** Removed recordings that postings still name, and the segments that have any. */
  #removed: ReadonlySet<number> = new Set()
  #purgeable: ReadonlySet<number> = new Set()

  constructor(store: RecordingStore) {
    this.#store = store
  }

  /** Gives access to the codes of each family, in the index as it is now. */
  lookups(): (family: Family) => Lookup {
    this.#known.clear()
    this.#store.atomically.reading(() => this.#refresh())
    return (family) => this.#lookup(family)
  }

  #lookup(family: Family): Lookup {
    const layout = this.#store.index.layout()[family]
    const heads: [number, Head][] = []
    for (const [id, families] of this.#heads) {
      const head = families.get(family)
      if (head) heads.push([id, head])
    }
    const songs = this.#end
    const postings = (code: number) => {
      const found = this.#postings(layout, layout.keyOf(code), heads)
      // Recordings that were added and packed during the search. Numbers ascend.
      while (found.length > 0 && found.songs[found.length - 1]! >= songs) found.length--
      return found
    }
    const fresh = this.#headFrequencies.get(family)
    if (layout.isWide) {
      const frequency = (code: number) => {
        const key = layout.keyOf(code)
        const unpacked = fresh?.[layout.topOf(key)] ? countIn(heads, key) : 0
        return this.#keys(layout).frequency(key) + unpacked
      }
      return { songs, frequency, postings }
    }
    const packed = this.#frequenciesOf(layout)
    return {
      songs,
      frequency: (code) => {
        const key = layout.keyOf(code)
        return packed[key]! + (fresh?.[key] ?? 0)
      },
      postings,
    }
  }

  /** All postings of a key, by ascending recording. */
  #postings(layout: FamilyLayout, key: number, heads: [number, Head][]): PostingsReader {
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
      const { index } = this.#store
      for (const row of index.postings(layout.rowOf(key), layout.lastRowOf(key))) {
        const base = layout.baseOf(row.id)
        const length = reader.length
        reader.unpack(row.postings, base)
        unpacked(base, length)
      }
    }
    if (!this.#headFrequencies.get(layout.family)?.[layout.topOf(key)]) return reader
    for (const [id, { keys, times }] of heads) {
      // While recordings are being packed they are in both places: those up to `last` are packed.
      if (id <= last) continue
      for (let i = firstAt(keys, key); i < keys.length && keys[i] === key; i++) {
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
    const { landmarks } = index.layout()
    this.#removed = new Set(index.removed())
    this.#purgeable = new Set([...this.#removed].map((id) => landmarks.segmentOf(id)))
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
      if (counts) all.set(counts, chunk * counts.length)
    }
  }

  #tally(heads: Map<Family, Head>, by: 1 | -1): void {
    for (const [family, { keys }] of heads) {
      const counts = this.#headFrequencies.get(family) ?? new Uint32Array(TOPS)
      this.#headFrequencies.set(family, counts)
      const layout = this.#store.index.layout()[family]
      for (const key of keys) {
        const top = layout.topOf(key)
        counts[top] = counts[top]! + by
      }
    }
  }

  #keys(layout: FamilyLayout): KeyRuns {
    const known = this.#known.get(layout.family) ?? new KeyRuns(this.#store.index, layout)
    this.#known.set(layout.family, known)
    return known
  }

  #frequenciesOf({ family, chunk }: FamilyLayout): Uint32Array {
    const known = this.#frequencies.get(family)
    if (known) return known
    const all = new Uint32Array(chunk * CHUNKS)
    const first = chunkRowOf(family, 0)
    for (const [row, counts] of this.#store.index.allFrequencies(first, first + CHUNKS - 1)) {
      all.set(counts, (row - first) * chunk)
    }
    this.#frequencies.set(family, all)
    return all
  }
}

/** How often a key occurs in heads. */
function countIn(heads: readonly [number, Head][], key: number): number {
  return heads.reduce((sum, [, { keys }]) => sum + firstAt(keys, key + 1) - firstAt(keys, key), 0)
}

function headsOf(rows: HeadRow[]): Map<Family, Head> {
  const heads = new Map<Family, Head>()
  for (const { family, codes } of rows) {
    const name = familyOf(family)
    if (name) heads.set(name, keysOf(codes))
  }
  return heads
}
