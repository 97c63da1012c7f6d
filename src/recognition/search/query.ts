import { grown } from '../../audio/samples.ts'
import type { Steps } from '../../kernel/scheduler.ts'
import type { Codes, Lookup, Postings } from '../systems/codes.ts'
import type { Rules } from './rules.ts'

/** The query's distinct codes, when each occurs, and the order in which they are looked up. */
export interface Query {
  readonly codes: Uint32Array
  /** Times of the code at place i: `times[starts[i]]` … `times[starts[i + 1] - 1]`. */
  readonly starts: Uint32Array
  readonly times: Uint32Array
  /** The earliest time of the codes as given; `times` count from it. */
  readonly origin: number
  /** Places of the codes to look up, rarest first; a code's rank is its index here. */
  readonly order: Uint32Array
  /** By rank: how many postings a code has in the index. */
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

/** In a small index no code is too frequent: one song may hold the same code often. */
const STOP_LEAST = 1_000
/** A code that every song has once is worth as little as one with this many pairs in one song. */
const EVERYWHERE = 10
/**
 * An index counts as if it held this many more songs, none with any of the codes: a few songs say
 * little about how common a code is.
 */
const OTHERS = 30
/** A number and, in its lower 22 bits, a time or a place. Numbers sort many times faster than objects. */
const LOW = 2 ** 22

/** Codes whose frequencies are asked for in one step: one read of the index each. */
const AT_ONCE = 250

/** What is known about all indexes that are searched as one. */
export interface Counted {
  readonly songs: number
  frequencies(codes: Uint32Array): Steps<ArrayLike<number>>
}

type Indexes = Lookup & { readonly elsewhere?: Counted }

/** How many songs an index holds, together with others. */
export function songsOf({ songs, elsewhere }: Indexes): number {
  return elsewhere?.songs ?? songs
}

/** {@link Lookup.frequency} of each code, in steps. */
export function* frequenciesIn(lookup: Lookup, codes: Uint32Array): Steps<Uint32Array> {
  const found = new Uint32Array(codes.length)
  for (let i = 0; i < codes.length; i++) {
    if (i % AT_ONCE === AT_ONCE - 1) yield
    found[i] = lookup.frequency(codes[i]!)
  }
  return found
}

/** Sorts a query's codes and chooses which of them to look up, in steps. */
export function* queryOf(given: Codes, lookup: Indexes, rules: Rules): Steps<Query> {
  const grouped = groupByCode(given)
  const { codes, times } = grouped
  const songs = songsOf(lookup)
  const stop = Math.max(STOP_LEAST, rules.stop * songs)
  const stopCodes = new Set(rules.stopCodes)
  const telling = codes.filter((code) => !stopCodes.has(code))
  const frequencies = lookup.elsewhere
    ? yield* lookup.elsewhere.frequencies(telling)
    : yield* frequenciesIn(lookup, telling)
  const ranked = new Float64Array(telling.length)
  let known = 0
  let unknown = 0
  for (let place = 0, i = 0; i < telling.length; place++) {
    if (codes[place] !== telling[i]) continue
    const frequency = frequencies[i++]!
    if (frequency === 0) unknown++
    else if (frequency <= stop) ranked[known++] = frequency * LOW + place
  }
  const rising = ranked.subarray(0, known).sort()
  const affordable = rising.subarray(0, countWithin(rising, rules.budget))
  const last = times.reduce((latest, time) => Math.max(latest, time), 0)
  const order = ordered(grouped, affordable, songs)
  return { ...grouped, ...order, distinct: known + unknown, unknown, last }
}

/**
 * The query for codes that another process has chosen to be looked up.
 *
 * @param frequencies - of each code, by place
 * @param songs - how many songs the indexes hold together
 */
export function queryAsGiven(
  grouped: Grouped & Pick<Query, 'last'>,
  frequencies: Uint32Array,
  songs: number,
): Query {
  const rising = Float64Array.from(frequencies, (frequency, place) => frequency * LOW + place)
  const order = ordered(grouped, rising.sort(), songs)
  return { ...grouped, ...order, distinct: frequencies.length, unknown: 0 }
}

/** @param rising - frequency · LOW + place of the codes to look up */
function ordered(
  { starts }: Pick<Query, 'starts'>,
  rising: Float64Array,
  songs: number,
): Pick<Query, 'order' | 'frequencies' | 'expected'> {
  const order = new Uint32Array(rising.length)
  const frequencies = new Uint32Array(rising.length)
  const expected = new Float64Array(rising.length)
  for (let rank = 0; rank < rising.length; rank++) {
    const place = rising[rank]! % LOW
    const frequency = Math.floor(rising[rank]! / LOW)
    order[rank] = place
    frequencies[rank] = frequency
    const occurrences = starts[place + 1]! - starts[place]!
    expected[rank] = (occurrences * EVERYWHERE * frequency) / (songs + OTHERS)
  }
  return { order, frequencies, expected }
}

type Grouped = Pick<Query, 'codes' | 'starts' | 'times' | 'origin'>

function groupByCode(given: Codes): Grouped {
  const count = given.codes.length
  // In milliseconds, 22 bits hold 70 minutes: times count from the query's own start.
  const origin = given.times.reduce((least, time) => Math.min(least, time), 2 ** 32)
  const sorted = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    sorted[i] = given.codes[i]! * LOW + Math.min(given.times[i]! - origin, LOW - 1)
  }
  sorted.sort()
  const codes = new Uint32Array(count)
  const starts = new Uint32Array(count + 1)
  const times = new Uint32Array(count)
  let distinct = 0
  for (let i = 0; i < count; i++) {
    const code = Math.floor(sorted[i]! / LOW)
    times[i] = sorted[i]! - code * LOW
    if (distinct > 0 && codes[distinct - 1] === code) continue
    codes[distinct] = code
    starts[distinct++] = i
  }
  starts[distinct] = count
  return { codes: codes.subarray(0, distinct), starts, times, origin }
}

/** How many of the rarest codes have no more than `budget` postings together. */
function countWithin(ranked: Float64Array, budget: number): number {
  let sum = 0
  for (const [i, entry] of ranked.entries()) {
    sum += Math.floor(entry / LOW)
    if (sum > budget) return i
  }
  return ranked.length
}

/**
 * The largest number of codes that at least `most` songs hold.
 *
 * @param tallies - by number of codes, how many songs hold that many
 */
export function leastOf(tallies: readonly number[], most: number): number {
  let least = tallies.length
  for (let sum = 0; least > 1 && sum < most; ) {
    least--
    sum += tallies[least] ?? 0
  }
  return least
}

/** The postings found for a query's codes, and how many of these codes each song holds. */
export class Hits {
  /** Distinct codes of the query, by song. */
  readonly counts: Uint32Array
  /** The songs that have any, of which the first `#foundSongs` count. */
  #found = new Uint32Array(1_024)
  #foundSongs = 0
  /** By song: the rank plus 1 of the code that was counted last. */
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

  clear(): void {
    for (let i = 0; i < this.#foundSongs; i++) {
      this.counts[this.#found[i]!] = 0
      this.#lastRanks[this.#found[i]!] = 0
    }
    this.#foundSongs = 0
    this.length = 0
  }

  /** @param rank - the code's place in the query's order */
  add(rank: number, postings: Postings): void {
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
        this.#found = grown(this.#found, this.#foundSongs + 1)
        this.#found[this.#foundSongs++] = song
      }
      counts[song] = counts[song]! + 1
    }
    this.length = end
  }

  /** The songs that hold the most of the codes: at least `most`, up to twice as many in a tie. */
  best(most: number): number[] {
    const { counts } = this
    const found = this.#found.subarray(0, this.#foundSongs)
    const tallies: number[] = []
    for (const song of found) tallies[counts[song]!] = (tallies[counts[song]!] ?? 0) + 1
    const least = leastOf(tallies, most)
    const songs: number[] = []
    const ties: number[] = []
    for (const song of found) {
      if (counts[song]! > least) songs.push(song)
      else if (counts[song] === least && ties.length < 2 * most) ties.push(song)
    }
    // Songs in a tie come last, as there may be thousands; those with the rarest codes are first.
    return [...songs.sort((one, other) => one - other), ...ties].slice(0, 2 * most)
  }
}
