import { grown } from '../audio/samples.ts'
import { WordList } from '../kernel/database/word-list.ts'
import { isLittle, LONGEST_LITTLE } from './typed-text.ts'

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

/** The known words that fit a typed one. */
export interface FittingWords {
  /** Their numbers, ascending. */
  nums: readonly number[]
  /** The cost of each, at its index. */
  costs: readonly number[]
}

/** Fitting words that are kept: who types letter by letter asks the first words again. */
const KEPT = 64

/**
 * The words of an index, each with the set of its letters: this set rules out most words without a
 * comparison.
 */
export class Vocabulary {
  #words = new WordList()
  #letters = new Uint32Array(1024)
  /** The numbers of the words that a name may lack. */
  readonly little = new Set<number>()
  #known = 0
  readonly #kept = new Map<string, FittingWords>()

  /** Adds the new words at the end of the list; another list replaces all words. */
  update(words: WordList): void {
    if (words === this.#words && words.length === this.#known) return
    this.#kept.clear()
    if (words !== this.#words) {
      this.#known = 0
      this.little.clear()
    }
    this.#words = words
    this.#letters = grown(this.#letters, words.length)
    const { units, ends } = words
    for (; this.#known < words.length; this.#known++) {
      const start = ends[this.#known - 1] ?? 0
      const end = ends[this.#known] as number
      this.#letters[this.#known] = lettersIn(units, start, end)
      if (end - start <= LONGEST_LITTLE && isLittle(words.wordOf(this.#known))) {
        this.little.add(this.#known)
      }
    }
  }

  /** The known words that fit a typed one. */
  fitting(typed: TypedWord, withSlips: boolean): FittingWords {
    const { word, prefix } = typed
    if (!prefix && !(withSlips && slipsOf(word) > 0)) {
      const num = this.#words.numberOf(word)
      return num === 0 ? NO_WORDS : { nums: [num], costs: [COST.exact] }
    }
    const key = `${prefix ? 1 : 0}${withSlips ? 1 : 0}${word}`
    const kept = this.#kept.get(key)
    if (kept) return kept
    if (this.#kept.size >= KEPT) this.#kept.clear()
    const made = this.#compare(typed, withSlips)
    this.#kept.set(key, made)
    return made
  }

  #compare({ word: typed, prefix }: TypedWord, withSlips: boolean): FittingWords {
    const nums: number[] = []
    const costs: number[] = []
    // Too many words begin with something similar to a few letters.
    const begun = prefix && typed.length >= ONE_SLIP
    const most = withSlips ? slipsOf(typed) : 0
    const wanted = lettersOf(typed)
    const near = most > 0 ? new NearWords(typed) : undefined
    const { units, ends, length } = this.#words
    for (let num = 1; num < length; num++) {
      // One slip takes at most one letter away.
      let missing = wanted & ~(this.#letters[num] as number)
      for (let i = 0; i < most; i++) missing &= missing - 1
      if (missing !== 0) continue
      const start = ends[num - 1] as number
      const end = ends[num] as number
      const cost = beginsWith(units, start, end, typed)
        ? longerCost(end - start - typed.length, prefix, most)
        : near?.costOfWord({ units, start, end }, begun, most)
      if (cost === undefined) continue
      nums.push(num)
      costs.push(cost)
    }
    near?.end()
    return { nums, costs }
  }
}

const NO_WORDS: FittingWords = { nums: [], costs: [] }

/** The cost of a word that begins with the typed one and has so many letters more. */
function longerCost(more: number, prefix: boolean, most: number): number | undefined {
  if (more === 0) return COST.exact
  if (prefix) return COST.prefix
  return more <= most ? COST.slip * more : undefined
}

function beginsWith(units: Uint16Array, start: number, end: number, typed: string): boolean {
  if (end - start < typed.length) return false
  for (let i = 0; i < typed.length; i++) {
    if (units[start + i] !== typed.charCodeAt(i)) return false
  }
  return true
}

function lettersOf(word: string): number {
  let bits = 0
  for (let i = 0; i < word.length; i++) bits |= 1 << (word.charCodeAt(i) & 31)
  return bits
}

function lettersIn(units: Uint16Array, start: number, end: number): number {
  let bits = 0
  for (let i = start; i < end; i++) bits |= 1 << ((units[i] as number) & 31)
  return bits
}

/** For each UTF-16 unit, its places in the current typed word, as bits. */
const PLACES = new Int32Array(65_536)

/** A word within the units of many. */
interface Units {
  units: Uint16Array
  start: number
  end: number
}

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

  /** The cost of a word that does not begin with the typed one. */
  costOfWord(word: Units, begun: boolean, most: number): number | undefined {
    const length = word.end - word.start
    const typed = this.#typed.length
    if (Math.max(typed, length) < ONE_SLIP || typed - length > most) return undefined
    if (!begun && length - typed > most) return undefined
    return this.#costOf(word, begun, most)
  }

  /** The cost of a word with at most `most` slips, or of its beginning if `prefix` is true. */
  #costOf(
    { units, start, end: wordEnd }: Units,
    prefix: boolean,
    most: number,
  ): number | undefined {
    const length = this.#typed.length
    const wordLength = wordEnd - start
    const last = 1 << (length - 1)
    const end = prefix ? Math.min(wordLength, length + most) : wordLength
    let up = -1
    let down = 0
    let diagonal = 0
    let before = 0
    let count = length
    let nearest = most + 1
    for (let j = 0; j < end; j++) {
      const here = PLACES[units[start + j] as number] as number
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
    if (end === wordLength && count <= most && count <= nearest) return COST.slip * count
    return prefix && nearest <= most ? COST.slip * nearest + COST.prefix : undefined
  }
}
