import { wordSet } from '../values/text.ts'
import { nameKey, wordsOf } from './names.ts'
import { titleOf } from './title.ts'

/** The most words of a typed text that are looked for. */
const MOST_WORDS = 16

/** Words that a name may lack or have in addition. */
const LITTLE = wordSet(
  'the a an and feat ft featuring with vs x le la les el los las der die das il lo gli i',
)

/** The most letters of these words. */
export const LONGEST_LITTLE = Math.max(...[...LITTLE].map(({ length }) => length))

export function isLittle(word: string): boolean {
  return LITTLE.has(word)
}

/** The words of a name as texts hold them. A name without letters and digits is one word. */
export function textWords(key: string, words: string[] = wordsOf(key)): string[] {
  return words.length === 0 && key !== '' ? [key] : words
}

export interface TypedReading {
  words: readonly string[]
  /** Whether words are left out that may belong to the name: articles and the like. */
  loose: boolean
}

/**
 * The ways to read a typed text, the strictest first: as it is; without words that do not identify
 * the recording (`(Remastered 2011)`, `feat. X`, `- Live`); without articles and the like. Readings
 * without words are left out.
 */
export function typedReadings(text: string): TypedReading[] {
  const { core, base } = titleOf(text)
  const readings: TypedReading[] = []
  const add = (words: readonly string[], loose: boolean) => {
    const few = [...new Set(words)].slice(0, MOST_WORDS)
    if (few.length === 0) return
    if (readings.some((known) => known.words.join(' ') === few.join(' '))) return
    readings.push({ words: few, loose })
  }
  const strict = [nameKey(text), core.key].map((key) => textWords(key))
  for (const words of strict) add(words, false)
  for (const words of [...strict, textWords(base.key)]) {
    add(
      words.filter((word) => !isLittle(word)),
      true,
    )
  }
  return readings
}
