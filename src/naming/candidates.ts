import { type Lengths, lengthsApart, lengthsOf, shorterShare } from '../recognition/evidence.ts'
import { LENGTH_TOLERANCES } from '../recognition/verdict.ts'
import { type Credit, creditDistance, creditOf, performerDistance } from './credit.ts'
import { Distance, LIMITS } from './distance.ts'
import { isRich, type Reading } from './name-readings.ts'
import { nameKey } from './names.ts'
import { creditIn, type NamedSong } from './song-match-store.ts'
import { isForeign } from './spellings.ts'
import { type Part, type Title, titleOf } from './title.ts'
import { MOST_SLIPS, slipsIn, titleDistance } from './title-distance.ts'

export interface Evidence {
  artist: number | undefined
  duration: number | undefined
  release: string | undefined
  /** Whether a song may be a candidate. Default: each may. */
  isWanted?: ((song: NamedSong) => boolean) | undefined
}

export interface Candidate {
  song: NamedSong
  /** The distance by names and other evidence, in the nearest reading. */
  distance: Distance
  title: Distance
}

const OTHER_TITLE = Distance.of('title.other')
const NOT_IT = { distance: OTHER_TITLE, title: OTHER_TITLE } as const

export class Candidates {
  readonly #readings: readonly Reading[]
  readonly #evidence: Evidence
  readonly #release: string | undefined
  #titles: readonly Part[] | undefined
  readonly #words: ReadonlySet<string>
  /** Whether titles are in another script than the Latin one, in any of the readings. */
  readonly #foreign: ReadonlySet<boolean>
  readonly #songs = new Map<number, Candidate>()
  readonly #named = new Map<Credit, ReadonlyMap<number, Distance>>()

  constructor(readings: readonly Reading[], evidence: Evidence) {
    this.#readings = readings
    this.#evidence = evidence
    this.#release = evidence.release === undefined ? undefined : nameKey(evidence.release)
    this.#foreign = new Set(readings.map(({ title }) => isForeign(title.whole.key)))
    this.#words = new Set(readings.flatMap(({ title }) => title.whole.words))
  }

  has(num: number): boolean {
    return this.#songs.has(num)
  }

  /**
   * Sets the artists that a credit may mean, with their distances, for songs that are added later.
   * An artist may have more names than the one that a song shows.
   */
  name(credit: Credit, artists: ReadonlyMap<number, Distance>): void {
    this.#named.set(credit, artists)
  }

  add(songs: Iterable<NamedSong>): void {
    for (const song of songs) {
      if (this.#songs.has(song.num) || this.#evidence.isWanted?.(song) === false) continue
      this.#songs.set(song.num, this.#weigh(song))
    }
  }

  /**
   * All candidates, the nearest first. Ties are ordered by the closest length, then imported songs
   * first, then the oldest first.
   */
  ranked(): Candidate[] {
    return [...this.#songs.values()].sort(
      (a, b) =>
        a.distance.sum - b.distance.sum ||
        this.#apart(a.song) - this.#apart(b.song) ||
        Number(b.song.imported > 0) - Number(a.song.imported > 0) ||
        a.song.num - b.song.num,
    )
  }

  #weigh(song: NamedSong): Candidate {
    const { distance, title } = this.#byNames(song)
    if (distance.isOther) return { song, distance, title }
    return { song, title, distance: this.#byRelease(song, this.#byLength(song, distance)) }
  }

  #byRelease({ release }: NamedSong, distance: Distance): Distance {
    const other = this.#release !== undefined && nameKey(release ?? '') !== this.#release
    return other ? distance.add('song.release') : distance
  }

  #byLength({ duration }: NamedSong, distance: Distance): Distance {
    const penalty = lengthPenalty(lengthsOf(this.#evidence.duration, duration))
    return Number.isFinite(penalty)
      ? distance.add('song.length', penalty)
      : distance.add('song.otherLength')
  }

  /** Seconds of difference from the wanted length; `APART.masterings` if the length is unknown. */
  #apart({ duration }: NamedSong): number {
    const { duration: asked } = this.#evidence
    if (asked === undefined) return 0
    return lengthsApart(lengthsOf(asked, duration)) ?? LENGTH_TOLERANCES.masterings
  }

  #byNames(song: NamedSong): { distance: Distance; title: Distance } {
    if (!this.#mayBe(song)) return NOT_IT
    const title = titleOf(song.title)
    const credit = creditOf(creditIn(song))
    let best: { distance: Distance; title: Distance } | undefined
    for (const reading of this.#readings) {
      const read = this.#asRead(reading, song, title, credit)
      if (!best || read.distance.sum < best.distance.sum) best = read
    }
    return best ?? NOT_IT
  }

  /** Whether a title is similar enough to be analysed. Most titles of an artist are not. */
  #mayBe({ titleKey }: NamedSong): boolean {
    if (titleKey.split(' ').some((word) => this.#words.has(word))) return true
    if (this.#foreign.has(!isForeign(titleKey))) return true
    this.#titles ??= differentIn(
      this.#readings.flatMap(({ title }) => [title.whole, title.core, title.base]),
    )
    return this.#titles.some((asked) => slipsIn(asked, titleKey) <= MOST_SLIPS)
  }

  #asRead(
    reading: Reading,
    song: NamedSong,
    known: Title,
    credit: Credit,
  ): { distance: Distance; title: Distance } {
    const title = titleDistance(reading.title, known)
    const distance = reading.distance.plus(title)
    if (this.#evidence.artist !== undefined && song.artist === this.#evidence.artist) {
      return { title, distance }
    }
    if (reading.credit === undefined) {
      if (inOneField(reading.title, known, credit)) {
        return { title: Distance.none, distance: reading.distance.add('reading.unseparated') }
      }
      const rare = title.sum === 0 && isRich(reading.title)
      return { title, distance: distance.add(rare ? 'artist.missing' : 'artist.other') }
    }
    if (title.isOther) return { title, distance }
    let artist = this.#artist(reading.credit, song, credit)
    if (reading.title.work || known.work) {
      artist = artist.or(performerDistance(reading.credit, credit) ?? artist)
    }
    return { title, distance: distance.plus(artist) }
  }

  #artist(asked: Credit, song: NamedSong, credit: Credit): Distance {
    let distance = creditDistance(asked, credit)
    if (distance.sum > 0 && song.credit !== null && song.artistName !== null) {
      distance = distance.or(creditDistance(asked, creditOf(song.artistName)))
    }
    const named = song.artist === null ? undefined : this.#named.get(asked)?.get(song.artist)
    return named ? distance.or(named) : distance
  }
}

function differentIn(parts: readonly Part[]): readonly Part[] {
  return [...new Map(parts.map((part) => [part.squashed, part])).values()]
}

function inOneField({ core: both, kinds }: Title, title: Title, credit: Credit): boolean {
  if (kinds !== title.kinds) return false
  return [title.whole.squashed, title.core.squashed].some(
    (one) => both.squashed === credit.squashed + one || both.squashed === one + credit.squashed,
  )
}

/** Whether two songs have the same names: duplicates, or recordings of one song. */
export function isOneSong(a: NamedSong, b: NamedSong): boolean {
  const credit = (song: NamedSong) => creditOf(creditIn(song))
  return (
    titleDistance(titleOf(a.title), titleOf(b.title)).sum <= LIMITS.oneSong &&
    creditDistance(credit(a), credit(b)).sum <= LIMITS.oneSong
  )
}

/** Songs of one name are different recordings if one is shorter than this share of the other. */
const HALF = 0.5

/**
 * How much the lengths of two songs of one name speak against one recording: 0 up to a difference
 * of `APART.masterings`, 1 from `APART.versions` on, infinity for different recordings. The penalty
 * of an unknown length is 0.
 */
export function lengthPenalty(lengths: Lengths): number {
  const apart = lengthsApart(lengths) ?? 0
  const { masterings, versions } = LENGTH_TOLERANCES
  if (apart > versions && shorterShare(lengths) < HALF) return Number.POSITIVE_INFINITY
  return Math.min(1, Math.max(0, apart - masterings) / (versions - masterings))
}
