import { eachKey } from '../systems/keyed-postings.ts'
import type { IndexStore } from './index-store.ts'
import type { FamilyLayout } from './layout.ts'

/** The place of postings of a key. */
export interface KeyRun {
  blob: Uint8Array
  from: number
  to: number
  /** The first recording of their segment. */
  base: number
}

/** Bytes. A longer row is not read for frequencies: it holds a key that is too common. */
const LONG = 32 * 1024
/** About the bytes of one posting: a step of songs and a time. */
const POSTING = 4
/** Keys that are remembered at most; a search has some thousands. */
const MOST = 50_000

/**
 * Finds the postings of keys in rows that hold several keys. A search asks how frequent each of its
 * codes is, and then for the postings of the rarest: a row is read once for both, and only the
 * postings that are asked for are unpacked.
 */
export class KeyRuns {
  readonly #known = new Map<number, { runs: readonly KeyRun[]; count: number; isWhole: boolean }>()

  constructor(
    private readonly store: IndexStore,
    private readonly layout: FamilyLayout,
  ) {}

  /** How many postings a key has; an estimate if it is in a long row. */
  frequency(key: number): number {
    return this.#find(key, LONG).count
  }

  runs(key: number): readonly KeyRun[] {
    return this.#find(key, Number.POSITIVE_INFINITY).runs
  }

  #find(key: number, longest: number) {
    const known = this.#known.get(key)
    if (known && (known.isWhole || longest === LONG)) return known
    const layout = this.layout
    const rest = layout.restOf(key)
    const runs: KeyRun[] = []
    let count = 0
    let isWhole = true
    for (const [id, postings] of this.#rows(layout.slotOf(key), longest)) {
      if (typeof postings === 'number') {
        isWhole = false
        count += Math.ceil(postings / POSTING)
        continue
      }
      const base = layout.baseOf(id)
      eachKey(postings, (found, from, to) => {
        if (found === rest) {
          runs.push({ blob: postings, from, to, base })
          count += countIn(postings, from, to)
        }
        return found >= rest
      })
    }
    const answer = { runs, count, isWhole }
    if (this.#known.size >= MOST) this.#known.clear()
    this.#known.set(key, answer)
    return answer
  }

  /** The rows of a slot, each with its bytes, or with its length if that exceeds `longest`. */
  #rows(slot: number, longest: number): (readonly [id: number, postings: Buffer | number])[] {
    const first = this.layout.rowOf(slot)
    const last = this.layout.lastRowOf(slot)
    if (first < last) {
      const rows = this.store.shortPostings(longest, first, last)
      return rows.map(({ id, postings, length }) => [id, postings ?? length])
    }
    // One value is read in two thirds of the time of a list of rows.
    const row = this.store.shortRow(longest, first)
    return row === undefined ? [] : [[first, row]]
  }
}

/** A posting is two numbers; the last byte of each is below 128. */
function countIn(bytes: Uint8Array, from: number, to: number): number {
  let ends = 0
  for (let i = from; i < to; i++) if (bytes[i]! < 128) ends++
  return ends >> 1
}
