import { singleSpaced } from '../text.ts'
import { type Credit, creditLikeness, creditOf, isNobody, unsorted } from './credit.ts'
import { repaired } from './repaired-text.ts'
import { type Title, titleOf } from './title.ts'

/** One way to read the names of a song. */
export interface Reading {
  title: Title
  /** `undefined` without an artist. */
  credit: Credit | undefined
  /** How much it lowers the score. */
  cost: number
  /** Whether title and artist are exchanged. */
  swapped: boolean
}

/** The costs of less likely readings. */
const COST = { cleaned: 0.005, split: 0.01, sorted: 0.01, bareNumber: 0.02, swapped: 0.03 } as const
const MOST_READINGS = 12

/**
 * The ways to read a title and an artist from tags or a file name, the likeliest first: as they are;
 * without the number, extension and artist of a file name; as both names in one field; with the
 * artist's name in sorting order; with the fields exchanged.
 *
 * @param most - the most readings
 */
export function readingsOf(
  songName: string,
  artistName: string | undefined,
  most = MOST_READINGS,
): Reading[] {
  const readings = new Readings(most)
  const texts = textsOf(songName)
  if (artistName === undefined || isNobody(artistName)) {
    for (const text of texts) readings.addSplit(text)
    if (artistName?.trim()) readings.add(songName, artistName, 0)
    for (const { text, cost } of texts) readings.add(text, undefined, cost)
    return readings.list
  }
  for (const { text, cost } of texts) readings.add(text, artistName, cost)
  if (readings.isFull) return readings.list
  const credit = creditOf(artistName)
  for (const text of texts) {
    for (const rest of withoutArtist(text, credit)) {
      readings.add(rest, artistName, text.cost + COST.cleaned)
    }
  }
  const straight = unsorted(artistName)
  if (straight !== undefined) {
    for (const { text, cost } of texts) readings.add(text, straight, cost + COST.sorted)
  }
  for (const { text, cost } of texts) readings.addSwapped(artistName, text, cost + COST.swapped)
  return readings.list
}

/** A title with this many words and letters hardly occurs twice. */
const RICH = { words: 3, letters: 12 } as const

/** Whether a title is so long that few songs can have it. */
export function isRich({ core }: Title): boolean {
  return core.words.length >= RICH.words && core.squashed.length >= RICH.letters
}

class Readings {
  readonly list: Reading[] = []
  readonly #seen = new Set<string>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get isFull(): boolean {
    return this.list.length >= this.#most
  }

  add(title: string, artist: string | undefined, cost: number, swapped = false): void {
    const id = `${title}\n${artist ?? ''}`
    if (title.trim() === '' || this.isFull || this.#seen.has(id)) return
    this.#seen.add(id)
    const credit = artist === undefined ? undefined : creditOf(artist)
    this.list.push({ title: titleOf(title), credit, cost, swapped })
  }

  addSwapped(title: string, artist: string, cost: number): void {
    this.add(title, artist, cost, true)
  }

  /** Reads `Artist - Title` and `Title - Artist`. */
  addSplit(whole: Text): void {
    const { text, cost } = whole
    for (const [before, after] of splits(whole)) {
      this.add(after, before, cost + COST.split)
      this.addSwapped(before, after, cost + COST.split + COST.swapped)
    }
    const [, title, artist] = /^(.+) by (.+)$/is.exec(text) ?? []
    if (title && artist) this.addSwapped(title, artist, cost + COST.split + COST.swapped)
  }
}

interface Text {
  text: string
  cost: number
  /** Whether it had no spaces, as in many file names. */
  tight: boolean
}

const EXTENSION =
  /\.(?:mp3|mp2|flac|ogg|oga|opus|m4a|m4b|mp4|aac|wav|wma|aiff?|ape|wv|mpc)(?=\s|$)/i
// 1-04, 05., (05), 05 -, CD1 05 -, 05_.
const NUMBER =
  /^(?:(?:cd|disc|disk) ?\d{1,2} ?[-_. ] ?)?(?:\d{1,2}[-.]\d{1,3}(?=[ _])|track ?\d{1,3}(?= ?[-_.:])|[([]?\d{1,3}[)\]]? ?(?=[-–—_.)\]]))[ \-–—_.)\]:]*(?=\S)/i
// It may be a part of the title: 99 Luftballons.
const BARE_NUMBER = /^\d{1,3} (?=\S)/

/** A title as it is, and without the number and extension of a file name. */
function textsOf(songName: string): Text[] {
  const whole = singleSpaced(repaired(songName))
  const named = whole.replace(EXTENSION, '')
  const numberless = named.replace(NUMBER, '')
  const texts: Text[] = [textOf(whole, 0)]
  if (named !== whole) texts.push(textOf(named, COST.cleaned))
  if (numberless !== named) texts.push(textOf(numberless, COST.cleaned))
  else if (BARE_NUMBER.test(named)) {
    texts.push(textOf(named.replace(BARE_NUMBER, ''), COST.bareNumber))
  }
  return texts
}

/** Replaces underscores by spaces in a text without spaces. */
function textOf(text: string, cost: number): Text {
  const tight = !text.includes(' ')
  return { text: tight ? singleSpaced(text.replaceAll('_', ' ')) : text, cost, tight }
}

// Artist_Name-Title_of_the_Song: a text without spaces has no other dash.
const HYPHEN = / ?[-–—]+ ?/g
const SEPARATOR = / [-–—―‐|~]+ | ?[–—―] ?| [-–—―]+|(?<![-–—―])[-–—―]+ | ?: | :/g
const MOST_SPLITS = 3

function splits({ text, tight }: Text): [before: string, after: string][] {
  const found: [string, string][] = []
  for (const { index, 0: separator } of text.matchAll(tight ? HYPHEN : SEPARATOR)) {
    const before = text.slice(0, index).trim()
    const after = text.slice(index + separator.length).trim()
    if (before !== '' && after !== '') found.push([before, after])
    if (found.length >= MOST_SPLITS) break
  }
  return found
}

/** The least likeness of the artist and a part of the title that repeats the artist. */
const THE_ARTIST = 0.85

/** A title without the artist before or after it. */
function withoutArtist(text: Text, credit: Credit): string[] {
  const isArtist = (part: string) => creditLikeness(creditOf(part), credit) >= THE_ARTIST
  return splits(text).flatMap(([before, after]) => [
    ...(isArtist(before) ? [after, after.replace(NUMBER, '')] : []),
    ...(isArtist(after) ? [before] : []),
  ])
}
