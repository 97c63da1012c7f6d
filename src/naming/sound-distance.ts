import { Distance } from './distance.ts'
import { isForeign, plainLatin, type Spellings, spellingsOf } from './spellings.ts'

/** What letters cost that only one of two spellings has, and letters that differ. */
const COST = {
  vowel: 0.12,
  /** Letters that many romanizations leave out. */
  faint: 0.25,
  /** A vowel at the end, which all scripts write; E is often silent there. */
  ending: 0.7,
  doubled: 0.05,
  other: 1,
  /** Two vowels, and two consonants of one kind. */
  vowels: 0.1,
  alike: 0.35,
} as const

const VOWELS = new Set('aeiouy')
const FAINT = new Set('hwy')
const KINDS = ['bpfvw', 'dt', 'gkcq', 'szcj', 'lr', 'mn'].map((kind) => new Set(kind))

function costOf(letter: string): number {
  if (VOWELS.has(letter)) return COST.vowel
  return FAINT.has(letter) ? COST.faint : COST.other
}

function exchangeCost(a: string, b: string): number {
  if (a === b) return 0
  if ((VOWELS.has(a) || a === 'w') && (VOWELS.has(b) || b === 'w')) return COST.vowels
  return KINDS.some((kind) => kind.has(a) && kind.has(b)) ? COST.alike : COST.other
}

// The costs of ASCII characters by their codes: a comparison takes thousands of them.
const CODES = 128
const SIGNS = Array.from({ length: CODES }, (_, code) => String.fromCharCode(code))
const EXTRA = Float64Array.from(SIGNS, costOf)
const EXCHANGE = Float64Array.from({ length: CODES * CODES }, (_, i) =>
  exchangeCost(SIGNS[Math.floor(i / CODES)] as string, SIGNS[i % CODES] as string),
)

function extraCost(text: string, i: number): number {
  const code = text.charCodeAt(i)
  if (i > 0 && code === text.charCodeAt(i - 1)) return COST.doubled
  return i === text.length - 1 && /[aiou]$/.test(text) ? COST.ending : (EXTRA[code] as number)
}

/** The costs of the beginnings of a text of Latin letters, for the units read so far. */
type Costs = Float64Array

function afterLetter(costs: Costs, code: number, text: string): Costs {
  const missing = EXTRA[code] as number
  const next = new Float64Array(costs.length)
  next[0] = (costs[0] as number) + missing
  for (let j = 1; j < costs.length; j++) {
    const exchange = EXCHANGE[code * CODES + text.charCodeAt(j - 1)] as number
    const extra = (next[j - 1] as number) + extraCost(text, j - 1)
    const kept = Math.min((costs[j] as number) + missing, (costs[j - 1] as number) + exchange)
    next[j] = Math.min(kept, extra)
  }
  return next
}

/** The least cost of reading a text as the units of a name; infinite if it is above `most`. */
function readingCost(units: Spellings, text: string, most: number): number {
  let costs: Costs = new Float64Array(text.length + 1)
  for (let j = 0; j < text.length; j++) costs[j + 1] = (costs[j] as number) + extraCost(text, j)
  for (const spellings of units) {
    const least = new Float64Array(costs.length).fill(Number.POSITIVE_INFINITY)
    for (const spelling of spellings) {
      let row = costs
      for (let i = 0; i < spelling.length; i++) row = afterLetter(row, spelling.charCodeAt(i), text)
      for (let j = 0; j < row.length; j++) least[j] = Math.min(least[j] as number, row[j] as number)
    }
    costs = least
    if (Math.min(...costs) > most) return Number.POSITIVE_INFINITY
  }
  return costs[text.length] as number
}

/** Names with fewer consonants count as if they had so many. */
const FEW = 2

function consonantsIn(text: string): number {
  return text.replace(/[aeiouyhw]/g, '').length
}

/** The greatest share of the consonants of a shorter, and of a longer name, that may differ. */
const MAX_COST_SHARE = { short: 0.15, long: 0.25 } as const
const LONG = 5

/**
 * The distance of a name in another script from one in Latin letters, by the sounds of the letters;
 * `undefined` for other names, and for two names of one script.
 *
 * @param of - what is named
 */
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
    (consonants < LONG ? MAX_COST_SHARE.short : MAX_COST_SHARE.long) * Math.max(FEW, consonants)
  const cost = readingCost(units, text, maxCost)
  if (cost > maxCost) return undefined
  return Distance.of(`${of}.transliterated`, LEAST + ((1 - LEAST) * cost) / maxCost)
}

/** The size of the difference between names whose letters correspond wholly. */
const LEAST = 0.35
