import { grown } from '../audio/samples.ts'
import { isLittle } from './typed-text.ts'

/** Longer typed words may have no slips: each letter takes one bit of a positive integer. */
const LONGEST = 31
/** The least letters of a word that may have one slip, or two. */
const ONE_SLIP = 4
const TWO_SLIPS = 8

/**
 * The cost of a known word for a typed one: `exact` or `prefix`, plus `slip` for each slip. A word
 * that does not fit has no cost.
 */
export const COST = { exact: 0, prefix: 1, slip: 2 } as const

export interface TypedWord {
  word: string
  /** Whether it may be the beginning of a word: the last one that was typed. */
  prefix: boolean
}

/**
 * The most slips that a typed word may have: none in numbers, as another number is another thing. A
 * word of `ONE_SLIP` − 1 letters may be a longer one without a letter.
 */
function slipsOf(word: string): number {
  if (word.length < ONE_SLIP - 1 || word.length > LONGEST || /\p{N}/u.test(word)) return 0
  return word.length < TWO_SLIPS ? 1 : 2
}

/**
 * The words of an index, each with the set of its letters: this set rules out most words without a
 * comparison.
 */
export class Vocabulary {
  #words: readonly string[] = []
  #letters = new Uint32Array(1024)
  /** The numbers of the words that a name may lack. */
  readonly little = new Set<number>()
  #known = 0

  /** Adds the new words at the end of the list; another list replaces all words. */
  update(words: readonly string[]): void {
    if (words !== this.#words) {
      this.#known = 0
      this.little.clear()
    }
    this.#words = words
    this.#letters = grown(this.#letters, words.length)
    for (; this.#known < words.length; this.#known++) {
      const word = words[this.#known] ?? ''
      this.#letters[this.#known] = lettersOf(word)
      if (isLittle(word)) this.little.add(this.#known)
    }
  }

  /** Calls `found` with each known word that fits a typed one. */
  eachFitting(
    { word: typed, prefix }: TypedWord,
    withSlips: boolean,
    found: (num: number, cost: number) => void,
  ): void {
    // Too many words begin with something similar to a few letters.
    const begun = prefix && typed.length >= ONE_SLIP
    const most = withSlips ? slipsOf(typed) : 0
    const wanted = lettersOf(typed)
    const near = most > 0 ? new NearWords(typed) : undefined
    for (let num = 1; num < this.#words.length; num++) {
      // One slip takes at most one letter away.
      let missing = wanted & ~(this.#letters[num] as number)
      for (let i = 0; i < most; i++) missing &= missing - 1
      if (missing !== 0) continue
      const word = this.#words[num] as string
      if (word.startsWith(typed)) {
        if (word.length === typed.length) found(num, COST.exact)
        else if (prefix) found(num, COST.prefix)
        else if (near && word.length - typed.length <= most) {
          found(num, COST.slip * (word.length - typed.length))
        }
      } else if (near && Math.max(typed.length, word.length) >= ONE_SLIP) {
        if (typed.length - word.length > most) continue
        if (!begun && word.length - typed.length > most) continue
        const cost = near.costOf(word, begun, most)
        if (cost !== undefined) found(num, cost)
      }
    }
    near?.end()
  }
}

function lettersOf(word: string): number {
  let bits = 0
  for (let i = 0; i < word.length; i++) bits |= 1 << (word.charCodeAt(i) & 31)
  return bits
}

/** For each UTF-16 unit, its places in the current typed word, as bits. */
const PLACES = new Int32Array(65_536)

/**
 * Counts slips between one typed word and many others, and between it and their beginnings: a missing,
 * additional or wrong letter, or two exchanged neighbours. The columns of the matrix of
 * `slips` (`likeness.ts`) are bits of numbers, as in H. Hyyrö, "A bit-vector algorithm for computing
 * Levenshtein and Damerau edit distances", Nordic J. of Computing 10 (2003).
 */
class NearWords {
  readonly #typed: string

  constructor(typed: string) {
    this.#typed = typed
    for (let i = 0; i < typed.length; i++) {
      const unit = typed.charCodeAt(i)
      PLACES[unit] = (PLACES[unit] as number) | (1 << i)
    }
  }

  end(): void {
    for (let i = 0; i < this.#typed.length; i++) PLACES[this.#typed.charCodeAt(i)] = 0
  }

  /** The cost of a word with at most `most` slips, or of its beginning if `prefix` is true. */
  costOf(word: string, prefix: boolean, most: number): number | undefined {
    const length = this.#typed.length
    const last = 1 << (length - 1)
    const end = prefix ? Math.min(word.length, length + most) : word.length
    let up = -1
    let down = 0
    let diagonal = 0
    let before = 0
    let count = length
    let nearest = most + 1
    for (let j = 0; j < end; j++) {
      const here = PLACES[word.charCodeAt(j)] as number
      const exchanged = ((~diagonal & here) << 1) & before
      diagonal = exchanged | (((here & up) + up) ^ up) | here | down
      let right = down | ~(diagonal | up)
      let left = up & diagonal
      if (right & last) count++
      else if (left & last) count--
      right = (right << 1) | 1
      left <<= 1
      up = left | ~(diagonal | right)
      down = right & diagonal
      before = here
      if (prefix && count < nearest) nearest = count
    }
    if (end === word.length && count <= most && count <= nearest) return COST.slip * count
    return prefix && nearest <= most ? COST.slip * nearest + COST.prefix : undefined
  }
}
