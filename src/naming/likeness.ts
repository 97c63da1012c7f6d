import { distance as edits } from 'fastest-levenshtein'
import { Distance } from './distance.ts'

/** The restricted Damerau-Levenshtein distance; above `maxSlips` it is not exact. */
export function countSlips(a: string, b: string, maxSlips: number): number {
  if (Math.abs(a.length - b.length) > maxSlips) return maxSlips + 1
  const count = edits(a, b)
  // An exchange is two edits here.
  return count < 2 || count > 2 * maxSlips ? count : countWithExchanges(a, b)
}

function countWithExchanges(a: string, b: string): number {
  const width = b.length + 1
  let rowBeforeLast = new Uint16Array(width)
  let lastRow = Uint16Array.from({ length: width }, (_, j) => j)
  let row = new Uint16Array(width)
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    for (let j = 1; j < width; j++) {
      const isEqual = a[i - 1] === b[j - 1]
      let count = Math.min(
        (lastRow[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (lastRow[j - 1] as number) + (isEqual ? 0 : 1),
      )
      if (!isEqual && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        count = Math.min(count, (rowBeforeLast[j - 2] as number) + 1)
      }
      row[j] = count
    }
    const spareRow = rowBeforeLast
    rowBeforeLast = lastRow
    lastRow = row
    row = spareRow
  }
  return lastRow[b.length] as number
}

// Characters that are syllables or words count as two letters.
const SYLLABLES = /[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff]|[\ud800-\udbff]/g

function countLetters(text: string): number {
  return PLAIN_KEY.test(text) ? text.length : text.length + (text.match(SYLLABLES)?.length ?? 0)
}

const PLAIN_KEY = /^[a-z0-9]*$/

const MAX_NAME_SLIPS = 3

function allowedSlips(letters: number): number {
  if (letters < 4) return 0
  if (letters < 8) return 1
  return letters < 14 ? 2 : MAX_NAME_SLIPS
}

function unsharedWords(a: readonly string[], b: readonly string[]): [ofA: string[], ofB: string[]] {
  const ofB = [...b]
  const ofA = a.filter((word) => {
    const index = ofB.indexOf(word)
    if (index >= 0) ofB.splice(index, 1)
    return index < 0
  })
  return [ofA, ofB]
}

export interface WordedName {
  words: readonly string[]
  squashed: string
}

/** Words that often differ in spellings of one name. */
const LITTLE_NAME_WORDS = new Set(
  'the a an and n oh o ooh i le el los las les der die das hte teh tthe thhe thee'.split(' '),
)
/** The least letters that names share when only one has a translation. */
const MIN_SCRIPT_LETTERS = 5

/**
 * `American Pie` matches `Amercian Pei`, but not `American Life`, which differs by as many letters.
 * @param minLetters - names with fewer letters never match
 */
export function spellingDistance(
  of: 'title' | 'artist',
  a: WordedName,
  b: WordedName,
  minLetters: number,
): Distance {
  const otherName = Distance.of(`${of}.other`)
  const letters = Math.max(countLetters(a.squashed), countLetters(b.squashed))
  if (letters < minLetters) return otherName
  const wholeSlips = countSlips(a.squashed, b.squashed, MAX_NAME_SLIPS)
  if (wholeSlips > MAX_NAME_SLIPS && !a.words.some((word) => b.words.includes(word)))
    return otherName
  const [ofA, ofB] = unsharedWords(a.words, b.words)
  const [bigA, bigB] = [ofA.filter(isMeaningful), ofB.filter(isMeaningful)]
  if (bigA.length === 0 && bigB.length === 0) return Distance.of(`${of}.words`)
  if ((bigA.length === 0 || bigB.length === 0) && wholeSlips > 1) {
    const extraWords = bigA.length === 0 ? bigB : bigA
    const sharedLetters = letters - countLetters(extraWords.join(''))
    return sharedLetters >= MIN_SCRIPT_LETTERS && isOfOtherScript(extraWords, a, b)
      ? Distance.of(`${of}.script`)
      : otherName
  }
  const [restA, restB] = [ofA.join(''), ofB.join('')]
  if (ORDINAL_LETTERS.test(restA) && ORDINAL_LETTERS.test(restB)) return otherName
  const restLetters = Math.max(countLetters(restA), countLetters(restB))
  const restSlips = countSlips(restA, restB, MAX_NAME_SLIPS)
  const isEnding =
    wholeSlips === 2 && a.words.length >= MIN_ENDING_WORDS && isOtherEnding(restA, restB)
  const maxSlips = isEnding
    ? 2
    : wholeSlips === 1 && (letters >= MIN_SCRIPT_LETTERS || restLetters >= 3)
      ? 1
      : allowedSlips(restLetters)
  const count = Math.min(wholeSlips, restSlips)
  return count > maxSlips ? otherName : Distance.of(`${of}.letters`, count / letters)
}

const MIN_ENDING_WORDS = 3
const STEM_LETTERS = 4

/** `Lizzy` and `Lizzie`. */
function isOtherEnding(a: string, b: string): boolean {
  return (
    a.slice(0, STEM_LETTERS) === b.slice(0, STEM_LETTERS) &&
    Math.min(a.length, b.length) > STEM_LETTERS
  )
}

const ORDINAL_LETTERS = /^(?:[a-z]|[ivx]*)$/

function isMeaningful(word: string): boolean {
  return !LITTLE_NAME_WORDS.has(word)
}

const LATIN_LETTER = /[a-z]/

function isOfOtherScript(extraWords: readonly string[], a: WordedName, b: WordedName): boolean {
  const isLatin = LATIN_LETTER.test(extraWords.join(''))
  const sharedText = a.words.filter((word) => b.words.includes(word)).join('')
  return (
    LATIN_LETTER.test(sharedText) !== isLatin &&
    !(isLatin && extraWords.some((word) => !LATIN_LETTER.test(word)))
  )
}
