import type { Lookup, Postings } from '../fingerprint/match.ts'
import { PostingsReader } from '../fingerprint/postings.ts'
import { FAMILIES, type Family } from '../fingerprint/version.ts'
import { slotsOf } from './ingest.ts'
import {
  baseOf,
  CHUNK,
  CHUNKS,
  chunkRowOf,
  firstAt,
  lastRowOf,
  rowOf,
  SEGMENT,
  SLOTS,
  slotOf,
} from './slots.ts'
import type { HeadRow, RecordingStore } from './store.ts'

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
  #generation = -1
  #packs = -1
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
    this.#store.consistently(() => this.#refresh())
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
    return {
      songs: this.#count,
      frequency: (code) => {
        const slot = slotOf(family, code)
        return packed[slot]! + (fresh?.[slot] ?? 0)
      },
      postings: (code) => this.#postings(family, slotOf(family, code), heads),
    }
  }

  #postings(family: Family, slot: number, heads: [number, Head][]): Postings {
    const reader = this.#reader
    reader.clear()
    if (this.#frequenciesOf(family)[slot]! > 0) {
      for (const row of this.#store.postings(rowOf(family, slot), lastRowOf(family, slot))) {
        const base = baseOf(row.id)
        const from = reader.length
        reader.unpack(row.postings, base)
        if (this.#maimed.has(base)) this.#dropRemoved(from)
      }
    }
    if (!this.#headFrequencies.get(family)?.[slot]) return reader
    for (const [id, { slots, times }] of heads) {
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
    const { generation, packs } = this.#store.state()
    if (generation === this.#generation) return
    // While nothing is packed or purged, frequencies stay: reading them is the dearest part.
    const ids = this.#store.headIds()
    if (packs !== this.#packs) this.#frequencies.clear()
    this.#packs = packs
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
    this.#generation = generation
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
      for (let chunk = 0; chunk < CHUNKS; chunk++) {
        const counts = this.#store.counts(chunkRowOf(family, chunk))
        if (counts) all.set(integersOf(counts), chunk * CHUNK)
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
