import { type Credit, creditLikeness, creditOf } from './credit.ts'
import { isRich, type Reading } from './name-readings.ts'
import { nameKey } from './names.ts'
import type { NamedSong } from './song-match-store.ts'
import { MOST_SLIPS, type Part, slipsIn, type Title, titleLikeness, titleOf } from './title.ts'

/** Evidence other than names. */
export interface Evidence {
  /** The number of its artist. */
  artist: number | undefined
  /** Seconds. */
  duration: number | undefined
  release: string | undefined
}

/** A song, and how likely it is the wanted one. */
export interface Candidate {
  song: NamedSong
  /** 0…1, from names and other evidence. */
  score: number
  /** Likeness of title and of artist in the likeliest reading, 0…1. */
  title: number
  artist: number
}

/**
 * Recordings of one song may differ by this many seconds. From there to {@link FAR} the score
 * falls.
 */
const GRACE = 10
const FAR = 30
/** The factor for a length that differs by {@link FAR} seconds or more. */
const OTHER_LENGTH = 0.85
/** Lengths that differ by more than this share of the longer one are of different recordings. */
const PIECE = 0.5
/** What the same release adds to the score. */
const SAME_RELEASE = 0.01
/** Likeness of the artist when the query has none and the title is rare. */
const NOBODY = 0.8
/** Likeness of the artist when one field holds both names without a separator. */
const ONE_FIELD = 0.95

const NOT_IT = { score: 0, title: 0, artist: 0 } as const

/** The songs that a query may mean, each with its best score over all readings. */
export class Candidates {
  readonly #readings: readonly Reading[]
  readonly #evidence: Evidence
  readonly #release: string | undefined
  readonly #titles: readonly Part[]
  readonly #words: ReadonlySet<string>
  readonly #songs = new Map<number, Candidate>()
  readonly #named = new Map<Credit, ReadonlyMap<number, number>>()

  constructor(readings: readonly Reading[], evidence: Evidence) {
    this.#readings = readings
    this.#evidence = evidence
    this.#release = evidence.release === undefined ? undefined : nameKey(evidence.release)
    const parts = readings.flatMap(({ title }) => [title.whole, title.core, title.base])
    this.#titles = [...new Map(parts.map((part) => [part.squashed, part])).values()]
    this.#words = new Set(readings.flatMap(({ title }) => title.whole.words))
  }

  has(num: number): boolean {
    return this.#songs.has(num)
  }

  /**
   * Sets which artists a credit may name, and how likely each is, for songs that are added later:
   * artists may have other names than the one that songs show.
   */
  name(credit: Credit, artists: ReadonlyMap<number, number>): void {
    this.#named.set(credit, artists)
  }

  add(songs: Iterable<NamedSong>): void {
    for (const song of songs) {
      if (!this.#songs.has(song.num)) this.#songs.set(song.num, this.#weigh(song))
    }
  }

  /**
   * All candidates, the likeliest first; among equals the closest in length, then imported ones,
   * then the oldest.
   */
  ranked(): Candidate[] {
    return [...this.#songs.values()].sort(
      (a, b) =>
        b.score - a.score ||
        this.#apart(a.song) - this.#apart(b.song) ||
        Number(b.song.imported > 0) - Number(a.song.imported > 0) ||
        a.song.num - b.song.num,
    )
  }

  #weigh(song: NamedSong): Candidate {
    const names = this.#byNames(song)
    let score = names.score * this.#byLength(song)
    if (score > 0 && this.#release !== undefined && song.release !== null) {
      if (nameKey(song.release) === this.#release) score = Math.min(1, score + SAME_RELEASE)
    }
    return { ...names, song, score }
  }

  #byLength(song: NamedSong): number {
    const apart = this.#apart(song)
    if (apart > FAR && apart > PIECE * Math.max(song.duration ?? 0, this.#evidence.duration ?? 0)) {
      return 0
    }
    return 1 - Math.min(Math.max(apart - GRACE, 0) / (FAR - GRACE), 1) * (1 - OTHER_LENGTH)
  }

  /** The difference from the wanted length, seconds. */
  #apart({ duration }: NamedSong): number {
    const { duration: asked } = this.#evidence
    if (asked === undefined) return 0
    return duration === null ? GRACE : Math.abs(duration - asked)
  }

  #byNames(song: NamedSong): { score: number; title: number; artist: number } {
    if (!this.#mayBe(song)) return NOT_IT
    const title = titleOf(song.title)
    const credit = creditOf(song.credit ?? song.artistName ?? '')
    let best = { score: 0, title: 0, artist: 0 }
    for (const reading of this.#readings) {
      const alike = this.#asRead(reading, song, title, credit)
      const score = alike.title * alike.artist - reading.cost
      if (score > best.score) best = { score, ...alike }
    }
    return best
  }

  /** Whether a title is similar enough to be analysed. Most titles of an artist are not. */
  #mayBe({ titleKey }: NamedSong): boolean {
    return (
      titleKey.split(' ').some((word) => this.#words.has(word)) ||
      this.#titles.some((asked) => slipsIn(asked, titleKey) <= MOST_SLIPS)
    )
  }

  #asRead(
    reading: Reading,
    song: NamedSong,
    title: Title,
    credit: Credit,
  ): { title: number; artist: number } {
    const alike = titleLikeness(reading.title, title)
    if (this.#evidence.artist !== undefined && song.artist === this.#evidence.artist) {
      return { title: alike, artist: 1 }
    }
    if (reading.credit === undefined) {
      if (inOneField(reading.title, title, credit)) return { title: 1, artist: ONE_FIELD }
      return { title: alike, artist: alike === 1 && isRich(reading.title) ? NOBODY : 0 }
    }
    return { title: alike, artist: alike === 0 ? 0 : this.#artist(reading.credit, song, credit) }
  }

  #artist(asked: Credit, song: NamedSong, credit: Credit): number {
    let alike = creditLikeness(asked, credit)
    if (alike < 1 && song.credit !== null && song.artistName !== null) {
      alike = Math.max(alike, creditLikeness(asked, creditOf(song.artistName)))
    }
    if (alike < 1 && song.artist !== null) {
      alike = Math.max(alike, this.#named.get(asked)?.get(song.artist) ?? 0)
    }
    return alike
  }
}

function inOneField({ core: both }: Title, title: Title, credit: Credit): boolean {
  return [title.whole.squashed, title.core.squashed].some(
    (one) => both.squashed === credit.squashed + one || both.squashed === one + credit.squashed,
  )
}

/** The least likeness of titles, and of artists, of songs that are one. */
const ONE_SONG = 0.9

/** Whether two songs have the same names: duplicates, or recordings of one song. */
export function isOneSong(a: NamedSong, b: NamedSong): boolean {
  const credit = (song: NamedSong) => creditOf(song.credit ?? song.artistName ?? '')
  return (
    titleLikeness(titleOf(a.title), titleOf(b.title)) >= ONE_SONG &&
    creditLikeness(credit(a), credit(b)) >= ONE_SONG
  )
}
