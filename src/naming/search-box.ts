import type { LoadedTexts, TextBlocks } from '../kernel/database/texts.ts'
import { type Fitting, Question, STAGE_STEP } from './typed-question.ts'
import { typedReadings } from './typed-text.ts'
import { Vocabulary } from './word-likeness.ts'

/** If fewer texts have the words, texts with similar words are added. */
const ENOUGH_TEXTS = 20

/** A text must have them all in one of the fields. */
export interface WantedWords {
  words: readonly string[]
  /** Bits; see {@link FIELD_SETS}. */
  fields: number
}

export interface TypedText {
  text: string
  fields: number
}

/**
 * Searches names for typed words, in any order and field; the last may be the beginning of a word.
 * If few texts have them, texts with slips follow: one in words of 4 to 7 letters, two in longer
 * ones. Exact words come before beginnings, these before slips; titles before artists before
 * releases.
 */
export class SearchBox {
  readonly #texts: Pick<TextBlocks, 'readTexts'>
  readonly #vocabulary = new Vocabulary()

  constructor(texts: Pick<TextBlocks, 'readTexts'>) {
    this.#texts = texts
  }

  /** The required words must stand exactly as they are. */
  findTexts(typed: readonly TypedText[], required: readonly WantedWords[] = []): Fitting {
    const loadedTexts = this.#texts.readTexts()
    this.#vocabulary.updateWords(loadedTexts.words)
    const keys = new Map<number, number>()
    const stages = searchStages(typed)
    for (const [i, { groups, withSlips, isLoose }] of stages.entries()) {
      if (keys.size >= (isLoose ? 1 : ENOUGH_TEXTS)) continue
      const fittingTexts = this.#askQuestion(loadedTexts, groups, required, withSlips)
      if (i === 0 && (fittingTexts.rows.length >= ENOUGH_TEXTS || stages.length === 1))
        return fittingTexts
      for (const [index, row] of fittingTexts.rows.entries()) {
        if (!keys.has(row)) keys.set(row, (fittingTexts.keys[index] as number) + i * STAGE_STEP)
      }
    }
    const rows = Int32Array.from(keys.keys()).sort()
    return { rows, keys: Float64Array.from(rows, (row) => keys.get(row) as number) }
  }

  #askQuestion(
    loadedTexts: LoadedTexts,
    groups: readonly WantedWords[],
    required: readonly WantedWords[],
    withSlips: boolean,
  ): Fitting {
    const question = new Question(this.#vocabulary, loadedTexts)
    for (const { words, fields } of required) {
      for (const word of words) question.addWord({ word, prefix: false }, fields, false)
    }
    question.typedFrom = question.count
    for (const { words, fields } of groups) {
      for (const [i, word] of words.entries()) {
        question.addWord({ word, prefix: i === words.length - 1 }, fields, withSlips)
      }
    }
    return question.findFitting()
  }
}

/** Asked only if the stages before it find few texts. */
interface SearchStage {
  groups: readonly WantedWords[]
  withSlips: boolean
  /** Asked only if nothing was found. */
  isLoose: boolean
}

/** First without slips; one empty stage if nothing is typed. */
function searchStages(typed: readonly TypedText[]): SearchStage[] {
  const readingsByText = typed.map(({ text, fields }) =>
    typedReadings(text).map(({ words, isLoose }) => ({ words, fields, isLoose })),
  )
  const wayCount = Math.max(0, ...readingsByText.map((readings) => readings.length))
  const ways = Array.from({ length: wayCount }, (_, i) =>
    readingsByText.flatMap((readings) => readings[Math.min(i, readings.length - 1)] ?? []),
  )
  if (ways.length === 0) return [{ groups: [], withSlips: false, isLoose: false }]
  return [
    ...ways.map((groups) => {
      return { groups, withSlips: false, isLoose: groups.some(({ isLoose }) => isLoose) }
    }),
    ...ways.map((groups, i) => ({ groups, withSlips: true, isLoose: i > 0 })),
  ]
}
