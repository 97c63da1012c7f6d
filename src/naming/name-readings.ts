import { singleSpaced } from '../values/text.ts'
import { type Credit, creditDistance, creditOf, isNobody, unsorted } from './credit.ts'
import { Distance, LIMITS } from './distance.ts'
import { repaired } from './repair-text.ts'
import { type Title, titleOf } from './title.ts'

export interface Reading {
  title: Title
  credit: Credit | undefined
  distance: Distance
  swapped: boolean
}

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
    if (artistName?.trim()) readings.add(songName, artistName, Distance.none)
    for (const { text, distance } of texts) readings.add(text, undefined, distance)
    return readings.list
  }
  for (const { text, distance } of texts) readings.add(text, artistName, distance)
  if (readings.isFull) return readings.list
  const credit = creditOf(artistName)
  for (const text of texts) {
    for (const rest of withoutArtist(text, credit)) {
      readings.add(rest, artistName, text.distance.add('reading.cleaned'))
    }
  }
  const straight = unsorted(artistName)
  if (straight !== undefined) {
    for (const { text, distance } of texts) {
      readings.add(text, straight, distance.add('reading.sorted'))
    }
  }
  for (const { text, distance } of texts) readings.addSwapped(artistName, text, distance)
  return readings.list
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
  const texts: Text[] = [textOf(whole, Distance.none)]
  if (named !== whole) texts.push(textOf(named, Distance.of('reading.cleaned')))
  if (numberless !== named) texts.push(textOf(numberless, Distance.of('reading.cleaned')))
  else if (BARE_NUMBER.test(named)) {
    texts.push(textOf(named.replace(BARE_NUMBER, ''), Distance.of('reading.bareNumber')))
  }
  return texts
}

/** Replaces underscores by spaces in a text without spaces. */
function textOf(text: string, distance: Distance): Text {
  const tight = !text.includes(' ')
  return { text: tight ? singleSpaced(text.replaceAll('_', ' ')) : text, distance, tight }
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

function withoutArtist(text: Text, credit: Credit): string[] {
  const isArtist = (part: string) => creditDistance(creditOf(part), credit).sum <= LIMITS.oneSong
  return splits(text).flatMap(([before, after]) => [
    ...(isArtist(before) ? [after, after.replace(NUMBER, '')] : []),
    ...(isArtist(after) ? [before] : []),
  ])
}
