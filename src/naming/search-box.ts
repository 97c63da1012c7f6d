import type { LoadedTexts, TextBlocks } from '../kernel/database/texts.ts'
import { type Fitting, Question, STAGE_STEP } from './typed-question.ts'
import { typedReadings } from './typed-text.ts'
import { Vocabulary } from './word-likeness.ts'

/** If fewer texts than this have the typed words, texts with similar words are added. */
const FEW = 20

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
        if (!keys.has(row)) keys.set(row, (found.keys[at] as number) + i * STAGE_STEP)
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
