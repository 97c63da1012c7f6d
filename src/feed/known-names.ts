import { wordsOf } from '../naming/names.ts'

/** Words of a name at most; longer names are not looked for. */
export const LONGEST_NAME = 12

/** The hash of no words. */
export const HASH_START = 0x811c9dc5

/** The hash of a sequence of words, from the hash of those before and the last word. */
export function hashOn(before: number, word: string): number {
  let hash = before
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  // A sign between words, so that `ab c` and `a bc` differ.
  hash = Math.imul(hash ^ 0x20, 0x01000193)
  return hash ^ (hash >>> 15)
}

/**
 * The names of all artists, as 32-bit hashes of their words. In about 40 bytes a name it rules out
 * nearly every sequence of words that is no artist's name. The others have to be looked up.
 */
export class KnownNames {
  readonly #names = new Hashes()
  /** The beginnings of names of several words. */
  readonly #beginnings = new Hashes()

  /** How many names there are; two names with one hash count once. */
  get size(): number {
    return this.#names.size
  }

  /** Adds a name by its key (`artistKey`). */
  add(key: string): void {
    const words = wordsOf(key)
    if (words.length === 0 || words.length > LONGEST_NAME) return
    let hash = HASH_START
    for (const [place, word] of words.entries()) {
      if (place > 0) this.#beginnings.add(hash)
      hash = hashOn(hash, word)
    }
    this.#names.add(hash)
  }

  /** Whether there may be a name of this hash. */
  has(hash: number): boolean {
    return this.#names.has(hash)
  }

  /** Whether there may be a longer name that begins with the words of this hash. */
  goesOn(hash: number): boolean {
    return this.#beginnings.has(hash)
  }
}

/** A set of 32-bit hashes. */
class Hashes {
  #table = new Uint32Array(1024)
  size = 0

  has(hash: number): boolean {
    const table = this.#table
    const wanted = hash >>> 0 || 1
    const mask = table.length - 1
    for (let at = slot(wanted) & mask; ; at = (at + 1) & mask) {
      const found = table[at]
      if (found === wanted) return true
      if (found === 0) return false
    }
  }

  add(hash: number): void {
    if ((this.size + 1) * 2 > this.#table.length) this.#grow()
    if (place(this.#table, hash >>> 0 || 1)) this.size++
  }

  #grow(): void {
    const before = this.#table
    this.#table = new Uint32Array(before.length * 2)
    for (const hash of before) if (hash !== 0) place(this.#table, hash)
  }
}

/** The low bits of a hash depend on the last letters alone, so they are mixed with the others. */
function slot(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> 8
}

function place(table: Uint32Array, hash: number): boolean {
  const mask = table.length - 1
  let at = slot(hash) & mask
  while (table[at] !== 0) {
    if (table[at] === hash) return false
    at = (at + 1) & mask
  }
  table[at] = hash
  return true
}
