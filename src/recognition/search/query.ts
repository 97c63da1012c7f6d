import { grown } from '../../audio/samples.ts'
import type { Steps } from '../../kernel/scheduler.ts'
import type { Codes, Lookup, Postings } from '../systems/codes.ts'
import type { MatchRules } from './rules.ts'

export interface RankedQuery {
  readonly codes: Uint32Array
  /** Times of the code at place i: `times[starts[i]]` … `times[starts[i + 1] - 1]`. */
  readonly starts: Uint32Array
  readonly times: Uint32Array
  /** The earliest time of the codes as given; `times` count from it. */
  readonly origin: number
  /** Places of the codes to look up, rarest first; a code's rank is its index here. */
  readonly order: Uint32Array
  readonly frequencies: Uint32Array
  /** By rank: the number of pairs that a code this common is assumed to have in any song. */
  readonly expected: Float64Array
  /** Number of distinct codes without stop codes and those that occur too often. */
  readonly distinct: number
  /** Number of these that occur in no song. */
  readonly unknown: number
  /** The latest of `times`. */
  readonly last: number
}

/** In a small index one song may hold the same code often. */
const MIN_STOP_FREQUENCY = 1_000
/** A code that every song has once is worth as little as this many pairs in one song. */
const EVERYWHERE_PAIRS = 10
/** An index counts as this much larger: few songs say little about how common a code is. */
const ASSUMED_OTHER_SONGS = 30
/** A number with 22 lower bits for a time or place: numbers sort faster than objects. */
const LOW_PART = 2 ** 22

const FREQUENCIES_PER_STEP = 250

export interface CountedIndexes {
  readonly songs: number
  frequencies(codes: Uint32Array): Steps<ArrayLike<number>>
}

type SearchedIndexes = Lookup & { readonly elsewhere?: CountedIndexes }

export function countSongs({ songs, elsewhere }: SearchedIndexes): number {
  return elsewhere?.songs ?? songs
}

export function* readFrequencies(lookup: Lookup, codes: Uint32Array): Steps<Uint32Array> {
  const frequencies = new Uint32Array(codes.length)
  for (let i = 0; i < codes.length; i++) {
    if (i % FREQUENCIES_PER_STEP === FREQUENCIES_PER_STEP - 1) yield
    frequencies[i] = lookup.frequency(codes[i]!)
  }
  return frequencies
}

export function* buildQuery(
  input: Codes,
  lookup: SearchedIndexes,
  rules: MatchRules,
): Steps<RankedQuery> {
  const grouped = groupByCode(input)
  const { codes, times } = grouped
  const songs = countSongs(lookup)
  const maxFrequency = Math.max(MIN_STOP_FREQUENCY, rules.stop * songs)
  const stopCodes = new Set(rules.stopCodes)
  const lookupCodes = codes.filter((code) => !stopCodes.has(code))
  const frequencies = lookup.elsewhere
    ? yield* lookup.elsewhere.frequencies(lookupCodes)
    : yield* readFrequencies(lookup, lookupCodes)
  const ranked = new Float64Array(lookupCodes.length)
  let knownCodes = 0
  let unknownCodes = 0
  for (let place = 0, i = 0; i < lookupCodes.length; place++) {
    if (codes[place] !== lookupCodes[i]) continue
    const frequency = frequencies[i++]!
    if (frequency === 0) unknownCodes++
    else if (frequency <= maxFrequency) ranked[knownCodes++] = frequency * LOW_PART + place
  }
  const rareFirst = ranked.subarray(0, knownCodes).sort()
  const affordable = rareFirst.subarray(0, countWithinBudget(rareFirst, rules.budget))
  const last = times.reduce((latest, time) => Math.max(latest, time), 0)
  const order = orderCodes(grouped, affordable, songs)
  return { ...grouped, ...order, distinct: knownCodes + unknownCodes, unknown: unknownCodes, last }
}

/** The query for codes that another process chose, with their frequencies by place. */
export function queryOfChosenCodes(
  grouped: GroupedCodes & Pick<RankedQuery, 'last'>,
  frequencies: Uint32Array,
  songs: number,
): RankedQuery {
  const rareFirst = Float64Array.from(
    frequencies,
    (frequency, place) => frequency * LOW_PART + place,
  )
  const order = orderCodes(grouped, rareFirst.sort(), songs)
  return { ...grouped, ...order, distinct: frequencies.length, unknown: 0 }
}

function orderCodes(
  { starts }: Pick<RankedQuery, 'starts'>,
  rareFirst: Float64Array,
  songs: number,
): Pick<RankedQuery, 'order' | 'frequencies' | 'expected'> {
  const order = new Uint32Array(rareFirst.length)
  const frequencies = new Uint32Array(rareFirst.length)
  const expected = new Float64Array(rareFirst.length)
  for (let rank = 0; rank < rareFirst.length; rank++) {
    const place = rareFirst[rank]! % LOW_PART
    const frequency = Math.floor(rareFirst[rank]! / LOW_PART)
    order[rank] = place
    frequencies[rank] = frequency
    const occurrences = starts[place + 1]! - starts[place]!
    expected[rank] = (occurrences * EVERYWHERE_PAIRS * frequency) / (songs + ASSUMED_OTHER_SONGS)
  }
  return { order, frequencies, expected }
}

type GroupedCodes = Pick<RankedQuery, 'codes' | 'starts' | 'times' | 'origin'>

function groupByCode(input: Codes): GroupedCodes {
  const count = input.codes.length
  // In milliseconds, 22 bits hold 70 minutes: times count from the query's own start.
  const origin = input.times.reduce((least, time) => Math.min(least, time), 2 ** 32)
  const sorted = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    sorted[i] = input.codes[i]! * LOW_PART + Math.min(input.times[i]! - origin, LOW_PART - 1)
  }
  sorted.sort()
  const codes = new Uint32Array(count)
  const starts = new Uint32Array(count + 1)
  const times = new Uint32Array(count)
  let distinct = 0
  for (let i = 0; i < count; i++) {
    const code = Math.floor(sorted[i]! / LOW_PART)
    times[i] = sorted[i]! - code * LOW_PART
    if (distinct > 0 && codes[distinct - 1] === code) continue
    codes[distinct] = code
    starts[distinct++] = i
  }
  starts[distinct] = count
  return { codes: codes.subarray(0, distinct), starts, times, origin }
}

/** How many of the rarest codes have no more than `budget` postings together. */
function countWithinBudget(ranked: Float64Array, budget: number): number {
  let sum = 0
  for (const [i, entry] of ranked.entries()) {
    sum += Math.floor(entry / LOW_PART)
    if (sum > budget) return i
  }
  return ranked.length
}

/** The largest number of codes that at least so many songs hold. */
export function minTally(tallies: readonly number[], minSongs: number): number {
  let least = tallies.length
  for (let sum = 0; least > 1 && sum < minSongs; ) {
    least--
    sum += tallies[least] ?? 0
  }
  return least
}

export class Hits {
  /** Distinct codes of the query, by song. */
  readonly counts: Uint32Array
  /** The songs with hits; the first `#songCount` count. */
  #songsWithHits = new Uint32Array(1_024)
  #songCount = 0
  readonly #lastRanks: Uint32Array
  /** One element for each hit, of which the first `length` count. */
  songs = new Uint32Array(4_096)
  times = new Uint32Array(4_096)
  ranks = new Uint32Array(4_096)
  length = 0

  constructor(songs: number) {
    this.counts = new Uint32Array(songs)
    this.#lastRanks = new Uint32Array(songs)
  }

  clearHits(): void {
    for (let i = 0; i < this.#songCount; i++) {
      this.counts[this.#songsWithHits[i]!] = 0
      this.#lastRanks[this.#songsWithHits[i]!] = 0
    }
    this.#songCount = 0
    this.length = 0
  }

  /** The rank is the code's place in the query's order. */
  addPostings(rank: number, postings: Postings): void {
    const { songs, times, length } = postings
    const start = this.length
    const end = start + length
    this.songs = grown(this.songs, end)
    this.times = grown(this.times, end)
    this.ranks = grown(this.ranks, end).fill(rank, start, end)
    const { counts, songs: hitSongs, times: hitTimes } = this
    const lastRanks = this.#lastRanks
    for (let i = 0; i < length; i++) {
      const song = songs[i]!
      hitSongs[start + i] = song
      hitTimes[start + i] = times[i]!
      if (lastRanks[song] === rank + 1) continue
      lastRanks[song] = rank + 1
      if (counts[song] === 0) {
        this.#songsWithHits = grown(this.#songsWithHits, this.#songCount + 1)
        this.#songsWithHits[this.#songCount++] = song
      }
      counts[song] = counts[song]! + 1
    }
    this.length = end
  }

  /** The songs that hold the most codes: at least so many, twice as many in a tie. */
  songsWithMost(minSongs: number): number[] {
    const { counts } = this
    const songsWithHits = this.#songsWithHits.subarray(0, this.#songCount)
    const tallies: number[] = []
    for (const song of songsWithHits) tallies[counts[song]!] = (tallies[counts[song]!] ?? 0) + 1
    const least = minTally(tallies, minSongs)
    const songs: number[] = []
    const ties: number[] = []
    for (const song of songsWithHits) {
      if (counts[song]! > least) songs.push(song)
      else if (counts[song] === least && ties.length < 2 * minSongs) ties.push(song)
    }
    // Ties may be thousands; those with the rarest codes are first.
    return [...songs.sort((one, other) => one - other), ...ties].slice(0, 2 * minSongs)
  }
}
