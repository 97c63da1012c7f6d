import type { PlacedWord } from '../kernel/database/texts.ts'
import { nameKey } from './names.ts'
import { coreKey } from './title.ts'
import { isLittle, textWords } from './typed-text.ts'

/** The stored numbers of the fields. */
export const TEXT_FIELDS = {
  title: 0,
  /** `(Remastered 2011)`. */
  addition: 1,
  artist: 2,
  albumArtist: 3,
  release: 4,
  /** A whole genre, as one word. */
  genre: 5,
} as const

const setOf = (...fields: number[]) => fields.reduce((set, field) => set | (1 << field), 0)
/** As bits. */
export const FIELD_SETS = {
  title: setOf(TEXT_FIELDS.title, TEXT_FIELDS.addition),
  artist: setOf(TEXT_FIELDS.artist, TEXT_FIELDS.albumArtist),
  release: setOf(TEXT_FIELDS.release),
  genre: setOf(TEXT_FIELDS.genre),
} as const

export function placedWords(words: readonly string[], field: number): PlacedWord[] {
  return words.map((word) => ({ word, field }))
}

export function placedTitle(title: string, words = textWords(nameKey(title))): PlacedWord[] {
  const coreTitle = coreKey(title)
  if (coreTitle === title) return placedWords(words, TEXT_FIELDS.title)
  const core = new Set(textWords(coreTitle))
  const isIdentifying = (word: string) => core.has(word) || isLittle(word)
  const additions = words.filter((word) => !isIdentifying(word))
  return [
    ...placedWords(words.filter(isIdentifying), TEXT_FIELDS.title),
    ...placedWords(additions, TEXT_FIELDS.addition),
  ]
}
