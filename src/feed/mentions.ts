import { nameKey } from '../naming/names.ts'
import { COMMON_WORDS, CUE_WORDS, SMALL_WORDS } from './common-words.ts'
import { extendHash, HASH_START, type KnownNames, MAX_NAME_WORDS } from './known-names.ts'
import { isSign, splitWords, type TextWord } from './text-words.ts'

export interface ArtistName {
  num: number
  name: string
}

export interface Mention {
  artist: number
  /** Of its first word in the text. */
  at: number
}

export interface NameLookup {
  known: KnownNames
  find(name: string): ArtistName | undefined
}

const MIN_EVIDENCE = 0.5
/** Words before or after a name. */
const CUE_WORDS_AWAY = 4

/**
 * Names are whole words; of overlapping names the first and longest counts, with evidence of 0.5:
 *
 * - An uncommon name: 1 with capitals (0.7 where capitals say little), else only as the artist
 * writes it.
 * - A common name needs its capitals, and its article (`The Who`): 0.3 within a sentence, 0.1
 * elsewhere.
 * It gains 0.3 for a cue word nearby, the article, several words or all capitals; 0.2 if repeated.
 */
export function mentionsIn(
  text: string,
  names: NameLookup,
  lowerCase?: ReadonlySet<string>,
): Mention[] {
  const words = splitWords(text)
  const line = makeLine(text, words, lowerCase)
  const mentions: Mention[] = []
  const artistByName = new Map<string, ArtistName | undefined>()
  const findOnce = (name: string) => {
    if (!artistByName.has(name)) artistByName.set(name, names.find(name))
    return artistByName.get(name)
  }
  for (let position = 0; position < words.length; ) {
    const length = addLongestName(line, position, names.known, findOnce, mentions)
    position += Math.max(length, 1)
  }
  return mentions
}

export function lowerCaseWords(text: string): Set<string> {
  return new Set(splitWords(text).flatMap(({ lower, bare }) => (lower ? bare : [])))
}

interface TextLine {
  text: string
  words: TextWord[]
  /** A capital within a sentence is evidence: fewer than 70 % of the words have one. */
  telling: boolean
  hasCapitals: boolean
  shouted: boolean
  lowerCase: ReadonlySet<string>
}

function makeLine(
  text: string,
  words: TextWord[],
  others: ReadonlySet<string> = new Set(),
): TextLine {
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

/** Returns its number of words; 0 if there is none. */
function addLongestName(
  line: TextLine,
  position: number,
  knownNames: KnownNames,
  find: (name: string) => ArtistName | undefined,
  mentions: Mention[],
): number {
  const { words, text } = line
  const candidates: { length: number; end: number }[] = []
  let hash = HASH_START
  for (const [i, { key, bare, end, bareEnd }] of words
    .slice(position, position + MAX_NAME_WORDS)
    .entries()) {
    const length = i + 1
    if (bare !== key && knownNames.mayHave(extendHash(hash, bare)))
      candidates.push({ length, end: bareEnd })
    hash = extendHash(hash, key)
    if (knownNames.mayHave(hash)) candidates.push({ length, end })
    if (!knownNames.goesOn(hash)) break
  }
  for (const { length, end } of candidates.reverse()) {
    const nameWords = words.slice(position, position + length)
    if (isHopeless(line, nameWords)) continue
    const writtenName = text.slice(nameWords[0]?.start, end)
    const artist = find(writtenName)
    if (
      artist &&
      weighEvidence(line, position, nameWords, writtenName, artist.name) >= MIN_EVIDENCE
    ) {
      mentions.push({ artist: artist.num, at: position })
      return length
    }
  }
  return 0
}

/** Common words in small letters, as most words are. */
function isHopeless({ hasCapitals }: TextLine, words: readonly TextWord[]): boolean {
  return words.every(
    ({ lower, bare }) =>
      lower && (COMMON_WORDS.has(bare) || (words.length === 1 && hasCapitals && bare.length < 4)),
  )
}

/** @param writtenName - as the text writes it; `name` is as the artist writes it */
function weighEvidence(
  line: TextLine,
  position: number,
  words: readonly TextWord[],
  writtenName: string,
  name: string,
): number {
  const [first] = words
  if (!first) return 0
  const { telling, lowerCase } = line
  const isSingle = words.length === 1
  const artistName = name.replace(/^the\s+/i, '')
  const hasCapitals =
    words.every(({ lower, key }) => !lower || SMALL_WORDS.has(key)) &&
    words.some(({ lower }) => !lower)
  const isWithinSentence = telling && !first.opens
  const isCommon =
    words.every(({ bare }) => COMMON_WORDS.has(bare) || isShortWord(bare, words.length)) ||
    (isSingle && lowerCase.has(first.bare) && !first.lower)
  if (!isCommon) {
    if (hasCapitals) return !isSingle || isWithinSentence ? 1 : 0.7
    const asWritten = writtenName === artistName && artistName === artistName.toLowerCase()
    if (/\d/.test(writtenName) && asWritten) return 1
    if (!asWritten && line.hasCapitals) return 0
    return isSingle ? 0.3 + cueEvidence(line, position, words.length) : 0.5
  }
  if (!hasCapitals) return 0
  let evidence = (isWithinSentence ? 0.3 : 0.1) + cueEvidence(line, position, words.length)
  if (/^the\s/i.test(name)) {
    const article = line.words[position - 1]
    if (article?.key !== 'the') return 0
    if (telling && !article.lower && !article.opens) evidence += 0.3
  }
  if (isWithinSentence && !isSingle) evidence += 0.3
  const isAllCapitals = /\p{Lu}{2}/u.test(writtenName) && writtenName === writtenName.toUpperCase()
  if (writtenName === artistName && isAllCapitals && !line.shouted) evidence += 0.3
  if (telling && isRepeated(line, position, words)) evidence += 0.2
  return evidence
}

/** One or two letters, or a number; `U2` is neither, and three unspaced signs are a whole word. */
function isShortWord(key: string, length: number): boolean {
  if (length > 2 && isSign(key)) return false
  return /^\p{N}+$/u.test(key) || ([...key].length < 3 && !/\p{N}/u.test(key))
}

function cueEvidence({ words }: TextLine, position: number, length: number): number {
  const nearWords = [
    ...words.slice(Math.max(0, position - CUE_WORDS_AWAY), position),
    ...words.slice(position + length, position + length + CUE_WORDS_AWAY),
  ]
  return nearWords.some(({ bare }) => CUE_WORDS.has(bare)) ? 0.3 : 0
}

/** The same words, with a capital, within a sentence at another place. */
function isRepeated(
  { words }: TextLine,
  position: number,
  [first, ...otherWords]: readonly TextWord[],
): boolean {
  return words.some(
    (word, place) =>
      place !== position &&
      !word.lower &&
      !word.opens &&
      word.bare === first?.bare &&
      otherWords.every(({ bare }, i) => words[place + 1 + i]?.bare === bare),
  )
}

/** In capitals or not, and the index of the first word; -1 if never. */
export function countMentions(text: string, name: string): { count: number; first: number } {
  const key = ` ${nameKey(name.replace(/^the\s+(?=.)/i, ''))} `
  const textKey = ` ${splitWords(text)
    .map(({ bare }) => bare)
    .join(' ')} `
  let count = 0
  let first = -1
  for (
    let position = textKey.indexOf(key);
    position >= 0;
    position = textKey.indexOf(key, position + key.length - 1)
  ) {
    if (count++ === 0) first = textKey.slice(0, position).split(' ').length - 1
  }
  return { count, first }
}
