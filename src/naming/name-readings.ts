import { singleSpaced } from '../values/text.ts'
import { type Credit, creditDistance, creditOf, isNobody, unsortedName } from './credit.ts'
import { Distance, MATCH_LIMITS, type PenaltyName } from './distance.ts'
import {
  cleanedName,
  isSite,
  spacedName,
  withoutChannel,
  withoutExtension,
  withoutNumber,
} from './file-names.ts'
import { repairedText } from './repair-text.ts'
import { type Title, titleOf } from './title.ts'

export interface NameReading {
  title: Title
  credit: Credit | undefined
  distance: Distance
  isSwapped: boolean
}

const MAX_READINGS = 20

/** The ways to read a title and an artist from tags or a file name, the likeliest first. */
export function readingsOf(
  songName: string,
  artistName: string | undefined,
  maxReadings = MAX_READINGS,
): NameReading[] {
  const readings = new ReadingList(maxReadings)
  const isNamed = artistName !== undefined && !isNobody(artistName) && !isSite(artistName)
  if (isNamed) readings.addReading(songName, artistName, Distance.none)
  if (readings.isFull) return readings.list
  const { texts, folders } = textsOfName(songName)
  if (isNamed) addNamed(readings, texts, artistName)
  else addUnnamed(readings, texts, folders)
  if (!isNamed && artistName?.trim()) readings.addReading(songName, artistName, Distance.none)
  return readings.list
}

function addUnnamed(
  readings: ReadingList,
  texts: readonly NameText[],
  folders: readonly string[],
): void {
  for (const text of texts) readings.addSplitText(text)
  for (const folder of folders) {
    for (const { text, distance } of texts) {
      readings.addReading(text, folder, distance.add('reading.split'))
    }
  }
  for (const { text, distance } of texts) readings.addReading(text, undefined, distance)
}

function addNamed(readings: ReadingList, texts: readonly NameText[], artistName: string): void {
  const channel = withoutChannel(artistName)
  const artist = channel ?? artistName
  const channelDistance = channel === undefined ? Distance.none : Distance.of('reading.cleaned')
  for (const { text, distance } of texts)
    readings.addReading(text, artist, distance.plus(channelDistance))
  const credit = creditOf(artist)
  for (const text of texts) {
    for (const title of withoutArtist(text, credit)) {
      readings.addReading(title, artist, text.distance.add('reading.cleaned'))
    }
  }
  const unsortedArtist = unsortedName(artist)
  if (unsortedArtist !== undefined) {
    for (const { text, distance } of texts) {
      readings.addReading(text, unsortedArtist, distance.add('reading.sorted'))
    }
  }
  for (const { text, distance } of texts) readings.addSwapped(artist, text, distance)
}

/** Such a title hardly occurs twice. */
const RICH_TITLE = { words: 3, letters: 12 } as const

export function isRich({ core }: Title): boolean {
  return core.words.length >= RICH_TITLE.words && core.squashed.length >= RICH_TITLE.letters
}

class ReadingList {
  readonly list: NameReading[] = []
  readonly #knownNames = new Set<string>()
  readonly #maxReadings: number

  constructor(maxReadings: number) {
    this.#maxReadings = maxReadings
  }

  get isFull(): boolean {
    return this.list.length >= this.#maxReadings
  }

  addReading(
    title: string,
    artist: string | undefined,
    distance: Distance,
    isSwapped = false,
  ): void {
    const id = `${title}\n${artist ?? ''}`
    if (title.trim() === '' || this.isFull || this.#knownNames.has(id)) return
    this.#knownNames.add(id)
    const credit = artist === undefined ? undefined : creditOf(artist)
    this.list.push({ title: titleOf(title), credit, distance, isSwapped })
  }

  addSwapped(title: string, artist: string, distance: Distance): void {
    this.addReading(title, artist, distance.add('reading.swapped'), true)
  }

  /** `Artist - Title` and `Title - Artist`. */
  addSplitText(nameText: NameText): void {
    const distance = nameText.distance.add('reading.split')
    for (const [start, end] of splitsOf(nameText)) {
      this.addReading(end, start, distance)
      this.addSwapped(start, end, distance)
    }
    const [, title, artist] = /^(.+) by (.+)$/is.exec(nameText.text) ?? []
    if (title && artist) this.addSwapped(title, artist, distance)
  }
}

interface NameText {
  text: string
  distance: Distance
  /** Without spaces, as in many file names. */
  isTight: boolean
}

// It may be a part of the title: 99 Luftballons.
const BARE_NUMBER = /^\d{1,3} (?=\S)/

function textsOfName(songName: string): { texts: NameText[]; folders: readonly string[] } {
  const repairedName = singleSpaced(repairedText(songName))
  const { text: cleaned, folders } = cleanedName(repairedName)
  const extensionless = withoutExtension(repairedName)
  const numberless = withoutNumber(extensionless)
  const texts: NameText[] = [nameTextOf(repairedName, Distance.none)]
  const addText = (text: string, penalty: PenaltyName) => {
    const nameText = nameTextOf(text, Distance.of(penalty))
    if (!texts.some((knownText) => knownText.text === nameText.text)) texts.push(nameText)
  }
  addText(cleaned, 'reading.cleaned')
  addText(extensionless, 'reading.cleaned')
  if (numberless !== extensionless) addText(numberless, 'reading.cleaned')
  else if (BARE_NUMBER.test(cleaned))
    addText(cleaned.replace(BARE_NUMBER, ''), 'reading.bareNumber')
  return { texts, folders }
}

function nameTextOf(text: string, distance: Distance): NameText {
  return { text: spacedName(text), distance, isTight: !text.includes(' ') }
}

// Artist_Name-Title_of_the_Song
const TIGHT_SEPARATOR = / ?[-–—]+ ?/g
const NAME_SEPARATOR = / [-–—―‐|~]+ | ?[–—―] ?| [-–—―]+|(?<![-–—―])[-–—―]+ | ?: | :/g
const MAX_SPLITS = 3

function splitsOf({ text, isTight: tight }: NameText): [before: string, after: string][] {
  const pairs: [string, string][] = []
  const parts: string[] = []
  let end = 0
  for (const { index, 0: separator } of text.matchAll(tight ? TIGHT_SEPARATOR : NAME_SEPARATOR)) {
    const start = text.slice(0, index).trim()
    const laterText = text.slice(index + separator.length).trim()
    parts.push(text.slice(end, index).trim())
    end = index + separator.length
    if (start !== '' && laterText !== '' && pairs.length < MAX_SPLITS)
      pairs.push([start, laterText])
  }
  // Artist - Album - 06 - Title
  const [firstPart] = parts
  const lastPart = text.slice(end).trim()
  if (firstPart && lastPart && parts.length > 1) pairs.push([firstPart, lastPart])
  return pairs
}

function withoutArtist(text: NameText, credit: Credit): string[] {
  const isArtist = (name: string) =>
    creditDistance(creditOf(name), credit).sum <= MATCH_LIMITS.oneSong
  return splitsOf(text).flatMap(([start, end]) => [
    ...(isArtist(start) ? [end, withoutNumber(end)] : []),
    ...(isArtist(end) ? [start] : []),
  ])
}
