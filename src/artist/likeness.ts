import { distance } from 'fastest-levenshtein'

/**
 * How many slips of the pen make one text the other: a letter left out, added or mistaken, or two
 * neighbours that changed places (restricted Damerau-Levenshtein distance). More than `most` are
 * not counted to the end.
 */
export function slips(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  const edits = distance(a, b)
  // A change of places is two edits: what is further than that cannot come within.
  return edits < 2 || edits > 2 * most ? edits : withTranspositions(a, b)
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

// Signs that are syllables or words: a slip in one of few is as one in two letters.
const SYLLABLES = /[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff]|[\ud800-\udbff]/g

/** How long a text is, in letters. */
function lettersIn(text: string): number {
  return PLAIN.test(text) ? text.length : text.length + (text.match(SYLLABLES)?.length ?? 0)
}

const PLAIN = /^[a-z0-9]*$/

/** No name has more slips. */
const MOST = 3

/** So many slips are forgiven in so many letters. */
function forgiven(letters: number): number {
  if (letters < 4) return 0
  if (letters < 8) return 1
  return letters < 14 ? 2 : MOST
}

/** What is left when the words are taken away that two names share, in any order. */
export function unshared(
  a: readonly string[],
  b: readonly string[],
): [ofA: string[], ofB: string[]] {
  const ofB = [...b]
  const ofA = a.filter((word) => {
    const at = ofB.indexOf(word)
    if (at >= 0) ofB.splice(at, 1)
    return at < 0
  })
  return [ofA, ofB]
}

/** A name as it is compared: its words, and all of them without spaces. */
export interface Worded {
  words: readonly string[]
  squashed: string
}

/** Words that come and go. */
const LITTLE = new Set(
  'the a an and n oh o ooh i le el los las les der die das hte teh tthe thhe thee'.split(' '),
)
/** Names that are the same words, in another order or with other little ones. */
export const SAME_WORDS = 0.93
/** One also has another script's words: a translation, or the name as it is written at home. */
const TWO_SCRIPTS = 0.9
/** From so many letters on, a slip may also be in a word of two. */
const LONG = 5

/**
 * How alike two names are that are not written alike, 0..1: the share of the letters that is no
 * slip of the pen. 0 when the words differ by more than slips: `American Pie` is not `American
 * Life`, though it is as close to it as `Amercian Pei`.
 *
 * @param least - below so many letters names are never taken for each other
 */
export function likeness(a: Worded, b: Worded, least: number): number {
  const letters = Math.max(lettersIn(a.squashed), lettersIn(b.squashed))
  if (letters < least) return 0
  const all = slips(a.squashed, b.squashed, MOST)
  if (all > MOST && !a.words.some((word) => b.words.includes(word))) return 0
  const [ofA, ofB] = unshared(a.words, b.words)
  const [bigA, bigB] = [ofA.filter(isBig), ofB.filter(isBig)]
  if (bigA.length === 0 && bigB.length === 0) return SAME_WORDS
  if (bigA.length === 0 || bigB.length === 0) {
    const extra = bigA.length === 0 ? bigB : bigA
    const shared = letters - lettersIn(extra.join(''))
    if (all > 1) return shared >= LONG && foreign(extra, a, b) ? TWO_SCRIPTS : 0
  }
  const [restA, restB] = [ofA.join(''), ofB.join('')]
  if (ORDINAL.test(restA) && ORDINAL.test(restB)) return 0
  const rest = Math.max(lettersIn(restA), lettersIn(restB))
  const differ = slips(restA, restB, MOST)
  const ending = all === 2 && a.words.length >= MANY && isOtherEnding(restA, restB)
  const allowed = ending ? 2 : all === 1 && (letters >= LONG || rest >= 3) ? 1 : forgiven(rest)
  const count = Math.min(all, differ)
  if (count > allowed) return 0
  return 1 - count / letters
}

/** Of so many words, one may also end otherwise. */
const MANY = 3
/** Letters that are the same before such an ending. */
const STEM = 4

/** Whether two words differ in how they end alone: `Lizzy` and `Lizzie`. */
function isOtherEnding(a: string, b: string): boolean {
  return a.slice(0, STEM) === b.slice(0, STEM) && Math.min(a.length, b.length) > STEM
}

/** Letters and numerals that tell one part from another: in B minor, Theme A, III. */
const ORDINAL = /^(?:[a-z]|[ivx]*)$/

function isBig(word: string): boolean {
  return !LITTLE.has(word)
}

const LATIN = /[a-z]/

/** Whether words are of another script than the ones beside them. */
function foreign(extra: readonly string[], a: Worded, b: Worded): boolean {
  const latin = LATIN.test(extra.join(''))
  const shared = a.words.filter((word) => b.words.includes(word)).join('')
  return LATIN.test(shared) !== latin && !(latin && extra.some((word) => !LATIN.test(word)))
}

/** How many of the letters of two sets of words are in words that both have, misspelt or not, 0..1. */
export function sharedLetters(a: readonly string[], b: readonly string[]): number {
  const [ofA, ofB] = unshared(a, b)
  const all = lettersOf(a) + lettersOf(b)
  let missing = lettersOf(ofA) + lettersOf(ofB)
  for (const word of ofA) {
    const at = ofB.findIndex((other) => {
      const letters = Math.max(word.length, other.length)
      return slips(word, other, MOST) <= forgiven(letters)
    })
    if (at >= 0) missing -= word.length + (ofB.splice(at, 1)[0] as string).length
  }
  return all === 0 ? 0 : 1 - missing / all
}

function lettersOf(words: readonly string[]): number {
  let sum = 0
  for (const word of words) sum += word.length
  return sum
}
