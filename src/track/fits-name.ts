import { nameKey } from '../naming/names.ts'
import { textWords } from '../naming/typed-text.ts'

/** Whether a name has all words that were typed; the last may be the beginning of a word. */
export function fitsName(key: string, typed: string | undefined): boolean {
  if (typed === undefined) return true
  const words = textWords(key)
  const asked = textWords(nameKey(typed))
  return asked.every((word, i) =>
    i < asked.length - 1 ? words.includes(word) : words.some((one) => one.startsWith(word)),
  )
}
