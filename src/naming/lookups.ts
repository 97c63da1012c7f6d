import type { ArtistMatchStore } from './artist-match-store.ts'
import type { Candidates } from './candidates.ts'
import { type Credit, creditDistance } from './credit.ts'
import { type Distance, MATCH_LIMITS } from './distance.ts'
import type { NameReading } from './name-readings.ts'
import { wordsOfKey } from './names.ts'
import {
  artistsInOtherScripts,
  artistsNamed,
  type CloseArtist,
  closeArtists,
} from './similar-names.ts'
import type { SongMatchStore } from './song-match-store.ts'
import { isForeign } from './spellings.ts'
import { type Title, titleOf } from './title.ts'
import { MAX_TITLE_SLIPS, titleDistance, titleSlips } from './title-distance.ts'
import type { Work } from './works.ts'

/** The most rows that one query reads. */
const ROW_LIMITS = {
  alike: 20,
  titled: 25,
  beginning: 20,
  artists: 6,
  transliterated: 16,
  /** Songs of an artist that are read, and that are compared in full. */
  songs: 500,
  compared: 6,
  /** Words and readings that are looked up; songs of rare and of common pairs. */
  words: 4,
  readings: 3,
  few: 120,
  many: 60,
  /** Rows that common pairs may go through. */
  postings: 8000,
} as const
/**
 * Finds the songs that names may mean: each method costs more, and finds more, than the one before.
 */
export class Lookups {
  readonly #songs: SongMatchStore
  readonly #artists: ArtistMatchStore
  readonly #artist: number | undefined
  readonly #candidates: Candidates
  readonly #artistsByCredit = new Map<Credit, ReadonlyMap<number, Distance>>()
  #pairSets: readonly PairSet[] | undefined

  constructor(
    songs: SongMatchStore,
    artists: ArtistMatchStore,
    candidates: Candidates,
    artist: number | undefined,
  ) {
    this.#songs = songs
    this.#artists = artists
    this.#candidates = candidates
    this.#artist = artist
  }

  addExact(readings: readonly NameReading[]): void {
    for (const { title, credit } of readings) {
      if (credit === undefined) continue
      this.#candidates.addSongs(this.#songs.byKeys(credit.key, title.whole.key, ROW_LIMITS.alike))
    }
  }

  /** First by artists with the name or a part of it, then by any artist. */
  addByKeys(readings: readonly NameReading[]): void {
    for (const { title, credit } of readings) {
      const { whole, core, base, isCut } = title
      const beginnings = new Set([isCut ? whole.key : core.key, `the ${core.key}`, base.key])
      for (const num of this.#numbersOf(credit)) {
        for (const key of beginnings) {
          this.#candidates.addSongs(this.#songs.beginningWith(num, key, ROW_LIMITS.beginning))
        }
      }
    }
    for (const { title } of readings) {
      for (const key of new Set([title.whole.key, title.core.key])) {
        this.#candidates.addSongs(this.#songs.titled(key, ROW_LIMITS.titled))
      }
    }
  }

  addByRareWords(readings: readonly NameReading[]): void {
    for (const { rarePairs } of this.#pairSetsOf(readings)) {
      this.#addSongs(this.#songs.withWords(rarePairs, ROW_LIMITS.few))
    }
  }

  addByWords(readings: readonly NameReading[]): void {
    for (const { commonPairs } of this.#pairSetsOf(readings)) {
      this.#addSongs(this.#songs.withWords(commonPairs, ROW_LIMITS.many))
    }
  }

  addOfArtists(readings: readonly NameReading[]): void {
    for (const { title, credit } of withoutSwapped(readings)) {
      for (const num of this.#numbersOf(credit)) this.#addSimilarTitles(num, title)
    }
  }

  /** Unless an artist has exactly the name. */
  addOfCloseArtists(readings: readonly NameReading[]): void {
    const triedCredits = new Set<string>()
    for (const { title, credit } of withoutSwapped(readings)) {
      if (credit === undefined || triedCredits.has(credit.key)) continue
      triedCredits.add(credit.key)
      const namedArtists = this.#artistsOf(credit)
      if ([...namedArtists.values()].some(({ sum }) => sum <= MATCH_LIMITS.exact)) continue
      const closeArtistList = closeArtists(this.#artists, credit, creditDistance, MATCH_LIMITS.rare)
      const distances = new Map(closeArtistList.map(({ num, distance }) => [num, distance]))
      this.#candidates.setArtists(credit, new Map([...distances, ...namedArtists]))
      for (const { num } of closeArtistList.slice(0, ROW_LIMITS.artists))
        this.#addSimilarTitles(num, title)
    }
  }

  addInOtherForms(readings: readonly NameReading[]): void {
    const artistsByCredit = new Map<string, CloseArtist[]>()
    for (const { title, credit } of withoutSwapped(readings)) {
      for (const num of this.#numbersOf(credit)) this.#addTranslatedTitles(num, title)
      if (credit === undefined) continue
      if (title.work)
        this.#addSongs(this.#songs.withWords(workPairs(title.work, credit), ROW_LIMITS.many))
      const artists =
        artistsByCredit.get(credit.key) ?? artistsInOtherScripts(this.#artists, credit)
      artistsByCredit.set(credit.key, artists)
      for (const { num } of artists.slice(0, ROW_LIMITS.transliterated)) {
        this.#addSimilarTitles(num, title)
        this.#addTranslatedTitles(num, title)
      }
    }
  }

  #pairSetsOf(readings: readonly NameReading[]): readonly PairSet[] {
    if (this.#pairSets) return this.#pairSets
    this.#songs.words.dropStale()
    const setsByWords = new Map<string, PairSet>()
    for (const reading of readings) {
      if (setsByWords.size >= ROW_LIMITS.readings) break
      const words = rarestWords(wordsOfReading(reading), this.#songs.words)
      const id = words.map(({ word }) => word).join(' ')
      if (!setsByWords.has(id)) setsByWords.set(id, pairSetOf(words))
    }
    this.#pairSets = [...setsByWords.values()]
    return this.#pairSets
  }

  #artistsOf(credit: Credit): ReadonlyMap<number, Distance> {
    let artists = this.#artistsByCredit.get(credit)
    if (!artists) {
      artists = artistsNamed(this.#artists, credit)
      this.#artistsByCredit.set(credit, artists)
      this.#candidates.setArtists(credit, artists)
    }
    return artists
  }

  #numbersOf(credit: Credit | undefined): number[] {
    const artists = credit === undefined ? [] : [...this.#artistsOf(credit).keys()]
    if (this.#artist !== undefined) artists.unshift(this.#artist)
    return artists.slice(0, ROW_LIMITS.artists)
  }

  #addSimilarTitles(artist: number, { core }: Title): void {
    const similarSongs = this.#songs
      .ofArtist(artist, ROW_LIMITS.songs)
      .map(({ num, titleKey }) => ({ num, count: titleSlips(core, titleKey) }))
      .filter(({ count }) => count <= MAX_TITLE_SLIPS)
      .sort((a, b) => a.count - b.count)
    this.#addSongs(similarSongs.slice(0, ROW_LIMITS.compared).map(({ num }) => num))
  }

  #addTranslatedTitles(artist: number, title: Title): void {
    const isForeignTitle = isForeign(title.whole.key)
    const similarSongs = this.#songs
      .ofArtist(artist, ROW_LIMITS.songs)
      .filter(({ titleKey }) => title.work !== undefined || isForeign(titleKey) !== isForeignTitle)
      .map((song) => ({ num: song.num, distance: titleDistance(title, titleOf(song.title)) }))
      .filter(({ distance }) => !distance.isOther)
      .sort((a, b) => a.distance.sum - b.distance.sum)
    this.#addSongs(similarSongs.slice(0, ROW_LIMITS.compared).map(({ num }) => num))
  }

  #addSongs(nums: readonly number[]): void {
    for (const num of nums) {
      if (this.#candidates.hasSong(num)) continue
      const song = this.#songs.byNum(num)
      if (song) this.#candidates.addSongs([song])
    }
  }
}

/** A number with a family name: titles in all languages have them. */
function workPairs({ lists, numbers, words }: Work, { parts }: Credit): string[][] {
  const listNumbers = [...lists].flatMap(([list, number]) => [number, list + number])
  const names = [
    ...parts.flatMap((performer) => wordsOfKey(performer).slice(-1)),
    ...[...words].slice(0, 2),
  ]
  return [...listNumbers, ...(lists.size === 0 ? numbers : [])]
    .filter((number) => /^\w+$/.test(number))
    .flatMap((number) => names.map((name) => [number, name]))
}

/** Names in exchanged fields are rarely misspelt too. */
function withoutSwapped(readings: readonly NameReading[]): NameReading[] {
  return readings.filter(({ isSwapped }) => !isSwapped)
}

function wordsOfReading({ title, credit }: NameReading): Set<string> {
  return new Set([...wordsOfKey(title.core.key), ...(credit ? wordsOfKey(credit.key) : [])])
}

interface CountedWord {
  word: string
  count: number
}

function rarestWords(words: Iterable<string>, counts: { of(word: string): number }): CountedWord[] {
  return [...words]
    .map((word) => ({ word, count: counts.of(word) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count)
    .slice(0, ROW_LIMITS.words)
}

/** Pairs of words that few songs have, and the others. */
interface PairSet {
  rarePairs: string[][]
  commonPairs: string[][]
}

/** Only the first songs of a common pair are read. */
function pairSetOf(words: readonly CountedWord[]): PairSet {
  const pairs = words.flatMap((rarerWord, i) =>
    words
      .slice(i + 1)
      .map((otherWord) => ({ words: [rarerWord.word, otherWord.word], most: rarerWord.count })),
  )
  const [onlyWord] = words
  if (onlyWord && words.length === 1) pairs.push({ words: [onlyWord.word], most: onlyWord.count })
  const rarePairs: string[][] = []
  const commonPairs: string[][] = []
  let postings = 0
  for (const pair of pairs.sort((a, b) => a.most - b.most)) {
    postings += pair.most
    if (postings <= ROW_LIMITS.few) rarePairs.push(pair.words)
    else if (postings <= ROW_LIMITS.postings && pair.words.length > 1) commonPairs.push(pair.words)
  }
  return { rarePairs, commonPairs }
}
