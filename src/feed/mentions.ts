import { nameKey } from '../artist/names.ts'
import { COMMON_WORDS, CUES, SMALL_WORDS } from './common-words.ts'
import { HASH_START, hashOn, type KnownNames, LONGEST_NAME } from './known-names.ts'
import { isSign, type Word, wordsIn } from './text-words.ts'

/** An artist who may be meant by a name. */
export interface Named {
  num: number
  /** As the artist is written. */
  name: string
}

/** A place where an artist is named. */
export interface Mention {
  artist: number
  /** Which word of the text it begins at. */
  at: number
}

/** What names are looked up with. */
export interface Names {
  known: KnownNames
  /** The artist who is called so, if there is one. */
  find(name: string): Named | undefined
}

/** Evidence from which on a name is taken for the artist's. */
const ENOUGH = 0.5
/** Words at each side among which a cue counts. */
const NEAR = 4

/**
 * The artists that a text names, in order: of names that overlap the first and longest, whole words
 * only. A name counts when the evidence for it reaches 0.5:
 *
 * - A name with a word that is not of everyday speech: written with capitals 1 (0.7 if it is a single
 *   word that opens a sentence or stands in a line where every word has a capital); in small letters
 *   0.5 where the name is so written itself, or all the text is, and it is more than one word, or has
 *   a digit; else 0. A single word in small letters has 0.3, and 0.3 more beside a cue.
 * - A name of common words, numbers, or one or two letters, and one whose word also stands in the
 *   text in small letters, must have its capitals, and its article if it has one (`The Who`). 0.3
 *   within a sentence, 0.1 where a capital tells nothing; 0.3 more for a cue (album, band, tour …)
 *   within four words, 0.3 for the article with its capital within a sentence, 0.3 for several words
 *   with capitals within a sentence, 0.3 if it is written all in capitals as the artist is and the
 *   text is not, 0.2 if it stands within a sentence a second time.
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

/** The words that a text has in small letters, by their keys. */
export function lowerCaseWords(text: string): Set<string> {
  return new Set(wordsIn(text).flatMap(({ lower, bare }) => (lower ? bare : [])))
}

interface Line {
  text: string
  words: Word[]
  /** Whether a capital within a sentence tells anything. */
  telling: boolean
  hasCapitals: boolean
  shouted: boolean
  lowerCase: ReadonlySet<string>
}

function lineOf(text: string, words: Word[], others: ReadonlySet<string> = new Set()): Line {
  const cased = words.filter(
    ({ upper, lower, key, opens }) => (upper || lower) && !opens && !SMALL_WORDS.has(key),
  )
  const capitals = cased.filter(({ upper }) => upper).length
  const lowerCase = new Set(others)
  for (const { lower, bare } of words) if (lower) lowerCase.add(bare)
  return {
    text,
    words,
    telling: capitals < 0.7 * cased.length,
    hasCapitals: words.some(({ upper, key }) => upper && /\p{L}/u.test(key)),
    shouted: text === text.toUpperCase(),
    lowerCase,
  }
}

/** Words of the name that begins at a place, 0 if none does; adds it to those found. */
function longestAt(
  line: Line,
  at: number,
  known: KnownNames,
  find: (name: string) => Named | undefined,
  found: Mention[],
): number {
  const { words, text } = line
  const most = Math.min(LONGEST_NAME, words.length - at)
  const candidates: { length: number; end: number }[] = []
  let hash = HASH_START
  for (let length = 1; length <= most; length++) {
    const word = words[at + length - 1] as Word
    if (word.bare !== word.key && known.has(hashOn(hash, word.bare))) {
      candidates.push({ length, end: word.bareEnd })
    }
    hash = hashOn(hash, word.key)
    if (known.has(hash)) candidates.push({ length, end: word.end })
    if (!known.goesOn(hash)) break
  }
  for (const { length, end } of candidates.reverse()) {
    if (isHopeless(line, words.slice(at, at + length))) continue
    const { start } = words[at] as Word
    const artist = find(text.slice(start, end))
    if (artist && evidenceOf(line, at, length, end, artist) >= ENOUGH) {
      found.push({ artist: artist.num, at })
      return length
    }
  }
  return 0
}

/** Common words in small letters are nobody's name, and most words are that: not worth a look. */
function isHopeless({ hasCapitals }: Line, words: readonly Word[]): boolean {
  return words.every(
    ({ lower, bare }) =>
      lower && (COMMON_WORDS.has(bare) || (words.length === 1 && hasCapitals && bare.length < 4)),
  )
}

function evidenceOf(line: Line, at: number, length: number, end: number, { name }: Named): number {
  const { text, telling, lowerCase } = line
  const words = line.words.slice(at, at + length)
  const first = words[0] as Word
  const slice = text.slice(first.start, end)
  const written = name.replace(/^the\s+/i, '')
  const keys = words.map(({ bare }) => bare)
  const capitals = words.every(({ upper, key }) => upper || SMALL_WORDS.has(key)) && hasUpper(words)
  const within = telling && !first.opens
  const common =
    keys.every((key) => COMMON_WORDS.has(key) || isSlight(key, length)) ||
    (length === 1 && lowerCase.has(first.bare) && first.upper)
  if (!common) {
    if (capitals) return length > 1 || within ? 1 : 0.7
    const asWritten = slice === written && written === written.toLowerCase()
    if (/\d/.test(slice) && asWritten) return 1
    if (length === 1) return asWritten || !line.hasCapitals ? 0.3 + cue(line, at, length) : 0
    return asWritten || !line.hasCapitals ? 0.5 : 0
  }
  if (!capitals) return 0
  let evidence = within ? 0.3 : 0.1
  if (/^the\s/i.test(name)) {
    const before = line.words[at - 1]
    if (before?.key !== 'the') return 0
    if (telling && before.upper && !before.opens) evidence += 0.3
  }
  evidence += cue(line, at, length)
  if (within && length > 1) evidence += 0.3
  if (
    slice === written &&
    /\p{Lu}{2}/u.test(slice) &&
    slice === slice.toUpperCase() &&
    !line.shouted
  ) {
    evidence += 0.3
  }
  if (telling && isRepeated(line, at, length)) evidence += 0.2
  return evidence
}

function hasUpper(words: readonly Word[]): boolean {
  return words.some(({ upper }) => upper)
}

/**
 * One or two letters, or a number, say as little as a common word; but `U2` is neither, and three
 * signs of a script that writes no spaces are a whole word.
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

/** Whether the same words stand within a sentence, with their capitals, at another place. */
function isRepeated({ words }: Line, at: number, length: number): boolean {
  const [first, ...rest] = words.slice(at, at + length)
  return words.some(
    (word, place) =>
      place !== at &&
      word.upper &&
      !word.opens &&
      word.bare === first?.bare &&
      rest.every(({ bare }, i) => words[place + 1 + i]?.bare === bare),
  )
}

/** How often a text says a name, whatever letters it is written in, and at which word first. */
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
