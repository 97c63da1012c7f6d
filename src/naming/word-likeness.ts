import { grown } from '../audio/samples.ts'
import { WordList } from '../kernel/database/word-list.ts'
import { isLittle, MAX_LITTLE_LETTERS } from './typed-text.ts'

/** Each letter takes one bit of a positive integer. */
const MAX_SLIP_LETTERS = 31
const ONE_SLIP_LETTERS = 4
const TWO_SLIPS_LETTERS = 8

/** `slip` is added for each slip. */
export const WORD_COSTS = { exact: 0, prefix: 1, slip: 2 } as const

export interface TypedWord {
  word: string
  /** The last typed word may be the beginning of a longer one. */
  prefix: boolean
}

/**
 * None in numbers: another number is another thing. One letter less than `ONE_SLIP_LETTERS` may be
 * missing.
 */
function allowedWordSlips(word: string): number {
  if (word.length < ONE_SLIP_LETTERS - 1 || word.length > MAX_SLIP_LETTERS || /\p{N}/u.test(word))
    return 0
  return word.length < TWO_SLIPS_LETTERS ? 1 : 2
}

export interface FittingWords {
  /** Ascending. */
  nums: readonly number[]
  /** At the index of the number. */
  costs: readonly number[]
}

/** Who types letter by letter asks the first words again. */
const MAX_KEPT_ANSWERS = 64

/** The set of a word's letters rules out most words without a comparison. */
export class Vocabulary {
  #words = new WordList()
  #letterSets = new Uint32Array(1024)
  /** Words that a name may lack. */
  readonly little = new Set<number>()
  #wordCount = 0
  readonly #answers = new Map<string, FittingWords>()

  /** Another list replaces all words. */
  updateWords(words: WordList): void {
    if (words === this.#words && words.length === this.#wordCount) return
    this.#answers.clear()
    if (words !== this.#words) {
      this.#wordCount = 0
      this.little.clear()
    }
    this.#words = words
    this.#letterSets = grown(this.#letterSets, words.length)
    const { units, ends } = words
    for (; this.#wordCount < words.length; this.#wordCount++) {
      const start = ends[this.#wordCount - 1] ?? 0
      const end = ends[this.#wordCount] as number
      this.#letterSets[this.#wordCount] = letterSetIn(units, start, end)
      if (end - start <= MAX_LITTLE_LETTERS && isLittle(words.wordOf(this.#wordCount))) {
        this.little.add(this.#wordCount)
      }
    }
  }

  fittingWords(typed: TypedWord, withSlips: boolean): FittingWords {
    const { word, prefix } = typed
    if (!prefix && !(withSlips && allowedWordSlips(word) > 0)) {
      const num = this.#words.numberOf(word)
      return num === 0 ? NO_WORDS : { nums: [num], costs: [WORD_COSTS.exact] }
    }
    const key = `${prefix ? 1 : 0}${withSlips ? 1 : 0}${word}`
    const cachedWords = this.#answers.get(key)
    if (cachedWords) return cachedWords
    if (this.#answers.size >= MAX_KEPT_ANSWERS) this.#answers.clear()
    const fittingWords = this.#compareWords(typed, withSlips)
    this.#answers.set(key, fittingWords)
    return fittingWords
  }

  #compareWords({ word: typed, prefix }: TypedWord, withSlips: boolean): FittingWords {
    const nums: number[] = []
    const costs: number[] = []
    // Too many words begin with something similar to a few letters.
    const mayBeLonger = prefix && typed.length >= ONE_SLIP_LETTERS
    const maxSlips = withSlips ? allowedWordSlips(typed) : 0
    const typedLetters = letterSetOf(typed)
    const nearWords = maxSlips > 0 ? new NearWords(typed) : undefined
    const { units, ends, length } = this.#words
    for (let num = 1; num < length; num++) {
      // One slip takes at most one letter away.
      let missingLetters = typedLetters & ~(this.#letterSets[num] as number)
      for (let i = 0; i < maxSlips; i++) missingLetters &= missingLetters - 1
      if (missingLetters !== 0) continue
      const start = ends[num - 1] as number
      const end = ends[num] as number
      const cost = unitsBeginWith(units, start, end, typed)
        ? longerCost(end - start - typed.length, prefix, maxSlips)
        : nearWords?.costOfWord({ units, start, end }, mayBeLonger, maxSlips)
      if (cost === undefined) continue
      nums.push(num)
      costs.push(cost)
    }
    nearWords?.clearPlaces()
    return { nums, costs }
  }
}

const NO_WORDS: FittingWords = { nums: [], costs: [] }

function longerCost(extraLetters: number, prefix: boolean, maxSlips: number): number | undefined {
  if (extraLetters === 0) return WORD_COSTS.exact
  if (prefix) return WORD_COSTS.prefix
  return extraLetters <= maxSlips ? WORD_COSTS.slip * extraLetters : undefined
}

function unitsBeginWith(units: Uint16Array, start: number, end: number, typed: string): boolean {
  if (end - start < typed.length) return false
  for (let i = 0; i < typed.length; i++) {
    if (units[start + i] !== typed.charCodeAt(i)) return false
  }
  return true
}

function letterSetOf(word: string): number {
  let bits = 0
  for (let i = 0; i < word.length; i++) bits |= 1 << (word.charCodeAt(i) & 31)
  return bits
}

function letterSetIn(units: Uint16Array, start: number, end: number): number {
  let bits = 0
  for (let i = start; i < end; i++) bits |= 1 << ((units[i] as number) & 31)
  return bits
}

/** By UTF-16 unit, as bits. */
const TYPED_PLACES = new Int32Array(65_536)

interface UnitRange {
  units: Uint16Array
  start: number
  end: number
}

/**
 * Columns of the matrix are bits of numbers, as in H. Hyyrö, "A bit-vector algorithm for computing
 * Levenshtein and Damerau edit distances", Nordic J. of Computing 10 (2003).
 */
class NearWords {
  readonly #typed: string

  constructor(typed: string) {
    this.#typed = typed
    for (let i = 0; i < typed.length; i++) {
      const unit = typed.charCodeAt(i)
      TYPED_PLACES[unit] = (TYPED_PLACES[unit] as number) | (1 << i)
    }
  }

  clearPlaces(): void {
    for (let i = 0; i < this.#typed.length; i++) TYPED_PLACES[this.#typed.charCodeAt(i)] = 0
  }

  costOfWord(word: UnitRange, mayBeLonger: boolean, maxSlips: number): number | undefined {
    const length = word.end - word.start
    const typed = this.#typed.length
    if (Math.max(typed, length) < ONE_SLIP_LETTERS || typed - length > maxSlips) return undefined
    if (!mayBeLonger && length - typed > maxSlips) return undefined
    return this.#costOf(word, mayBeLonger, maxSlips)
  }

  #costOf(
    { units, start, end: wordEnd }: UnitRange,
    prefix: boolean,
    maxSlips: number,
  ): number | undefined {
    const length = this.#typed.length
    const wordLength = wordEnd - start
    const lastBit = 1 << (length - 1)
    const end = prefix ? Math.min(wordLength, length + maxSlips) : wordLength
    let upBits = -1
    let downBits = 0
    let diagonalBits = 0
    let previousPlaces = 0
    let count = length
    let nearestCount = maxSlips + 1
    for (let j = 0; j < end; j++) {
      const places = TYPED_PLACES[units[start + j] as number] as number
      const exchangedBits = ((~diagonalBits & places) << 1) & previousPlaces
      diagonalBits = exchangedBits | (((places & upBits) + upBits) ^ upBits) | places | downBits
      let rightBits = downBits | ~(diagonalBits | upBits)
      let leftBits = upBits & diagonalBits
      if (rightBits & lastBit) count++
      else if (leftBits & lastBit) count--
      rightBits = (rightBits << 1) | 1
      leftBits <<= 1
      upBits = leftBits | ~(diagonalBits | rightBits)
      downBits = rightBits & diagonalBits
      previousPlaces = places
      if (prefix && count < nearestCount) nearestCount = count
    }
    if (end === wordLength && count <= maxSlips && count <= nearestCount)
      return WORD_COSTS.slip * count
    return prefix && nearestCount <= maxSlips
      ? WORD_COSTS.slip * nearestCount + WORD_COSTS.prefix
      : undefined
  }
}
