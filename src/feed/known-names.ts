import { wordsOfKey } from '../naming/names.ts'

export const MAX_NAME_WORDS = 12

export const HASH_START = 0x811c9dc5

/** From the hash of the words before. */
export function extendHash(startHash: number, word: string): number {
  let hash = startHash
  // A space ends each word, so that `ab c` and `a bc` differ.
  for (let i = 0; i <= word.length; i++) {
    hash = Math.imul(hash ^ (i < word.length ? word.charCodeAt(i) : 0x20), 0x01000193)
  }
  return hash ^ (hash >>> 15)
}

/** 32-bit hashes of all artists' names rule out nearly every sequence of words that is none. */
export class KnownNames {
  readonly #names = new Set<number>()
  readonly #beginnings = new Set<number>()

  /** Two names with one hash count once. */
  get size(): number {
    return this.#names.size
  }

  /** By the name's key (`artistKey`). */
  addName(key: string): void {
    const words = wordsOfKey(key)
    if (words.length === 0 || words.length > MAX_NAME_WORDS) return
    let hash = HASH_START
    for (const [place, word] of words.entries()) {
      if (place > 0) this.#beginnings.add(hash)
      hash = extendHash(hash, word)
    }
    this.#names.add(hash)
  }

  /** Whether there may be a name of this hash. */
  mayHave(hash: number): boolean {
    return this.#names.has(hash)
  }

  /** Whether there may be a longer name that begins with these words. */
  goesOn(hash: number): boolean {
    return this.#beginnings.has(hash)
  }
}
