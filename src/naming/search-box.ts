import {
  FIELD_BITS,
  type LoadedTexts,
  TEXTS_IN_BLOCK,
  type TextBlocks,
} from '../kernel/database/texts.ts'
import { FIELD } from './text-fields.ts'
import { typedReadings } from './typed-text.ts'
import { type TypedWord, Vocabulary } from './word-likeness.ts'

/** If fewer texts than this have the typed words, texts with similar words are added. */
const FEW = 20
/** The most words of one question: each takes one bit of a 32-bit integer. */
const MOST_WORDS = 30

/** Words that a text must have, in one of the fields. */
export interface Wanted {
  words: readonly string[]
  /** The fields, as bits; see {@link IN}. */
  fields: number
}

export interface Typed {
  text: string
  fields: number
}

/** The texts that were found, and how well they fit: the lower the key, the better. */
export interface Fitting {
  /** The numbers of the texts, ascending. */
  rows: Int32Array
  /** The key of each row, at its index: whole numbers, 1 between the steps. */
  keys: Float64Array
}

/**
 * Searches names of tracks or songs for typed words. A text must have all words, in any order and
 * field; the last may be the beginning of a word. If few texts have them, texts follow that lack
 * only words without meaning (`feat. X`, remasters), then texts with slips: one in words of 4 to 7
 * letters, two in longer ones, none in numbers. If no text has the words, articles are left out.
 *
 * Exact words come before beginnings, these before slips; then whole titles before parts, titles
 * before artists before releases; then words in the typed order.
 */
export class SearchBox {
  readonly #texts: Pick<TextBlocks, 'readTexts'>
  readonly #vocabulary = new Vocabulary()

  constructor(texts: Pick<TextBlocks, 'readTexts'>) {
    this.#texts = texts
  }

  /** The texts that have the typed words and, exactly as they are, the required words. */
  find(typed: readonly Typed[], required: readonly Wanted[] = []): Fitting {
    const held = this.#texts.readTexts()
    this.#vocabulary.update(held.words)
    const keys = new Map<number, number>()
    const stages = stagesOf(typed)
    for (const [i, { groups, withSlips, loose }] of stages.entries()) {
      if (keys.size >= (loose ? 1 : FEW)) continue
      const found = this.#ask(held, groups, required, withSlips)
      if (i === 0 && (found.rows.length >= FEW || stages.length === 1)) return found
      for (const [at, row] of found.rows.entries()) {
        if (!keys.has(row)) keys.set(row, (found.keys[at] as number) + i * STEPS.stage)
      }
    }
    const rows = Int32Array.from(keys.keys()).sort()
    return { rows, keys: Float64Array.from(rows, (row) => keys.get(row) as number) }
  }

  #ask(
    held: LoadedTexts,
    groups: readonly Wanted[],
    required: readonly Wanted[],
    withSlips: boolean,
  ): Fitting {
    const question = new Question(this.#vocabulary, held)
    for (const { words, fields } of required) {
      for (const word of words) question.add({ word, prefix: false }, fields, false)
    }
    question.typedFrom = question.count
    for (const { words, fields } of groups) {
      for (const [i, word] of words.entries()) {
        question.add({ word, prefix: i === words.length - 1 }, fields, withSlips)
      }
    }
    return question.ask()
  }
}

/** A question that is asked if the questions before it find few texts. */
interface Stage {
  groups: readonly Wanted[]
  withSlips: boolean
  /** Whether it is asked only if nothing was found. */
  loose: boolean
}

/** All readings of the typed texts, first without slips; one empty stage if nothing is typed. */
function stagesOf(typed: readonly Typed[]): Stage[] {
  const each = typed.map(({ text, fields }) =>
    typedReadings(text).map(({ words, loose }) => ({ words, fields, loose })),
  )
  const most = Math.max(0, ...each.map((readings) => readings.length))
  const ways = Array.from({ length: most }, (_, i) =>
    each.flatMap((readings) => readings[Math.min(i, readings.length - 1)] ?? []),
  )
  if (ways.length === 0) return [{ groups: [], withSlips: false, loose: false }]
  return [
    ...ways.map((groups) => {
      return { groups, withSlips: false, loose: groups.some(({ loose }) => loose) }
    }),
    ...ways.map((groups, i) => ({ groups, withSlips: true, loose: i > 0 })),
  ]
}

const NONE: Fitting = { rows: new Int32Array(0), keys: new Float64Array(0) }
const FIELDS = 2 ** FIELD_BITS
const LAST_FIELD = FIELDS - 1
const UNFIT = 255

/** Words that are looked for: which words of the vocabulary fit them, and in which fields. */
class Question {
  /** The place of the first typed word. The words before it are required and affect no key. */
  typedFrom = 0
  count = 0
  readonly #vocabulary: Vocabulary
  readonly #held: LoadedTexts
  /** By the numbers in texts (word and field): the wanted words that fit, as bits. */
  readonly #fits: Int32Array
  /** For each wanted word, by the numbers of words, the cost at which it fits. */
  readonly #costs: Uint8Array[] = []
  /** For each wanted word, its best fit in the current text. */
  readonly #best = new Uint8Array(MOST_WORDS)
  readonly #where = new Uint8Array(MOST_WORDS)

  constructor(vocabulary: Vocabulary, held: LoadedTexts) {
    this.#vocabulary = vocabulary
    this.#held = held
    this.#fits = new Int32Array(held.words.length * FIELDS)
  }

  add(typed: TypedWord, fields: number, withSlips: boolean): void {
    if (this.count === MOST_WORDS) return
    const bit = 1 << this.count++
    const fits = this.#fits
    const costs = new Uint8Array(this.#held.words.length)
    this.#costs.push(costs)
    this.#vocabulary.eachFitting(typed, withSlips, (num, cost) => {
      costs[num] = cost
      for (let field = 0; field < FIELDS; field++) {
        const at = num * FIELDS + field
        if ((fields & (1 << field)) !== 0) fits[at] = (fits[at] as number) | bit
      }
    })
  }

  ask(): Fitting {
    if (this.count === 0) return NONE
    const fits = this.#fits
    const all = 2 ** this.count - 1
    const rows: number[] = []
    const keys: number[] = []
    for (const [b, block] of this.#held.blocks.entries()) {
      if (!block) continue
      let start = TEXTS_IN_BLOCK
      for (let i = 0; i < TEXTS_IN_BLOCK; i++) {
        const end = block[i] as number
        let have = 0
        for (let at = start; at < end; at++) have |= fits[block[at] as number] as number
        if (have === all) {
          rows.push(b * TEXTS_IN_BLOCK + i)
          keys.push(this.#keyOf(block, start, end))
        }
        start = end
      }
    }
    return { rows: Int32Array.from(rows), keys: Float64Array.from(keys) }
  }

  /** The key of a text that has all words: the lower, the better. */
  #keyOf(block: Uint32Array, start: number, end: number): number {
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
      const fits = (this.#fits[number] as number) >>> this.typedFrom
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
      this.#note(fits, field, num)
      if ((fits & (1 << run)) === 0) run = 0
      if ((fits & (1 << run)) === 0 || ++run < typed) continue
      order = Math.min(order, i - begun + 1 === typed ? ORDER.first : ORDER.together)
      run = 0
    }
    const { cost, inTitle, inArtist } = this.#sum()
    return cost * STEPS.cost + placeOf(typed, inTitle, inArtist, wholly) * STEPS.place + order
  }

  /** Notes a word of a text if it fits better than those before it. */
  #note(fits: number, field: number, num: number): void {
    for (let w = this.typedFrom, rest = fits; rest !== 0; w++, rest >>>= 1) {
      if ((rest & 1) === 0) continue
      const cost = (this.#costs[w] as Uint8Array)[num] as number
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
const STEPS = { stage: 2 ** 16, cost: 32, place: 4 } as const

/** Where a text has the words: 0 is a whole title … 6 words of the release. */
function placeOf(
  typed: number,
  inTitle: number,
  inArtist: number,
  wholly: { title: boolean; artist: boolean },
): number {
  if (inTitle + inArtist < typed) return 6
  if (inTitle === 0) return wholly.artist ? 4 : 5
  return (wholly.title ? 0 : 2) + (inArtist > 0 ? 1 : 0)
}
