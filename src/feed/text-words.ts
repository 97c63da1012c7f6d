import { nameKey } from '../naming/names.ts'

export interface Word {
  /** The form in which names are compared. */
  key: string
  /** The key without an English genitive: `Radiohead's` → `radiohead`. */
  bare: string
  /** Its place in the text, and its end without the genitive. */
  start: number
  end: number
  bareEnd: number
  /** Whether it begins with a small letter; else it begins with a capital, or a letter without case. */
  lower: boolean
  /** Whether it is the first word of a sentence, or of a part of a headline. */
  opens: boolean
}

const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’ʼ`´][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*|&/gu
const ASCII = /^[A-Za-z0-9]+$/
const GENITIVE = /['’ʼ`´]s$/i
const OPENS = /[.!?…:|•\n]|\s[-–—]\s|—/
/** Scripts without spaces: each sign is a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const PIECES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu

export function isSign(word: string): boolean {
  return UNSPACED.test(word.slice(0, 2))
}

export function wordsIn(text: string): Word[] {
  const words: Word[] = []
  let last = 0
  let first = true
  for (const match of text.matchAll(WORDS)) {
    const start = match.index
    const opens = first || OPENS.test(text.slice(last, start))
    first = false
    last = start + match[0].length
    if (UNSPACED.test(match[0])) {
      for (const piece of match[0].matchAll(PIECES)) {
        words.push(wordOf(piece[0], start + piece.index, opens && piece.index === 0))
      }
    } else words.push(wordOf(match[0], start, opens))
  }
  return words
}

function wordOf(word: string, start: number, opens: boolean): Word {
  const end = start + word.length
  const [initial = ''] = word
  const key = keyOf(word)
  const genitive = GENITIVE.test(word)
  return {
    key,
    bare: genitive ? keyOf(word.slice(0, -2)) : key,
    start,
    end,
    bareEnd: genitive ? end - 2 : end,
    lower: initial !== initial.toUpperCase(),
    opens,
  }
}

function keyOf(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase()
  return word === '&' ? 'and' : nameKey(word)
}
