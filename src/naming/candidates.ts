import { type Lengths, lengthsApart, lengthsOf, shorterShare } from '../recognition/evidence.ts'
import { LENGTH_TOLERANCES } from '../recognition/verdict.ts'
import { type Credit, creditDistance, creditOf, performerDistance } from './credit.ts'
import { Distance, MATCH_LIMITS } from './distance.ts'
import { isRich, type NameReading } from './name-readings.ts'
import { nameKey } from './names.ts'
import { creditIn, type NamedSong } from './song-match-store.ts'
import { isForeign } from './spellings.ts'
import { type Title, type TitlePart, titleOf } from './title.ts'
import { MAX_TITLE_SLIPS, titleDistance, titleSlips } from './title-distance.ts'

export interface CandidateEvidence {
  artist: number | undefined
  duration: number | undefined
  release: string | undefined
  /** Whether a song may be a candidate. Default: each may. */
  isWanted?: ((song: NamedSong) => boolean) | undefined
}

export interface MatchCandidate {
  song: NamedSong
  /** In the nearest reading. */
  distance: Distance
  title: Distance
}

const OTHER_TITLE = Distance.of('title.other')
const NOT_IT = { distance: OTHER_TITLE, title: OTHER_TITLE } as const

export class Candidates {
  readonly #readings: readonly NameReading[]
  readonly #evidence: CandidateEvidence
  readonly #release: string | undefined
  #titles: readonly TitlePart[] | undefined
  readonly #words: ReadonlySet<string>
  /** Whether titles are in another script than the Latin one. */
  readonly #foreign: ReadonlySet<boolean>
  readonly #songs = new Map<number, MatchCandidate>()
  readonly #artistsByCredit = new Map<Credit, ReadonlyMap<number, Distance>>()

  constructor(readings: readonly NameReading[], evidence: CandidateEvidence) {
    this.#readings = readings
    this.#evidence = evidence
    this.#release = evidence.release === undefined ? undefined : nameKey(evidence.release)
    this.#foreign = new Set(readings.map(({ title }) => isForeign(title.whole.key)))
    this.#words = new Set(readings.flatMap(({ title }) => title.whole.words))
  }

  hasSong(num: number): boolean {
    return this.#songs.has(num)
  }

  /** Sets the artists that a credit may mean: an artist may have more names than a song shows. */
  setArtists(credit: Credit, artists: ReadonlyMap<number, Distance>): void {
    this.#artistsByCredit.set(credit, artists)
  }

  addSongs(songs: Iterable<NamedSong>): void {
    for (const song of songs) {
      if (this.#songs.has(song.num) || this.#evidence.isWanted?.(song) === false) continue
      this.#songs.set(song.num, this.#candidateOf(song))
    }
  }

  /** The nearest first; ties by the closest length, then imported songs, then the oldest. */
  rankedSongs(): MatchCandidate[] {
    return [...this.#songs.values()].sort(
      (a, b) =>
        a.distance.sum - b.distance.sum ||
        this.#lengthDifference(a.song) - this.#lengthDifference(b.song) ||
        Number(b.song.imported > 0) - Number(a.song.imported > 0) ||
        a.song.num - b.song.num,
    )
  }

  #candidateOf(song: NamedSong): MatchCandidate {
    const { distance, title } = this.#nearestReading(song)
    if (distance.isOther) return { song, distance, title }
    return { song, title, distance: this.#withRelease(song, this.#withLength(song, distance)) }
  }

  #withRelease({ release }: NamedSong, distance: Distance): Distance {
    const isOtherRelease = this.#release !== undefined && nameKey(release ?? '') !== this.#release
    return isOtherRelease ? distance.add('song.release') : distance
  }

  #withLength({ duration }: NamedSong, distance: Distance): Distance {
    const penalty = lengthPenalty(lengthsOf(this.#evidence.duration, duration))
    return Number.isFinite(penalty)
      ? distance.add('song.length', penalty)
      : distance.add('song.otherLength')
  }

  /** Seconds; an unknown length counts as another mastering. */
  #lengthDifference({ duration }: NamedSong): number {
    const { duration: askedDuration } = this.#evidence
    if (askedDuration === undefined) return 0
    return lengthsApart(lengthsOf(askedDuration, duration)) ?? LENGTH_TOLERANCES.masterings
  }

  #nearestReading(song: NamedSong): { distance: Distance; title: Distance } {
    if (!this.#isSimilarTitle(song)) return NOT_IT
    const title = titleOf(song.title)
    const credit = creditOf(creditIn(song))
    let best: { distance: Distance; title: Distance } | undefined
    for (const reading of this.#readings) {
      const distances = this.#distancesIn(reading, song, title, credit)
      if (!best || distances.distance.sum < best.distance.sum) best = distances
    }
    return best ?? NOT_IT
  }

  /** Most titles of an artist are too different to be analysed. */
  #isSimilarTitle({ titleKey }: NamedSong): boolean {
    if (titleKey.split(' ').some((word) => this.#words.has(word))) return true
    if (this.#foreign.has(!isForeign(titleKey))) return true
    this.#titles ??= distinctParts(
      this.#readings.flatMap(({ title }) => [title.whole, title.core, title.base]),
    )
    return this.#titles.some((askedTitle) => titleSlips(askedTitle, titleKey) <= MAX_TITLE_SLIPS)
  }

  #distancesIn(
    reading: NameReading,
    song: NamedSong,
    knownTitle: Title,
    credit: Credit,
  ): { distance: Distance; title: Distance } {
    const title = titleDistance(reading.title, knownTitle)
    const distance = reading.distance.plus(title)
    if (this.#evidence.artist !== undefined && song.artist === this.#evidence.artist) {
      return { title, distance }
    }
    if (reading.credit === undefined) {
      if (hasBothNames(reading.title, knownTitle, credit)) {
        return { title: Distance.none, distance: reading.distance.add('reading.unseparated') }
      }
      const isRareTitle = title.sum === 0 && isRich(reading.title)
      return { title, distance: distance.add(isRareTitle ? 'artist.missing' : 'artist.other') }
    }
    if (title.isOther) return { title, distance }
    let artist = this.#artistDistance(reading.credit, song, credit)
    if (reading.title.work || knownTitle.work) {
      artist = artist.nearer(performerDistance(reading.credit, credit) ?? artist)
    }
    return { title, distance: distance.plus(artist) }
  }

  #artistDistance(askedCredit: Credit, song: NamedSong, credit: Credit): Distance {
    let distance = creditDistance(askedCredit, credit)
    if (distance.sum > 0 && song.credit !== null && song.artistName !== null) {
      distance = distance.nearer(creditDistance(askedCredit, creditOf(song.artistName)))
    }
    const namedDistance =
      song.artist === null ? undefined : this.#artistsByCredit.get(askedCredit)?.get(song.artist)
    return namedDistance ? distance.nearer(namedDistance) : distance
  }
}

function distinctParts(parts: readonly TitlePart[]): readonly TitlePart[] {
  return [...new Map(parts.map((titlePart) => [titlePart.squashed, titlePart])).values()]
}

function hasBothNames({ core: bothNames, kinds }: Title, title: Title, credit: Credit): boolean {
  if (kinds !== title.kinds) return false
  return [title.whole.squashed, title.core.squashed].some(
    (titleText) =>
      bothNames.squashed === credit.squashed + titleText ||
      bothNames.squashed === titleText + credit.squashed,
  )
}

/** Whether two songs have the same names: duplicates, or recordings of one song. */
export function isOneSong(a: NamedSong, b: NamedSong): boolean {
  const creditOfSong = (song: NamedSong) => creditOf(creditIn(song))
  return (
    titleDistance(titleOf(a.title), titleOf(b.title)).sum <= MATCH_LIMITS.oneSong &&
    creditDistance(creditOfSong(a), creditOfSong(b)).sum <= MATCH_LIMITS.oneSong
  )
}

/** Below this share of the longer length, songs of one name are different recordings. */
const MIN_LENGTH_SHARE = 0.5

/** How much lengths speak against one recording: 0…1, infinity for different recordings. */
export function lengthPenalty(lengths: Lengths): number {
  const difference = lengthsApart(lengths) ?? 0
  const { masterings, versions } = LENGTH_TOLERANCES
  if (difference > versions && shorterShare(lengths) < MIN_LENGTH_SHARE)
    return Number.POSITIVE_INFINITY
  return Math.min(1, Math.max(0, difference - masterings) / (versions - masterings))
}
