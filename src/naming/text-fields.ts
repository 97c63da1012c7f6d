import type { PlacedWord } from '../kernel/database/texts.ts'
import { nameKey } from './names.ts'
import { coreKey } from './title.ts'
import { isLittle, textWords } from './typed-text.ts'

/** The fields of the texts that are searched, with the numbers that texts store for them. */
export const FIELD = {
  title: 0,
  /** Words of the title that do not identify the recording: `(Remastered 2011)`. */
  addition: 1,
  artist: 2,
  albumArtist: 3,
  release: 4,
  /** A whole genre, as one word. */
  genre: 5,
} as const

const setOf = (...fields: number[]) => fields.reduce((set, field) => set | (1 << field), 0)
/** Sets of fields, as bits. */
export const IN = {
  title: setOf(FIELD.title, FIELD.addition),
  artist: setOf(FIELD.artist, FIELD.albumArtist),
  release: setOf(FIELD.release),
  genre: setOf(FIELD.genre),
} as const

export function placedWords(words: readonly string[], field: number): PlacedWord[] {
  return words.map((word) => ({ word, field }))
}

/**
 * The words of a title: first those that identify the recording, then additions.
 *
 * @param words - its words, if they are known
 */
export function placedTitle(title: string, words = textWords(nameKey(title))): PlacedWord[] {
  const coreTitle = coreKey(title)
  if (coreTitle === title) return placedWords(words, FIELD.title)
  const core = new Set(textWords(coreTitle))
  const tells = (word: string) => core.has(word) || isLittle(word)
  const additions = words.filter((word) => !tells(word))
  return [
    ...placedWords(words.filter(tells), FIELD.title),
    ...placedWords(additions, FIELD.addition),
  ]
}
