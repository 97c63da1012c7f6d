import { wordSet } from '../values/text.ts'
import { nameKey, wordsOfKey } from './names.ts'
import { titleOf } from './title.ts'

const MAX_TYPED_WORDS = 16

/** A name may lack these words or have them in addition. */
const LITTLE_TYPED_WORDS = wordSet(
  'the a an and feat ft featuring with vs x le la les el los las der die das il lo gli i',
)

export const MAX_LITTLE_LETTERS = Math.max(...[...LITTLE_TYPED_WORDS].map(({ length }) => length))

export function isLittle(word: string): boolean {
  return LITTLE_TYPED_WORDS.has(word)
}

/** A name without letters and digits is one word. */
export function textWords(key: string, words: string[] = wordsOfKey(key)): string[] {
  return words.length === 0 && key !== '' ? [key] : words
}

export interface TypedReading {
  words: readonly string[]
  /** Articles and the like are left out. */
  isLoose: boolean
}

/**
 * The strictest first: as it is; without `(Remastered 2011)`, `feat. X`, `- Live`; without
 * articles.
 */
export function typedReadings(text: string): TypedReading[] {
  const { core, base } = titleOf(text)
  const readings: TypedReading[] = []
  const addReading = (words: readonly string[], isLoose: boolean) => {
    const distinctWords = [...new Set(words)].slice(0, MAX_TYPED_WORDS)
    if (distinctWords.length === 0) return
    if (readings.some((reading) => reading.words.join(' ') === distinctWords.join(' '))) return
    readings.push({ words: distinctWords, isLoose })
  }
  const strict = [nameKey(text), core.key].map((key) => textWords(key))
  for (const words of strict) addReading(words, false)
  for (const words of [...strict, textWords(base.key)]) {
    addReading(
      words.filter((word) => !isLittle(word)),
      true,
    )
  }
  return readings
}
