import { type Credit, creditLikeness } from '../artist/credit.ts'
import type { ArtistMatchStore } from '../artist/match-store.ts'
import { wordsOf } from '../artist/name-words.ts'
import { artistsNamed, closeArtists } from '../artist/similar-names.ts'
import type { Candidates } from './candidates.ts'
import type { SongMatchStore } from './match-store.ts'
import type { Reading } from './name-readings.ts'
import { MOST_SLIPS, slipsIn, type Title } from './title.ts'

/** What bounds the work: so many of each are looked at, at most. */
const MOST = {
  /** Songs of one title and artist by their keys. */
  alike: 20,
  /** Songs of one title, by anyone. */
  titled: 25,
  /** Songs of an artist whose titles begin so. */
  beginning: 20,
  /** Artists of a name, and artists of a name that is close. */
  artists: 6,
  /** Songs of an artist, and those of them that are compared in full. */
  songs: 500,
  compared: 6,
  /** Words of a reading, readings whose words are looked up, and songs of their pairs. */
  words: 4,
  readings: 3,
  few: 120,
  many: 60,
  /** Postings that pairs of common words may go through. */
  postings: 8000,
} as const
/** From this likeness on the songs of an artist are looked through. */
const CLOSE = 0.6
/** An artist known so surely is not looked for under other names. */
const KNOWN = 0.99

/** Finds the songs that names may mean, in steps each of which costs more and finds more. */
export class Lookups {
  readonly #songs: SongMatchStore
  readonly #artists: ArtistMatchStore
  readonly #artist: number | undefined
  readonly #candidates: Candidates
  readonly #named = new Map<Credit, ReadonlyMap<number, number>>()
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

  /** The songs whose title and artist have these very keys. */
  exact(readings: readonly Reading[]): void {
    for (const { title, credit } of readings) {
      if (credit === undefined) continue
      this.#candidates.add(this.#songs.byKeys(credit.key, title.whole.key, MOST.alike))
    }
  }

  /** The songs of that title, with or without additions, by artists of that name or of one in it. */
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

  /** Songs that share two of the rarest words with a reading, of title or artist: all of them. */
  byRareWords(readings: readonly Reading[]): void {
    for (const { few } of this.#pairsOf(readings)) {
      this.#take(this.#songs.withWords(few, MOST.few))
    }
  }

  /** The same of pairs that many songs may have: some of them. */
  byWords(readings: readonly Reading[]): void {
    for (const { many } of this.#pairsOf(readings)) {
      this.#take(this.#songs.withWords(many, MOST.many))
    }
  }

  /** The songs of the artists who are named, if their titles are close. */
  ofArtists(readings: readonly Reading[]): void {
    for (const { title, credit } of straight(readings)) {
      for (const num of this.#numbersOf(credit)) this.#ofArtist(num, title)
    }
  }

  /** The songs of artists whose names are close, if their titles are; unless the name is known. */
  ofCloseArtists(readings: readonly Reading[]): void {
    const tried = new Set<string>()
    for (const { title, credit } of straight(readings)) {
      if (credit === undefined || tried.has(credit.key)) continue
      tried.add(credit.key)
      const named = this.#namedIn(credit)
      if ([...named.values()].some((sure) => sure >= KNOWN)) continue
      const close = closeArtists(this.#artists, credit, creditLikeness, CLOSE)
      const likeness = new Map(close.map((one) => [one.num, one.likeness]))
      this.#candidates.name(credit, new Map([...likeness, ...named]))
      for (const { num } of close.slice(0, MOST.artists)) this.#ofArtist(num, title)
    }
  }

  #pairsOf(readings: readonly Reading[]): readonly Pairs[] {
    if (this.#pairs) return this.#pairs
    this.#songs.words.refresh()
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

  #namedIn(credit: Credit): ReadonlyMap<number, number> {
    let named = this.#named.get(credit)
    if (!named) {
      named = artistsNamed(this.#artists, credit)
      this.#named.set(credit, named)
      this.#candidates.name(credit, named)
    }
    return named
  }

  /** The numbers of the artists who may be the one that is asked for. */
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

  #take(nums: readonly number[]): void {
    for (const num of nums) {
      if (this.#candidates.has(num)) continue
      const song = this.#songs.byNum(num)
      if (song) this.#candidates.add([song])
    }
  }
}

/** Fields are not both exchanged and misspelt. */
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

/** The rarest of the words that are known at all: a misspelt one falls out by itself. */
function rarest(words: Iterable<string>, counts: { of(word: string): number }): Counted[] {
  return [...words]
    .map((word) => ({ word, count: counts.of(word) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count)
    .slice(0, MOST.words)
}

/** Pairs of words that few songs have, and those that many may have. */
interface Pairs {
  few: string[][]
  many: string[][]
}

/**
 * All pairs of words, those that cannot be in more than a few songs apart: of the others only so
 * many songs are looked at as came first, lest common words take all the time.
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
