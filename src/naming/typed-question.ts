import { FIELD_BITS, TEXTS_IN_BLOCK, type TextBlock } from '../kernel/database/text-block.ts'
import type { LoadedTexts } from '../kernel/database/texts.ts'
import { TEXT_FIELDS } from './text-fields.ts'
import type { TypedWord, Vocabulary } from './word-likeness.ts'

/** Each word takes one bit of a 32-bit integer. */
const MAX_WORDS = 30

/** The lower the key, the better the text fits. */
export interface Fitting {
  /** Ascending. */
  rows: Int32Array
  /** At the index of the row. */
  keys: Float64Array
}

const NO_TEXTS: Fitting = { rows: new Int32Array(0), keys: new Float64Array(0) }
const FIELD_COUNT = 2 ** FIELD_BITS
const LAST_FIELD = FIELD_COUNT - 1
const UNFIT_COST = 255

/** The slot of each word of a vocabulary; 0 where it fits no typed word. */
let WORD_SLOTS = new Int32Array(1024)

/** Searched words: which words of the vocabulary fit them, and in which fields. */
export class Question {
  /** The words before it are required and affect no key. */
  typedFrom = 0
  count = 0
  readonly #vocabulary: Vocabulary
  readonly #texts: LoadedTexts
  readonly #fittingWords: (readonly number[])[] = []
  /** By field, the words that may be in it, as bits. */
  readonly #inField = new Int32Array(FIELD_COUNT)
  /** By slot, the words that fit, as bits. */
  readonly #fitsBySlot: number[] = [0]
  /** By slot and word. */
  #costs = new Uint8Array(0)
  /** Of each word in the current text. */
  readonly #bestCosts = new Uint8Array(MAX_WORDS)
  readonly #bestFields = new Uint8Array(MAX_WORDS)

  constructor(vocabulary: Vocabulary, texts: LoadedTexts) {
    this.#vocabulary = vocabulary
    this.#texts = texts
    if (WORD_SLOTS.length < texts.words.length) WORD_SLOTS = new Int32Array(2 * texts.words.length)
  }

  addWord(typed: TypedWord, fields: number, withSlips: boolean): void {
    if (this.count === MAX_WORDS) return
    const wordIndex = this.count++
    const { nums, costs } = this.#vocabulary.fittingWords(typed, withSlips)
    this.#fittingWords.push(nums)
    for (let field = 0; field < FIELD_COUNT; field++) {
      if ((fields & (1 << field)) !== 0)
        this.#inField[field] = this.#inField[field]! | (1 << wordIndex)
    }
    const fits = this.#fitsBySlot
    const neededCosts = (fits.length + nums.length) * MAX_WORDS
    if (neededCosts > this.#costs.length) {
      const oldCosts = this.#costs
      this.#costs = new Uint8Array(2 * neededCosts)
      this.#costs.set(oldCosts)
    }
    for (let i = 0; i < nums.length; i++) {
      const num = nums[i] as number
      let slot = WORD_SLOTS[num] as number
      if (slot === 0) {
        slot = fits.push(0) - 1
        WORD_SLOTS[num] = slot
      }
      fits[slot] = (fits[slot] as number) | (1 << wordIndex)
      this.#costs[slot * MAX_WORDS + wordIndex] = costs[i] as number
    }
  }

  /** A question can be asked once. */
  findFitting(): Fitting {
    try {
      return this.count === 0 ? NO_TEXTS : this.#rankTexts()
    } finally {
      for (const nums of this.#fittingWords) for (const num of nums) WORD_SLOTS[num] = 0
    }
  }

  #rankTexts(): Fitting {
    const allWords = 2 ** this.count - 1
    const rows: number[] = []
    const keys: number[] = []
    let blockNumber = -1
    let block: TextBlock | undefined
    for (const row of this.#texts.withAll(this.#fittingWords)) {
      const place = row % TEXTS_IN_BLOCK
      const number = (row - place) / TEXTS_IN_BLOCK
      if (number !== blockNumber) {
        blockNumber = number
        block = this.#texts.blockAt(number)
      }
      if (!block) continue
      const start = place === 0 ? TEXTS_IN_BLOCK : (block[place - 1] as number)
      const end = block[place] as number
      let foundWords = 0
      for (let position = start; position < end; position++)
        foundWords |= this.#fitsOf(block[position] as number)
      if (foundWords !== allWords) continue
      rows.push(row)
      keys.push(this.#rankOf(block, start, end))
    }
    return { rows: Int32Array.from(rows), keys: Float64Array.from(keys) }
  }

  #fitsOf(number: number): number {
    const slot = WORD_SLOTS[number >>> FIELD_BITS]
    if (!slot) return 0
    return (this.#fitsBySlot[slot] as number) & (this.#inField[number & LAST_FIELD] as number)
  }

  #rankOf(block: TextBlock, start: number, end: number): number {
    const typed = this.count - this.typedFrom
    if (typed === 0) return 0
    const isWhole = { title: true, artist: true }
    let order: number = ORDER_STEPS.any
    let wordsInOrder = 0
    let fieldStart = start
    let previousField = -1
    this.#bestCosts.fill(UNFIT_COST)
    for (let i = start; i < end; i++) {
      const number = block[i] as number
      const field = number & LAST_FIELD
      const num = number >>> FIELD_BITS
      const fits = this.#fitsOf(number) >>> this.typedFrom
      if (field !== previousField) {
        previousField = field
        fieldStart = i
        wordsInOrder = 0
      }
      if (fits === 0) {
        wordsInOrder = 0
        if (this.#vocabulary.little.has(num)) continue
        if (field === TEXT_FIELDS.title) isWhole.title = false
        else if (field === TEXT_FIELDS.artist) isWhole.artist = false
        continue
      }
      this.#noteFit(fits, field, WORD_SLOTS[num] as number)
      if ((fits & (1 << wordsInOrder)) === 0) wordsInOrder = 0
      if ((fits & (1 << wordsInOrder)) === 0 || ++wordsInOrder < typed) continue
      order = Math.min(
        order,
        i - fieldStart + 1 === typed ? ORDER_STEPS.first : ORDER_STEPS.together,
      )
      wordsInOrder = 0
    }
    const { cost, inTitle, inArtist } = this.#sumFits()
    return (
      cost * KEY_STEPS.cost +
      titlePlace(typed, inTitle, inArtist, isWhole) * KEY_STEPS.place +
      order
    )
  }

  #noteFit(fits: number, field: number, slot: number): void {
    for (
      let w = this.typedFrom, remainingFits = fits;
      remainingFits !== 0;
      w++, remainingFits >>>= 1
    ) {
      if ((remainingFits & 1) === 0) continue
      const cost = this.#costs[slot * MAX_WORDS + w] as number
      const best = this.#bestCosts[w] as number
      if (cost > best || (cost === best && field >= (this.#bestFields[w] as number))) continue
      this.#bestCosts[w] = cost
      this.#bestFields[w] = field
    }
  }

  #sumFits(): Record<'cost' | 'inTitle' | 'inArtist', number> {
    let cost = 0
    let inTitle = 0
    let inArtist = 0
    for (let w = this.typedFrom; w < this.count; w++) {
      cost += this.#bestCosts[w] as number
      const field = this.#bestFields[w] as number
      if (field <= TEXT_FIELDS.addition) inTitle++
      else if (field <= TEXT_FIELDS.albumArtist) inArtist++
    }
    return { cost, inTitle, inArtist }
  }
}

/** The name begins with the words, has them together, or has them in any order. */
const ORDER_STEPS = { first: 0, together: 1, any: 2 } as const
/** A step in one is larger than the whole range of the next. */
const KEY_STEPS = { cost: 32, place: 4 } as const
/** More than the whole range of a key. */
export const STAGE_STEP = 2 ** 16

/** 0 is a whole title … 6 words of the release. */
function titlePlace(
  typed: number,
  inTitle: number,
  inArtist: number,
  isWhole: { title: boolean; artist: boolean },
): number {
  if (inTitle + inArtist < typed) return 6
  if (inTitle === 0) return isWhole.artist ? 4 : 5
  return (isWhole.title ? 0 : 2) + (inArtist > 0 ? 1 : 0)
}
