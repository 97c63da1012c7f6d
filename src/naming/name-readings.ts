import { singleSpaced } from '../values/text.ts'
import { type Credit, creditDistance, creditOf, isNobody, unsorted } from './credit.ts'
import { Distance, LIMITS, type PenaltyName } from './distance.ts'
import {
  cleanedName,
  isSite,
  spaced,
  withoutChannel,
  withoutExtension,
  withoutNumber,
} from './file-names.ts'
import { repaired } from './repair-text.ts'
import { type Title, titleOf } from './title.ts'

export interface Reading {
  title: Title
  credit: Credit | undefined
  distance: Distance
  swapped: boolean
}

const MOST_READINGS = 20

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
  const isNamed = artistName !== undefined && !isNobody(artistName) && !isSite(artistName)
  if (isNamed) readings.add(songName, artistName, Distance.none)
  if (readings.isFull) return readings.list
  const { texts, folders } = textsOf(songName)
  if (isNamed) addNamed(readings, texts, artistName)
  else addUnnamed(readings, texts, folders)
  if (!isNamed && artistName?.trim()) readings.add(songName, artistName, Distance.none)
  return readings.list
}

function addUnnamed(readings: Readings, texts: readonly Text[], folders: readonly string[]): void {
  for (const text of texts) readings.addSplit(text)
  for (const folder of folders) {
    for (const { text, distance } of texts) {
      readings.add(text, folder, distance.add('reading.split'))
    }
  }
  for (const { text, distance } of texts) readings.add(text, undefined, distance)
}

function addNamed(readings: Readings, texts: readonly Text[], artistName: string): void {
  const channel = withoutChannel(artistName)
  const artist = channel ?? artistName
  const cleaned = channel === undefined ? Distance.none : Distance.of('reading.cleaned')
  for (const { text, distance } of texts) readings.add(text, artist, distance.plus(cleaned))
  const credit = creditOf(artist)
  for (const text of texts) {
    for (const rest of withoutArtist(text, credit)) {
      readings.add(rest, artist, text.distance.add('reading.cleaned'))
    }
  }
  const straight = unsorted(artist)
  if (straight !== undefined) {
    for (const { text, distance } of texts) {
      readings.add(text, straight, distance.add('reading.sorted'))
    }
  }
  for (const { text, distance } of texts) readings.addSwapped(artist, text, distance)
}

/** A title with this many words and letters hardly occurs twice. */
const RICH = { words: 3, letters: 12 } as const

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

  add(title: string, artist: string | undefined, distance: Distance, swapped = false): void {
    const id = `${title}\n${artist ?? ''}`
    if (title.trim() === '' || this.isFull || this.#seen.has(id)) return
    this.#seen.add(id)
    const credit = artist === undefined ? undefined : creditOf(artist)
    this.list.push({ title: titleOf(title), credit, distance, swapped })
  }

  addSwapped(title: string, artist: string, distance: Distance): void {
    this.add(title, artist, distance.add('reading.swapped'), true)
  }

  /** Reads `Artist - Title` and `Title - Artist`. */
  addSplit(whole: Text): void {
    const split = whole.distance.add('reading.split')
    for (const [before, after] of splits(whole)) {
      this.add(after, before, split)
      this.addSwapped(before, after, split)
    }
    const [, title, artist] = /^(.+) by (.+)$/is.exec(whole.text) ?? []
    if (title && artist) this.addSwapped(title, artist, split)
  }
}

interface Text {
  text: string
  distance: Distance
  /** Whether it had no spaces, as in many file names. */
  tight: boolean
}

// It may be a part of the title: 99 Luftballons.
const BARE_NUMBER = /^\d{1,3} (?=\S)/

/** A title as it is, without what only names of files and videos have, and without its number. */
function textsOf(songName: string): { texts: Text[]; folders: readonly string[] } {
  const whole = singleSpaced(repaired(songName))
  const { text: cleaned, folders } = cleanedName(whole)
  const named = withoutExtension(whole)
  const numberless = withoutNumber(named)
  const texts: Text[] = [textOf(whole, Distance.none)]
  const add = (text: string, penalty: PenaltyName) => {
    const more = textOf(text, Distance.of(penalty))
    if (!texts.some((known) => known.text === more.text)) texts.push(more)
  }
  add(cleaned, 'reading.cleaned')
  add(named, 'reading.cleaned')
  if (numberless !== named) add(numberless, 'reading.cleaned')
  else if (BARE_NUMBER.test(cleaned)) add(cleaned.replace(BARE_NUMBER, ''), 'reading.bareNumber')
  return { texts, folders }
}

function textOf(text: string, distance: Distance): Text {
  return { text: spaced(text), distance, tight: !text.includes(' ') }
}

// Artist_Name-Title_of_the_Song: a text without spaces has no other dash.
const HYPHEN = / ?[-–—]+ ?/g
const SEPARATOR = / [-–—―‐|~]+ | ?[–—―] ?| [-–—―]+|(?<![-–—―])[-–—―]+ | ?: | :/g
const MOST_SPLITS = 3

function splits({ text, tight }: Text): [before: string, after: string][] {
  const found: [string, string][] = []
  const parts: string[] = []
  let end = 0
  for (const { index, 0: separator } of text.matchAll(tight ? HYPHEN : SEPARATOR)) {
    const before = text.slice(0, index).trim()
    const after = text.slice(index + separator.length).trim()
    parts.push(text.slice(end, index).trim())
    end = index + separator.length
    if (before !== '' && after !== '' && found.length < MOST_SPLITS) found.push([before, after])
  }
  // Artist - Album - 06 - Title
  const [first] = parts
  const last = text.slice(end).trim()
  if (first && last && parts.length > 1) found.push([first, last])
  return found
}

function withoutArtist(text: Text, credit: Credit): string[] {
  const isArtist = (part: string) => creditDistance(creditOf(part), credit).sum <= LIMITS.oneSong
  return splits(text).flatMap(([before, after]) => [
    ...(isArtist(before) ? [after, withoutNumber(after)] : []),
    ...(isArtist(after) ? [before] : []),
  ])
}
