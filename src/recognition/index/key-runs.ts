import { forEachKey } from '../systems/keyed-postings.ts'
import type { IndexStore } from './index-store.ts'
import type { FamilyLayout } from './layout.ts'

export interface KeyRun {
  blob: Uint8Array
  from: number
  to: number
  /** The first recording of their segment. */
  base: number
}

/** A longer row is not read for frequencies: it holds a key that is too common. */
const LONG_ROW_BYTES = 32 * 1024
/** About the bytes of one posting. */
const POSTING_BYTES = 4
const MAX_REMEMBERED_KEYS = 50_000

/** Finds postings in rows of several keys; a row is read once for frequencies and postings. */
export class KeyRuns {
  readonly #runsByKey = new Map<
    number,
    { runs: readonly KeyRun[]; count: number; isWhole: boolean }
  >()

  constructor(
    private readonly store: IndexStore,
    private readonly layout: FamilyLayout,
  ) {}

  /** An estimate if the key is in a long row. */
  countPostings(key: number): number {
    return this.#findKey(key, LONG_ROW_BYTES).count
  }

  runsOf(key: number): readonly KeyRun[] {
    return this.#findKey(key, Number.POSITIVE_INFINITY).runs
  }

  #findKey(key: number, longest: number) {
    const knownRuns = this.#runsByKey.get(key)
    if (knownRuns && (knownRuns.isWhole || longest === LONG_ROW_BYTES)) return knownRuns
    const layout = this.layout
    const rest = layout.restOf(key)
    const runs: KeyRun[] = []
    let count = 0
    let isWhole = true
    for (const [id, postings] of this.#rowsOf(layout.slotOf(key), longest)) {
      if (typeof postings === 'number') {
        isWhole = false
        count += Math.ceil(postings / POSTING_BYTES)
        continue
      }
      const base = layout.baseOf(id)
      forEachKey(postings, (keyRest, start, end) => {
        if (keyRest === rest) {
          runs.push({ blob: postings, from: start, to: end, base })
          count += countPostingsIn(postings, start, end)
        }
        return keyRest >= rest
      })
    }
    const answer = { runs, count, isWhole }
    if (this.#runsByKey.size >= MAX_REMEMBERED_KEYS) this.#runsByKey.clear()
    this.#runsByKey.set(key, answer)
    return answer
  }

  #rowsOf(slot: number, longest: number): (readonly [id: number, postings: Buffer | number])[] {
    const first = this.layout.rowOf(slot)
    const last = this.layout.lastRowOf(slot)
    if (first < last) {
      const rows = this.store.shortPostings(longest, first, last)
      return rows.map(({ id, postings, length }) => [id, postings ?? length])
    }
    // One value is read faster than a list of rows.
    const row = this.store.shortRow(longest, first)
    return row === undefined ? [] : [[first, row]]
  }
}

/** A posting is two numbers; the last byte of each is below 128. */
function countPostingsIn(bytes: Uint8Array, start: number, end: number): number {
  let ends = 0
  for (let i = start; i < end; i++) if (bytes[i]! < 128) ends++
  return ends >> 1
}
