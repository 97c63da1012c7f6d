import { distance as edits } from 'fastest-levenshtein'
import { Distance } from './distance.ts'

/**
 * The number of misspellings between two texts: a missing, additional or wrong letter, or two
 * exchanged neighbours (restricted Damerau-Levenshtein distance). Above `most` the number is not
 * exact.
 */
export function slips(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  const count = edits(a, b)
  // An exchange counts as two edits here, so more than 2 · `most` edits cannot be `most` slips.
  return count < 2 || count > 2 * most ? count : withTranspositions(a, b)
}

function withTranspositions(a: string, b: string): number {
  const width = b.length + 1
  let before = new Uint16Array(width)
  let last = Uint16Array.from({ length: width }, (_, j) => j)
  let row = new Uint16Array(width)
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    for (let j = 1; j < width; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (same ? 0 : 1),
      )
      if (!same && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (before[j - 2] as number) + 1)
      }
      row[j] = least
    }
    const free = before
    before = last
    last = row
    row = free
  }
  return last[b.length] as number
}

// Characters that are syllables or words count as two letters.
const SYLLABLES = /[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff]|[\ud800-\udbff]/g

function lettersIn(text: string): number {
  return PLAIN.test(text) ? text.length : text.length + (text.match(SYLLABLES)?.length ?? 0)
}

const PLAIN = /^[a-z0-9]*$/

/** The most misspellings of a name. */
const MOST = 3

/** The most misspellings that a word of so many letters may have. */
function forgiven(letters: number): number {
  if (letters < 4) return 0
  if (letters < 8) return 1
  return letters < 14 ? 2 : MOST
}

function unshared(a: readonly string[], b: readonly string[]): [ofA: string[], ofB: string[]] {
  const ofB = [...b]
  const ofA = a.filter((word) => {
    const at = ofB.indexOf(word)
    if (at >= 0) ofB.splice(at, 1)
    return at < 0
  })
  return [ofA, ofB]
}

export interface Worded {
  words: readonly string[]
  squashed: string
}

/** Words that often differ in spellings of one name. */
const LITTLE = new Set(
  'the a an and n oh o ooh i le el los las les der die das hte teh tthe thhe thee'.split(' '),
)
/** The least letters of a name whose short words may be misspelt. */
const LONG = 5

/**
 * The distance of two names with different keys, by the share of letters that are misspelt. Names
 * are different if words differ by more than misspellings: `American Pie` matches `Amercian Pei`,
 * but not `American Life`, although both differ from it by equally many letters.
 *
 * @param of - what is named
 * @param least - names with fewer letters never match
 */
export function spellingDistance(
  of: 'title' | 'artist',
  a: Worded,
  b: Worded,
  least: number,
): Distance {
  const other = Distance.of(`${of}.other`)
  const letters = Math.max(lettersIn(a.squashed), lettersIn(b.squashed))
  if (letters < least) return other
  const all = slips(a.squashed, b.squashed, MOST)
  if (all > MOST && !a.words.some((word) => b.words.includes(word))) return other
  const [ofA, ofB] = unshared(a.words, b.words)
  const [bigA, bigB] = [ofA.filter(isBig), ofB.filter(isBig)]
  if (bigA.length === 0 && bigB.length === 0) return Distance.of(`${of}.words`)
  if ((bigA.length === 0 || bigB.length === 0) && all > 1) {
    const extra = bigA.length === 0 ? bigB : bigA
    const shared = letters - lettersIn(extra.join(''))
    return shared >= LONG && foreign(extra, a, b) ? Distance.of(`${of}.script`) : other
  }
  const [restA, restB] = [ofA.join(''), ofB.join('')]
  if (ORDINAL.test(restA) && ORDINAL.test(restB)) return other
  const rest = Math.max(lettersIn(restA), lettersIn(restB))
  const differ = slips(restA, restB, MOST)
  const ending = all === 2 && a.words.length >= MANY && isOtherEnding(restA, restB)
  const allowed = ending ? 2 : all === 1 && (letters >= LONG || rest >= 3) ? 1 : forgiven(rest)
  const count = Math.min(all, differ)
  return count > allowed ? other : Distance.of(`${of}.letters`, count / letters)
}

/** The least words of a name in which one word may have another ending. */
const MANY = 3
/** The letters before the ending that must be equal. */
const STEM = 4

/** Whether two words differ only in their endings: `Lizzy` and `Lizzie`. */
function isOtherEnding(a: string, b: string): boolean {
  return a.slice(0, STEM) === b.slice(0, STEM) && Math.min(a.length, b.length) > STEM
}

/** Letters and numerals that distinguish parts: in B minor, Theme A, III. */
const ORDINAL = /^(?:[a-z]|[ivx]*)$/

function isBig(word: string): boolean {
  return !LITTLE.has(word)
}

const LATIN = /[a-z]/

/** Whether additional words are in another script than the words that both names have. */
function foreign(extra: readonly string[], a: Worded, b: Worded): boolean {
  const latin = LATIN.test(extra.join(''))
  const shared = a.words.filter((word) => b.words.includes(word)).join('')
  return LATIN.test(shared) !== latin && !(latin && extra.some((word) => !LATIN.test(word)))
}
