import { nameKey } from '../naming/names.ts'
import { COMMON_WORDS, CUES, SMALL_WORDS } from './common-words.ts'
import { HASH_START, hashOn, type KnownNames, LONGEST_NAME } from './known-names.ts'
import { isSign, type Word, wordsIn } from './text-words.ts'

export interface Named {
  num: number
  name: string
}

export interface Mention {
  artist: number
  /** The index of its first word in the text. */
  at: number
}

export interface Names {
  known: KnownNames
  find(name: string): Named | undefined
}

const ENOUGH = 0.5
/** A cue counts within this many words before or after a name. */
const NEAR = 4

/**
 * The artists that a text names, in order. Names are whole words; of names that overlap, the first
 * and longest counts. A name counts when the evidence for it reaches 0.5:
 *
 * - A name with an uncommon word: 1 when it is written with capitals, but 0.7 when it is a single word
 *   at the beginning of a sentence or in a line where every word has a capital. In small letters it
 *   counts only when the artist writes it so, or the text has no capitals: then 1 for a name with a
 *   digit that the artist writes so, 0.5 for several words, and for a single word 0.3, with 0.3 more
 *   beside a cue.
 * - A name of common words, of numbers, or of one or two letters, or a word that is also in the text
 *   in small letters: it needs its capitals, and its article if it has one (`The Who`). It has 0.3
 *   within a sentence, and 0.1 where a capital says nothing. It gains 0.3 for a cue (album,
 *   band, tour …) within four words, 0.3 for the article with a capital within a sentence, 0.3 for
 *   several words with capitals within a sentence, 0.3 when text and artist write it all in capitals
 *   and the rest of the text is not, and 0.2 when it is within a sentence once more.
 */
export function mentionsIn(text: string, names: Names, lowerCase?: ReadonlySet<string>): Mention[] {
  const words = wordsIn(text)
  const line = lineOf(text, words, lowerCase)
  const found: Mention[] = []
  const looked = new Map<string, Named | undefined>()
  const find = (name: string) => {
    if (!looked.has(name)) looked.set(name, names.find(name))
    return looked.get(name)
  }
  for (let at = 0; at < words.length; ) {
    const length = longestAt(line, at, names.known, find, found)
    at += Math.max(length, 1)
  }
  return found
}

export function lowerCaseWords(text: string): Set<string> {
  return new Set(wordsIn(text).flatMap(({ lower, bare }) => (lower ? bare : [])))
}

interface Line {
  text: string
  words: Word[]
  /** Whether a capital within a sentence is evidence: fewer than 70 % of the words have one. */
  telling: boolean
  hasCapitals: boolean
  shouted: boolean
  lowerCase: ReadonlySet<string>
}

function lineOf(text: string, words: Word[], others: ReadonlySet<string> = new Set()): Line {
  const cased = words.filter(({ key, opens }) => !opens && !SMALL_WORDS.has(key))
  const capitals = cased.filter(({ lower }) => !lower).length
  const lowerCase = new Set(others)
  for (const { lower, bare } of words) if (lower) lowerCase.add(bare)
  return {
    text,
    words,
    telling: capitals < 0.7 * cased.length,
    hasCapitals: words.some(({ lower, key }) => !lower && /\p{L}/u.test(key)),
    shouted: text === text.toUpperCase(),
    lowerCase,
  }
}

/** Adds the longest name that begins at a place. Returns its words; 0 if there is none. */
function longestAt(
  line: Line,
  at: number,
  known: KnownNames,
  find: (name: string) => Named | undefined,
  found: Mention[],
): number {
  const { words, text } = line
  const candidates: { length: number; end: number }[] = []
  let hash = HASH_START
  for (const [i, { key, bare, end, bareEnd }] of words.slice(at, at + LONGEST_NAME).entries()) {
    const length = i + 1
    if (bare !== key && known.has(hashOn(hash, bare))) candidates.push({ length, end: bareEnd })
    hash = hashOn(hash, key)
    if (known.has(hash)) candidates.push({ length, end })
    if (!known.goesOn(hash)) break
  }
  for (const { length, end } of candidates.reverse()) {
    const named = words.slice(at, at + length)
    if (isHopeless(line, named)) continue
    const written = text.slice(named[0]?.start, end)
    const artist = find(written)
    if (artist && evidenceOf(line, at, named, written, artist.name) >= ENOUGH) {
      found.push({ artist: artist.num, at })
      return length
    }
  }
  return 0
}

/** Whether words cannot be a name: common words in small letters, as most words are. */
function isHopeless({ hasCapitals }: Line, words: readonly Word[]): boolean {
  return words.every(
    ({ lower, bare }) =>
      lower && (COMMON_WORDS.has(bare) || (words.length === 1 && hasCapitals && bare.length < 4)),
  )
}

/** @param given - the name as the text writes it; `name` is as the artist writes it */
function evidenceOf(
  line: Line,
  at: number,
  words: readonly Word[],
  given: string,
  name: string,
): number {
  const [first] = words
  if (!first) return 0
  const { telling, lowerCase } = line
  const isSingle = words.length === 1
  const written = name.replace(/^the\s+/i, '')
  const capitals =
    words.every(({ lower, key }) => !lower || SMALL_WORDS.has(key)) &&
    words.some(({ lower }) => !lower)
  const within = telling && !first.opens
  const isCommon =
    words.every(({ bare }) => COMMON_WORDS.has(bare) || isSlight(bare, words.length)) ||
    (isSingle && lowerCase.has(first.bare) && !first.lower)
  if (!isCommon) {
    if (capitals) return !isSingle || within ? 1 : 0.7
    const asWritten = given === written && written === written.toLowerCase()
    if (/\d/.test(given) && asWritten) return 1
    if (!asWritten && line.hasCapitals) return 0
    return isSingle ? 0.3 + cue(line, at, words.length) : 0.5
  }
  if (!capitals) return 0
  let evidence = (within ? 0.3 : 0.1) + cue(line, at, words.length)
  if (/^the\s/i.test(name)) {
    const before = line.words[at - 1]
    if (before?.key !== 'the') return 0
    if (telling && !before.lower && !before.opens) evidence += 0.3
  }
  if (within && !isSingle) evidence += 0.3
  const inCapitals = /\p{Lu}{2}/u.test(given) && given === given.toUpperCase()
  if (given === written && inCapitals && !line.shouted) evidence += 0.3
  if (telling && isRepeated(line, at, words)) evidence += 0.2
  return evidence
}

/**
 * Whether a word is as weak as a common one: one or two letters, or a number. `U2` is neither, and
 * three signs of a script without spaces are a whole word.
 */
function isSlight(key: string, length: number): boolean {
  if (length > 2 && isSign(key)) return false
  return /^\p{N}+$/u.test(key) || ([...key].length < 3 && !/\p{N}/u.test(key))
}

function cue({ words }: Line, at: number, length: number): number {
  const near = [
    ...words.slice(Math.max(0, at - NEAR), at),
    ...words.slice(at + length, at + length + NEAR),
  ]
  return near.some(({ bare }) => CUES.has(bare)) ? 0.3 : 0
}

/** Whether the same words, with a capital, are within a sentence at another place. */
function isRepeated({ words }: Line, at: number, [first, ...rest]: readonly Word[]): boolean {
  return words.some(
    (word, place) =>
      place !== at &&
      !word.lower &&
      !word.opens &&
      word.bare === first?.bare &&
      rest.every(({ bare }, i) => words[place + 1 + i]?.bare === bare),
  )
}

/** How often a text has a name, in capitals or not, and the index of the first word; -1 if never. */
export function sayings(text: string, name: string): { count: number; first: number } {
  const key = ` ${nameKey(name.replace(/^the\s+(?=.)/i, ''))} `
  const spoken = ` ${wordsIn(text)
    .map(({ bare }) => bare)
    .join(' ')} `
  let count = 0
  let first = -1
  for (let at = spoken.indexOf(key); at >= 0; at = spoken.indexOf(key, at + key.length - 1)) {
    if (count++ === 0) first = spoken.slice(0, at).split(' ').length - 1
  }
  return { count, first }
}
