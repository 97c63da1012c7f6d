import { damaged } from './damage.ts'
import type { Database } from './open.ts'
import { all, run, statements } from './statements.ts'

/** Words in a block of the table. */
const WORDS_IN_BLOCK = 1024
/** Longer words are cut: nobody types so many letters of one. */
const MAX_UNITS = 1000
/** FNV-1a, 32 bits. */
const FNV = { basis: 0x811c9dc5, prime: 0x01000193 } as const

/**
 * Words by number, from 1 on, as UTF-16 units in one array: a million words as strings take ten
 * times as long to read. A word stays when nothing uses it any more.
 */
export class WordList {
  /** The numbers of all words are below this. */
  length = 1
  /** The units of all words. */
  units = new Uint16Array(4096)
  /** Where the units of a word end, by its number; those of the next begin there. */
  ends = new Uint32Array(1024)
  /** The numbers of words by the hash of their units; 0 where there is none. */
  #slots = new Int32Array(2048)

  /** The number of a word; 0 if it is not in the list. */
  numberOf(word: string): number {
    return this.#slots[this.#slotOf(this.#place(word))] as number
  }

  wordOf(num: number): string {
    return String.fromCharCode(...this.units.subarray(this.ends[num - 1], this.ends[num]))
  }

  /** Adds a word if it is new; returns its number. */
  add(word: string): number {
    return this.#addPlaced(this.#place(word))
  }

  /** As {@link add}, of a word as units. */
  addUnits(units: Uint16Array): number {
    const start = this.#reserve(units.length)
    this.units.set(units, start)
    return this.#addPlaced(units.length)
  }

  /** Puts the units of a word behind those of all words; returns how many they are. */
  #place(word: string): number {
    const length = Math.min(word.length, MAX_UNITS)
    const start = this.#reserve(length)
    for (let i = 0; i < length; i++) this.units[start + i] = word.charCodeAt(i)
    return length
  }

  #addPlaced(length: number): number {
    const slot = this.#slotOf(length)
    const known = this.#slots[slot] as number
    if (known !== 0) return known
    const num = this.length
    this.ends[num] = (this.ends[num - 1] as number) + length
    this.#slots[slot] = num
    this.length++
    if (2 * this.length > this.#slots.length) this.#rehash()
    return num
  }

  /** The slot of the word behind all words: of the same word in the list, or a free one. */
  #slotOf(length: number): number {
    const { units, ends } = this
    const mask = this.#slots.length - 1
    const placed = ends[this.length - 1] as number
    let slot = hashOf(units, placed, placed + length) & mask
    for (let num = this.#slots[slot] as number; num !== 0; num = this.#slots[slot] as number) {
      const start = ends[num - 1] as number
      let same = (ends[num] as number) - start === length
      for (let i = 0; same && i < length; i++) same = units[start + i] === units[placed + i]
      if (same) break
      slot = (slot + 1) & mask
    }
    return slot
  }

  /** Makes room for a word; returns where it begins. */
  #reserve(length: number): number {
    const start = this.ends[this.length - 1] as number
    if (start + length > this.units.length) {
      const before = this.units
      this.units = new Uint16Array(Math.max(start + length, 2 * before.length))
      this.units.set(before)
    }
    if (this.length >= this.ends.length) {
      const before = this.ends
      this.ends = new Uint32Array(2 * before.length)
      this.ends.set(before)
    }
    return start
  }

  #rehash(): void {
    const slots = new Int32Array(2 * this.#slots.length)
    const mask = slots.length - 1
    const { units, ends } = this
    for (let num = 1; num < this.length; num++) {
      let slot = hashOf(units, ends[num - 1] as number, ends[num] as number) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = num
    }
    this.#slots = slots
  }
}

function hashOf(units: Uint16Array, start: number, end: number): number {
  let hash: number = FNV.basis
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (units[i] as number), FNV.prime)
  return hash ^ (hash >>> 15)
}

/** A {@link WordList} in a table `(block, data)`, to which any process adds words at the end. */
export class StoredWords {
  readonly #table: string
  readonly #sql
  /** Another list after {@link forget}. */
  list = new WordList()

  /** @param table - a constant, never user input */
  constructor(db: Database, table: string) {
    this.#table = table
    this.#sql = statements({
      blocks: all<[from: number], { block: number; data: Buffer }>(
        `SELECT block, data FROM ${table} WHERE block >= ? ORDER BY block`,
      ),
      write: run<[block: number, data: Uint8Array]>(
        `INSERT OR REPLACE INTO ${table} (block, data) VALUES (?, ?)`,
      ),
    })(db)
  }

  forget(): void {
    this.list = new WordList()
  }

  /**
   * Reads the words that were added.
   *
   * @throws {DatabaseError} when a block is damaged
   */
  readNew(): void {
    const { list } = this
    for (const { block, data } of this.#sql.blocks(blockOf(list.length))) {
      // A block must follow the one before, which must be full.
      const isNext = block === blockOf(list.length) && data.length % 2 === 0
      if (!isNext || !this.#addAll(block, new Uint16Array(new Uint8Array(data).buffer))) {
        throw damaged(this.#table, `block ${block}`)
      }
    }
  }

  #addAll(block: number, data: Uint16Array): boolean {
    const { list } = this
    let num = Math.max(block * WORDS_IN_BLOCK, 1)
    for (let start = 0; start < data.length; num++) {
      const end = start + 1 + (data[start] as number)
      if (end > data.length || end - start - 1 > MAX_UNITS) return false
      if (num >= list.length) {
        if (list.addUnits(data.subarray(start + 1, end)) !== num) return false
      }
      start = end
    }
    return num >= list.length
  }

  /** Writes the words from a number on, inside the transaction that added them. */
  writeFrom(first: number): void {
    const { list } = this
    for (let block = blockOf(first); block * WORDS_IN_BLOCK < list.length; block++) {
      const from = Math.max(block * WORDS_IN_BLOCK, 1)
      const to = Math.min((block + 1) * WORDS_IN_BLOCK, list.length)
      if (to <= first) continue
      const start = list.ends[from - 1] as number
      const data = new Uint16Array((list.ends[to - 1] as number) - start + to - from)
      let at = 0
      for (let num = from; num < to; num++) {
        const [begin, end] = [list.ends[num - 1] as number, list.ends[num] as number]
        data[at++] = end - begin
        data.set(list.units.subarray(begin, end), at)
        at += end - begin
      }
      this.#sql.write(block, new Uint8Array(data.buffer))
    }
  }
}

function blockOf(num: number): number {
  return Math.floor(num / WORDS_IN_BLOCK)
}
