import { nameKey } from '../naming/names.ts'

export interface TextWord {
  /** Names are compared in this form. */
  key: string
  /** Without an English genitive: `Radiohead's` → `radiohead`. */
  bare: string
  /** In the text, and its end without the genitive. */
  start: number
  end: number
  bareEnd: number
  /** Else a capital, or a letter without case. */
  lower: boolean
  /** Of a sentence, or of a part of a headline. */
  opens: boolean
}

const WORD_PATTERN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’ʼ`´][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*|&/gu
const ASCII_WORD = /^[A-Za-z0-9]+$/
const GENITIVE_ENDING = /['’ʼ`´]s$/i
const SENTENCE_BREAK = /[.!?…:|•\n]|\s[-–—]\s|—/
/** Each sign is a word. */
const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const UNSPACED_PIECES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu

export function isSign(word: string): boolean {
  return UNSPACED_SCRIPT.test(word.slice(0, 2))
}

export function splitWords(text: string): TextWord[] {
  const words: TextWord[] = []
  let lastEnd = 0
  let isFirst = true
  for (const match of text.matchAll(WORD_PATTERN)) {
    const start = match.index
    const opens = isFirst || SENTENCE_BREAK.test(text.slice(lastEnd, start))
    isFirst = false
    lastEnd = start + match[0].length
    if (UNSPACED_SCRIPT.test(match[0])) {
      for (const piece of match[0].matchAll(UNSPACED_PIECES)) {
        words.push(wordOf(piece[0], start + piece.index, opens && piece.index === 0))
      }
    } else words.push(wordOf(match[0], start, opens))
  }
  return words
}

function wordOf(word: string, start: number, opens: boolean): TextWord {
  const end = start + word.length
  const [initial = ''] = word
  const key = wordKey(word)
  const genitive = GENITIVE_ENDING.test(word)
  return {
    key,
    bare: genitive ? wordKey(word.slice(0, -2)) : key,
    start,
    end,
    bareEnd: genitive ? end - 2 : end,
    lower: initial !== initial.toUpperCase(),
    opens,
  }
}

function wordKey(word: string): string {
  if (ASCII_WORD.test(word)) return word.toLowerCase()
  return word === '&' ? 'and' : nameKey(word)
}
