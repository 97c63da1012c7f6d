import type { ArtistMatchStore } from './artist-match-store.ts'
import type { Candidates } from './candidates.ts'
import { type Credit, creditDistance } from './credit.ts'
import { type Distance, LIMITS } from './distance.ts'
import type { Reading } from './name-readings.ts'
import { wordsOf } from './names.ts'
import {
  artistsInOtherScripts,
  artistsNamed,
  type CloseArtist,
  closeArtists,
} from './similar-names.ts'
import type { SongMatchStore } from './song-match-store.ts'
import { isForeign } from './spellings.ts'
import { type Title, titleOf } from './title.ts'
import { MOST_SLIPS, slipsIn, titleDistance } from './title-distance.ts'
import type { Work } from './works.ts'

/** The most rows of each kind that one query reads: they limit its work. */
const MOST = {
  /** Songs with exactly the keys of title and artist. */
  alike: 20,
  titled: 25,
  /** Songs of an artist whose titles begin with a text. */
  beginning: 20,
  /** Artists with a name, and artists with a similar name. */
  artists: 6,
  /** Artists whose names sound alike in another script. */
  transliterated: 16,
  /** Songs of an artist that are read, and how many of them are compared in full. */
  songs: 500,
  compared: 6,
  /** Words of a reading; readings whose words are looked up; songs of rare and of common pairs. */
  words: 4,
  readings: 3,
  few: 120,
  many: 60,
  /** Postings that pairs of common words may go through. */
  postings: 8000,
} as const
/**
 * Finds the songs that names may mean. Each method costs more, and finds more, than the one before.
 */
export class Lookups {
  readonly #songs: SongMatchStore
  readonly #artists: ArtistMatchStore
  readonly #artist: number | undefined
  readonly #candidates: Candidates
  readonly #named = new Map<Credit, ReadonlyMap<number, Distance>>()
  #pairs: readonly Pairs[] | undefined

  /** @param artist - the number of the artist, where it is known */
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

  exact(readings: readonly Reading[]): void {
    for (const { title, credit } of readings) {
      if (credit === undefined) continue
      this.#candidates.add(this.#songs.byKeys(credit.key, title.whole.key, MOST.alike))
    }
  }

  /**
   * Songs with the title, with or without additions, by artists with the name or a part of it; then
   * songs with the title by any artist.
   */
  byKeys(readings: readonly Reading[]): void {
    for (const { title, credit } of readings) {
      const { whole, core, base, cut } = title
      const beginnings = new Set([cut ? whole.key : core.key, `the ${core.key}`, base.key])
      for (const num of this.#numbersOf(credit)) {
        for (const key of beginnings) {
          this.#candidates.add(this.#songs.beginningWith(num, key, MOST.beginning))
        }
      }
    }
    for (const { title } of readings) {
      for (const key of new Set([title.whole.key, title.core.key])) {
        this.#candidates.add(this.#songs.titled(key, MOST.titled))
      }
    }
  }

  byRareWords(readings: readonly Reading[]): void {
    for (const { few } of this.#pairsOf(readings)) {
      this.#take(this.#songs.withWords(few, MOST.few))
    }
  }

  byWords(readings: readonly Reading[]): void {
    for (const { many } of this.#pairsOf(readings)) {
      this.#take(this.#songs.withWords(many, MOST.many))
    }
  }

  /** Songs with similar titles by the named artists. */
  ofArtists(readings: readonly Reading[]): void {
    for (const { title, credit } of straight(readings)) {
      for (const num of this.#numbersOf(credit)) this.#ofArtist(num, title)
    }
  }

  /** Songs with similar titles by artists with similar names, unless the name is known. */
  ofCloseArtists(readings: readonly Reading[]): void {
    const tried = new Set<string>()
    for (const { title, credit } of straight(readings)) {
      if (credit === undefined || tried.has(credit.key)) continue
      tried.add(credit.key)
      const named = this.#namedIn(credit)
      if ([...named.values()].some(({ sum }) => sum <= LIMITS.exact)) continue
      const close = closeArtists(this.#artists, credit, creditDistance, LIMITS.rare)
      const similar = new Map(close.map(({ num, distance }) => [num, distance]))
      this.#candidates.name(credit, new Map([...similar, ...named]))
      for (const { num } of close.slice(0, MOST.artists)) this.#ofArtist(num, title)
    }
  }

  /** Songs whose title, or whose artist, is written in another script or language. */
  inOtherForms(readings: readonly Reading[]): void {
    const close = new Map<string, CloseArtist[]>()
    for (const { title, credit } of straight(readings)) {
      for (const num of this.#numbersOf(credit)) this.#inOtherForm(num, title)
      if (credit === undefined) continue
      if (title.work) this.#take(this.#songs.withWords(pairsOfWork(title.work, credit), MOST.many))
      const artists = close.get(credit.key) ?? artistsInOtherScripts(this.#artists, credit)
      close.set(credit.key, artists)
      for (const { num } of artists.slice(0, MOST.transliterated)) {
        this.#ofArtist(num, title)
        this.#inOtherForm(num, title)
      }
    }
  }

  #pairsOf(readings: readonly Reading[]): readonly Pairs[] {
    if (this.#pairs) return this.#pairs
    this.#songs.words.dropStale()
    const sets = new Map<string, Pairs>()
    for (const reading of readings) {
      if (sets.size >= MOST.readings) break
      const words = rarest(wordsIn(reading), this.#songs.words)
      const id = words.map(({ word }) => word).join(' ')
      if (!sets.has(id)) sets.set(id, pairsOf(words))
    }
    this.#pairs = [...sets.values()]
    return this.#pairs
  }

  #namedIn(credit: Credit): ReadonlyMap<number, Distance> {
    let named = this.#named.get(credit)
    if (!named) {
      named = artistsNamed(this.#artists, credit)
      this.#named.set(credit, named)
      this.#candidates.name(credit, named)
    }
    return named
  }

  #numbersOf(credit: Credit | undefined): number[] {
    const named = credit === undefined ? [] : [...this.#namedIn(credit).keys()]
    if (this.#artist !== undefined) named.unshift(this.#artist)
    return named.slice(0, MOST.artists)
  }

  #ofArtist(artist: number, { core }: Title): void {
    const close = this.#songs
      .ofArtist(artist, MOST.songs)
      .map(({ num, titleKey }) => ({ num, count: slipsIn(core, titleKey) }))
      .filter(({ count }) => count <= MOST_SLIPS)
      .sort((a, b) => a.count - b.count)
    this.#take(close.slice(0, MOST.compared).map(({ num }) => num))
  }

  #inOtherForm(artist: number, title: Title): void {
    const foreign = isForeign(title.whole.key)
    const close = this.#songs
      .ofArtist(artist, MOST.songs)
      .filter(({ titleKey }) => title.work !== undefined || isForeign(titleKey) !== foreign)
      .map((song) => ({ num: song.num, distance: titleDistance(title, titleOf(song.title)) }))
      .filter(({ distance }) => !distance.isOther)
      .sort((a, b) => a.distance.sum - b.distance.sum)
    this.#take(close.slice(0, MOST.compared).map(({ num }) => num))
  }

  #take(nums: readonly number[]): void {
    for (const num of nums) {
      if (this.#candidates.has(num)) continue
      const song = this.#songs.byNum(num)
      if (song) this.#candidates.add([song])
    }
  }
}

/** A number of a work with a family name: what titles in all languages have. */
function pairsOfWork({ lists, numbers, words }: Work, { parts }: Credit): string[][] {
  const listed = [...lists].flatMap(([list, number]) => [number, list + number])
  const names = [...parts.flatMap((part) => wordsOf(part).slice(-1)), ...[...words].slice(0, 2)]
  return [...listed, ...(lists.size === 0 ? numbers : [])]
    .filter((number) => /^\w+$/.test(number))
    .flatMap((number) => names.map((name) => [number, name]))
}

/** Readings without exchanged fields: names in exchanged fields are rarely misspelt too. */
function straight(readings: readonly Reading[]): Reading[] {
  return readings.filter(({ swapped }) => !swapped)
}

function wordsIn({ title, credit }: Reading): Set<string> {
  return new Set([...wordsOf(title.core.key), ...(credit ? wordsOf(credit.key) : [])])
}

interface Counted {
  word: string
  count: number
}

function rarest(words: Iterable<string>, counts: { of(word: string): number }): Counted[] {
  return [...words]
    .map((word) => ({ word, count: counts.of(word) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count)
    .slice(0, MOST.words)
}

/** Pairs of words: those that at most few songs have, and the others. */
interface Pairs {
  few: string[][]
  many: string[][]
}

/**
 * Divides all pairs of words into rare and common ones. Only the first songs of a common pair are
 * read, to limit the time.
 */
function pairsOf(words: readonly Counted[]): Pairs {
  const pairs = words.flatMap((rarer, i) =>
    words.slice(i + 1).map((other) => ({ words: [rarer.word, other.word], most: rarer.count })),
  )
  const [only] = words
  if (only && words.length === 1) pairs.push({ words: [only.word], most: only.count })
  const few: string[][] = []
  const many: string[][] = []
  let sum = 0
  for (const pair of pairs.sort((a, b) => a.most - b.most)) {
    sum += pair.most
    if (sum <= MOST.few) few.push(pair.words)
    else if (sum <= MOST.postings && pair.words.length > 1) many.push(pair.words)
  }
  return { few, many }
}
