import { Distance } from './distance.ts'
import { isForeign, plainLatin, type Spellings, spellingsOf } from './spellings.ts'

/** The costs of letters in only one spelling, and of letters that differ. */
const LETTER_COSTS = {
  vowel: 0.12,
  /** Letters that many romanizations leave out. */
  faint: 0.25,
  /** All scripts write a last vowel, but E is often silent. */
  ending: 0.7,
  doubled: 0.05,
  other: 1,
  /** Two vowels, and two consonants of one kind. */
  vowels: 0.1,
  alike: 0.35,
} as const

const VOWEL_LETTERS = new Set('aeiouy')
const FAINT_LETTERS = new Set('hwy')
const CONSONANT_KINDS = ['bpfvw', 'dt', 'gkcq', 'szcj', 'lr', 'mn'].map((kind) => new Set(kind))

function letterCost(letter: string): number {
  if (VOWEL_LETTERS.has(letter)) return LETTER_COSTS.vowel
  return FAINT_LETTERS.has(letter) ? LETTER_COSTS.faint : LETTER_COSTS.other
}

function exchangeCost(a: string, b: string): number {
  if (a === b) return 0
  if ((VOWEL_LETTERS.has(a) || a === 'w') && (VOWEL_LETTERS.has(b) || b === 'w'))
    return LETTER_COSTS.vowels
  return CONSONANT_KINDS.some((kind) => kind.has(a) && kind.has(b))
    ? LETTER_COSTS.alike
    : LETTER_COSTS.other
}

// A comparison takes thousands of them.
const ASCII_CODES = 128
const ASCII_LETTERS = Array.from({ length: ASCII_CODES }, (_, code) => String.fromCharCode(code))
const EXTRA_COSTS = Float64Array.from(ASCII_LETTERS, letterCost)
const EXCHANGE_COSTS = Float64Array.from({ length: ASCII_CODES * ASCII_CODES }, (_, i) =>
  exchangeCost(
    ASCII_LETTERS[Math.floor(i / ASCII_CODES)] as string,
    ASCII_LETTERS[i % ASCII_CODES] as string,
  ),
)

function extraCost(text: string, i: number): number {
  const code = text.charCodeAt(i)
  if (i > 0 && code === text.charCodeAt(i - 1)) return LETTER_COSTS.doubled
  return i === text.length - 1 && /[aiou]$/.test(text)
    ? LETTER_COSTS.ending
    : (EXTRA_COSTS[code] as number)
}

/** By the length of the beginning of a Latin text. */
type BeginningCosts = Float64Array

function costsAfterLetter(costs: BeginningCosts, code: number, text: string): BeginningCosts {
  const missingCost = EXTRA_COSTS[code] as number
  const nextCosts = new Float64Array(costs.length)
  nextCosts[0] = (costs[0] as number) + missingCost
  for (let j = 1; j < costs.length; j++) {
    const exchangedCost = EXCHANGE_COSTS[code * ASCII_CODES + text.charCodeAt(j - 1)] as number
    const additionalCost = (nextCosts[j - 1] as number) + extraCost(text, j - 1)
    const usedCost = Math.min(
      (costs[j] as number) + missingCost,
      (costs[j - 1] as number) + exchangedCost,
    )
    nextCosts[j] = Math.min(usedCost, additionalCost)
  }
  return nextCosts
}

/** Infinite if it is above `maxCost`. */
function readingCost(units: Spellings, text: string, maxCost: number): number {
  let costs: BeginningCosts = new Float64Array(text.length + 1)
  for (let j = 0; j < text.length; j++) costs[j + 1] = (costs[j] as number) + extraCost(text, j)
  for (const spellings of units) {
    const minCosts = new Float64Array(costs.length).fill(Number.POSITIVE_INFINITY)
    for (const spelling of spellings) {
      let row = costs
      for (let i = 0; i < spelling.length; i++)
        row = costsAfterLetter(row, spelling.charCodeAt(i), text)
      for (let j = 0; j < row.length; j++)
        minCosts[j] = Math.min(minCosts[j] as number, row[j] as number)
    }
    costs = minCosts
    if (Math.min(...costs) > maxCost) return Number.POSITIVE_INFINITY
  }
  return costs[text.length] as number
}

/** Names with fewer count as if they had so many. */
const MIN_CONSONANTS = 2

function consonantsIn(text: string): number {
  return text.replace(/[aeiouyhw]/g, '').length
}

/** The share of the consonants that may differ. */
const MAX_COST_SHARE = { short: 0.15, long: 0.25 } as const
const LONG_NAME_CONSONANTS = 5

/** By the sounds of the letters; `undefined` for names of one script and for other names. */
export function transliterationDistance(
  of: 'title' | 'artist',
  a: string,
  b: string,
): Distance | undefined {
  if (isForeign(a) === isForeign(b)) return undefined
  const [foreign, latin] = isForeign(a) ? [a, b] : [b, a]
  const text = plainLatin(latin)
  const units = spellingsOf(foreign)
  if (units.length === 0 || text === '') return undefined
  const consonants = consonantsIn(text)
  const maxCost =
    (consonants < LONG_NAME_CONSONANTS ? MAX_COST_SHARE.short : MAX_COST_SHARE.long) *
    Math.max(MIN_CONSONANTS, consonants)
  const cost = readingCost(units, text, maxCost)
  if (cost > maxCost) return undefined
  return Distance.of(
    `${of}.transliterated`,
    MIN_DIFFERENCE + ((1 - MIN_DIFFERENCE) * cost) / maxCost,
  )
}

/** If all letters correspond. */
const MIN_DIFFERENCE = 0.35
