import { wordsOf } from '../naming/names.ts'

export const LONGEST_NAME = 12

export const HASH_START = 0x811c9dc5

/** The hash of a sequence of words, from the hash of those before and the last word. */
export function hashOn(before: number, word: string): number {
  let hash = before
  // A space ends each word, so that `ab c` and `a bc` differ.
  for (let i = 0; i <= word.length; i++) {
    hash = Math.imul(hash ^ (i < word.length ? word.charCodeAt(i) : 0x20), 0x01000193)
  }
  return hash ^ (hash >>> 15)
}

/**
 * The names of all artists, as 32-bit hashes of their words, which rule out nearly every sequence of
 * words that is no artist's name. The others have to be looked up.
 */
export class KnownNames {
  readonly #names = new Set<number>()
  readonly #beginnings = new Set<number>()

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
