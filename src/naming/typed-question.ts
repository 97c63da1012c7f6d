import { FIELD_BITS, TEXTS_IN_BLOCK, type TextBlock } from '../kernel/database/text-block.ts'
import type { LoadedTexts } from '../kernel/database/texts.ts'
import { FIELD } from './text-fields.ts'
import type { TypedWord, Vocabulary } from './word-likeness.ts'

/** The most words of one question: each takes one bit of a 32-bit integer. */
const MAX_WORDS = 30

/** The texts that were found, and how well they fit: the lower the key, the better. */
export interface Fitting {
  /** The numbers of the texts, ascending. */
  rows: Int32Array
  /** The key of each row, at its index: whole numbers, 1 between the steps. */
  keys: Float64Array
}

const NONE: Fitting = { rows: new Int32Array(0), keys: new Float64Array(0) }
const FIELDS = 2 ** FIELD_BITS
const LAST_FIELD = FIELDS - 1
const UNFIT = 255

/** For each word of a vocabulary, its slot in the current question; 0 where it fits no wanted word. */
let SLOTS = new Int32Array(1024)

/** Words that are looked for: which words of the vocabulary fit them, and in which fields. */
export class Question {
  /** The place of the first typed word. The words before it are required and affect no key. */
  typedFrom = 0
  count = 0
  readonly #vocabulary: Vocabulary
  readonly #held: LoadedTexts
  /** For each wanted word, the numbers of the words that fit it. */
  readonly #lists: (readonly number[])[] = []
  /** By field: the wanted words that may be in it, as bits. */
  readonly #inField = new Int32Array(FIELDS)
  /** By slot: the wanted words that fit, as bits. */
  readonly #fits: number[] = [0]
  /** By slot and wanted word: the cost at which it fits. */
  #costs = new Uint8Array(0)
  /** For each wanted word, its best fit in the current text. */
  readonly #best = new Uint8Array(MAX_WORDS)
  readonly #where = new Uint8Array(MAX_WORDS)

  constructor(vocabulary: Vocabulary, held: LoadedTexts) {
    this.#vocabulary = vocabulary
    this.#held = held
    if (SLOTS.length < held.words.length) SLOTS = new Int32Array(2 * held.words.length)
  }

  add(typed: TypedWord, fields: number, withSlips: boolean): void {
    if (this.count === MAX_WORDS) return
    const w = this.count++
    const { nums, costs } = this.#vocabulary.fitting(typed, withSlips)
    this.#lists.push(nums)
    for (let field = 0; field < FIELDS; field++) {
      if ((fields & (1 << field)) !== 0) this.#inField[field] = this.#inField[field]! | (1 << w)
    }
    const fits = this.#fits
    const room = (fits.length + nums.length) * MAX_WORDS
    if (room > this.#costs.length) {
      const before = this.#costs
      this.#costs = new Uint8Array(2 * room)
      this.#costs.set(before)
    }
    for (let i = 0; i < nums.length; i++) {
      const num = nums[i] as number
      let slot = SLOTS[num] as number
      if (slot === 0) {
        slot = fits.push(0) - 1
        SLOTS[num] = slot
      }
      fits[slot] = (fits[slot] as number) | (1 << w)
      this.#costs[slot * MAX_WORDS + w] = costs[i] as number
    }
  }

  /** Answers the question, which cannot be asked again. */
  ask(): Fitting {
    try {
      return this.count === 0 ? NONE : this.#rank()
    } finally {
      for (const nums of this.#lists) for (const num of nums) SLOTS[num] = 0
    }
  }

  #rank(): Fitting {
    const all = 2 ** this.count - 1
    const rows: number[] = []
    const keys: number[] = []
    let held = -1
    let block: TextBlock | undefined
    for (const row of this.#held.withAll(this.#lists)) {
      const place = row % TEXTS_IN_BLOCK
      const number = (row - place) / TEXTS_IN_BLOCK
      if (number !== held) {
        held = number
        block = this.#held.blockAt(number)
      }
      if (!block) continue
      const start = place === 0 ? TEXTS_IN_BLOCK : (block[place - 1] as number)
      const end = block[place] as number
      let have = 0
      for (let at = start; at < end; at++) have |= this.#fitsOf(block[at] as number)
      if (have !== all) continue
      rows.push(row)
      keys.push(this.#rankOf(block, start, end))
    }
    return { rows: Int32Array.from(rows), keys: Float64Array.from(keys) }
  }

  /** The wanted words that a word of a text fits, as bits. */
  #fitsOf(number: number): number {
    const slot = SLOTS[number >>> FIELD_BITS]
    if (!slot) return 0
    return (this.#fits[slot] as number) & (this.#inField[number & LAST_FIELD] as number)
  }

  /** The key of a text that has all words: the lower, the better. */
  #rankOf(block: TextBlock, start: number, end: number): number {
    const typed = this.count - this.typedFrom
    if (typed === 0) return 0
    const wholly = { title: true, artist: true }
    let order: number = ORDER.any
    let run = 0
    let begun = start
    let before = -1
    this.#best.fill(UNFIT)
    for (let i = start; i < end; i++) {
      const number = block[i] as number
      const field = number & LAST_FIELD
      const num = number >>> FIELD_BITS
      const fits = this.#fitsOf(number) >>> this.typedFrom
      if (field !== before) {
        before = field
        begun = i
        run = 0
      }
      if (fits === 0) {
        run = 0
        if (this.#vocabulary.little.has(num)) continue
        if (field === FIELD.title) wholly.title = false
        else if (field === FIELD.artist) wholly.artist = false
        continue
      }
      this.#note(fits, field, SLOTS[num] as number)
      if ((fits & (1 << run)) === 0) run = 0
      if ((fits & (1 << run)) === 0 || ++run < typed) continue
      order = Math.min(order, i - begun + 1 === typed ? ORDER.first : ORDER.together)
      run = 0
    }
    const { cost, inTitle, inArtist } = this.#sum()
    return cost * STEPS.cost + titlePlace(typed, inTitle, inArtist, wholly) * STEPS.place + order
  }

  /** Notes a word of a text if it fits better than those before it. */
  #note(fits: number, field: number, slot: number): void {
    for (let w = this.typedFrom, rest = fits; rest !== 0; w++, rest >>>= 1) {
      if ((rest & 1) === 0) continue
      const cost = this.#costs[slot * MAX_WORDS + w] as number
      const best = this.#best[w] as number
      if (cost > best || (cost === best && field >= (this.#where[w] as number))) continue
      this.#best[w] = cost
      this.#where[w] = field
    }
  }

  #sum(): Record<'cost' | 'inTitle' | 'inArtist', number> {
    let cost = 0
    let inTitle = 0
    let inArtist = 0
    for (let w = this.typedFrom; w < this.count; w++) {
      cost += this.#best[w] as number
      const field = this.#where[w] as number
      if (field <= FIELD.addition) inTitle++
      else if (field <= FIELD.albumArtist) inArtist++
    }
    return { cost, inTitle, inArtist }
  }
}

/** Whether a name begins with the words in the typed order, has them in order, or just has them. */
const ORDER = { first: 0, together: 1, any: 2 } as const
/** The steps of a key: a step in one is larger than the whole range of the next. */
const STEPS = { cost: 32, place: 4 } as const
/** More than the whole range of a key. */
export const STAGE_STEP = 2 ** 16

/** Where a text has the words: 0 is a whole title … 6 words of the release. */
function titlePlace(
  typed: number,
  inTitle: number,
  inArtist: number,
  wholly: { title: boolean; artist: boolean },
): number {
  if (inTitle + inArtist < typed) return 6
  if (inTitle === 0) return wholly.artist ? 4 : 5
  return (wholly.title ? 0 : 2) + (inArtist > 0 ? 1 : 0)
}
