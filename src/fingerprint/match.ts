import { grown } from '../audio/grown.ts'
import type { Codes } from './codes.ts'

/** Where one code occurs: parallel arrays, of which the first `length` elements count. */
export interface Postings {
  readonly songs: Uint32Array
  /** In the family's unit. */
  readonly times: Uint32Array
  readonly length: number
}

/** What the matcher asks of an index of one family of codes. */
export interface Lookup {
  /** Every song's number is below this; songs that were removed may leave gaps. */
  readonly songs: number
  /** How many postings a code has, about; 0 means certainly none. Cheap: asked for every code. */
  frequency(code: number): number
  /** All postings of a code, in any order; the answer may be overwritten by the next call. */
  postings(code: number): Postings
}

/** How queries of one family are matched and when an answer is believed. See version.ts. */
export interface Rules {
  /**
   * How many codes are looked up, rarest first: so many at first, and while no song is accepted so
   * many, at last all.
   */
  readonly passes: readonly number[]
  /** At most about so many postings are read: in a large index the rarest codes must do. */
  readonly budget: number
  /** Codes with more postings than this, per song of the index, are left out … */
  readonly stop: number
  /** … and so are these, always. */
  readonly stopCodes?: readonly number[]
  /** Width of a bin of time offsets, in the family's unit. Codes in three adjacent bins agree. */
  readonly bin: number
  /** How many songs, those with the most codes of the query, have their time offsets compared. */
  readonly shortlist: number
  /** Playing speeds of the query to try, relative to the songs': its times are multiplied by these. */
  readonly rates: readonly number[]
  /** A query of fewer distinct codes has no answer. */
  readonly minimum: number
  /** The score must be at least this in an index of 1,000 songs … */
  readonly floor: number
  /** … and so much more (less) for every doubling (halving) of it. */
  readonly growth: number
  /** The score must be at least this share of the codes considered. */
  readonly share: number
  /** The next song, another recording, must stay behind by this share of the best one's score. */
  readonly lead: number
}

/** A song that answers a query. */
export interface Candidate {
  readonly song: number
  /** How much agrees on the offset: about the number of distinct codes that are rare in both. */
  readonly score: number
  /** Distinct codes of the query that agree on the offset, whatever they are worth. */
  readonly agreeing: number
  /** Where in the song the query's time 0 lies, in the family's unit. */
  readonly offset: number
  /** The rate of the rules' at which they agree. */
  readonly rate: number
  /** The score as a share of the codes that were considered. */
  readonly share: number
  /** By how much the next other recording stays behind, 0…1. */
  readonly lead: number
}

/**
 * Finds the songs that a query is an excerpt of: those in which many of its codes occur at one and
 * the same time offset.
 *
 * Music repeats itself, and a code on every beat agrees with any other song of that tempo. So each
 * distinct code counts once per offset, however often it occurs there, and the less the more pairs
 * of a time in the query and one in the song it has: with k pairs, 1 − log k / log COMMON. And the
 * parts of the query must agree evenly: two songs may share a sample or a passage.
 *
 * Two stages, as in Wang, "An industrial-strength audio search algorithm" (ISMIR 2003) and the
 * Echoprint server: songs are ranked by how many of the query's codes they hold, then the time
 * offsets of the first ones are compared.
 *
 * Several entries of an index may be the same recording, under one song or under several that do not
 * know of each other: an album and a compilation, an edit and the long version. They must not spoil
 * each other's lead. So the next song only counts as another recording if `recordingOf` does not know
 * better, and if what agrees with it are other codes of the query than those that agree with the best
 * one: two copies have nearly all of them in common, two chance agreements few, and a relative only
 * those of the part that it shares.
 *
 * @param recordingOf - a number for each entry, alike for those known to be one recording
 * @returns the accepted song first, then other entries of the same recording that would be accepted
 * by themselves, best first; empty if the query is of no song of the index
 */
export function match(
  query: Codes,
  lookup: Lookup,
  rules: Rules,
  recordingOf?: (song: number) => number,
): Candidate[] {
  return atOnce(matching(query, lookup, rules, recordingOf))
}

/** Does to its end what can be done in steps. */
export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** {@link match} in steps of some ten thousand postings, between which other work can come. */
export function* matching(
  query: Codes,
  lookup: Lookup,
  rules: Rules,
  recordingOf?: (song: number) => number,
): Generator<void, Candidate[]> {
  const plan = planOf(query, lookup, rules)
  if (plan.distinct < rules.minimum || plan.order.length === 0) return []
  const hits = new Hits(lookup.songs)
  let done = 0
  let work = 0
  for (const pass of [...rules.passes, Number.POSITIVE_INFINITY]) {
    const upTo = Math.min(pass, plan.order.length)
    if (upTo === done) continue
    for (; done < upTo; done++) {
      const postings = lookup.postings(plan.codes[plan.order[done]!]!)
      hits.add(done, postings)
      work += LOOKUP + postings.length
      if (work < STEP) continue
      work = 0
      yield
    }
    yield
    const considered = plan.unknown + done
    const songs = yield* aligned(plan, hits, done, rules)
    const found = judge(songs, considered, lookup, rules, recordingOf)
    if (found.length > 0) return found
  }
  return []
}

/** Finding a code's postings takes as long as reading so many; a step is so many of them. */
const LOOKUP = 100
const STEP = 50_000

/** The query's distinct codes and when each occurs, and in which order they are looked up. */
interface Plan {
  readonly codes: Uint32Array
  /** Times of the code at place i: `times[starts[i]]` … `times[starts[i + 1] - 1]`. */
  readonly starts: Uint32Array
  readonly times: Uint32Array
  /** What those times are counted from, in the query's own. */
  readonly origin: number
  /** Places of the codes that the index holds and that are no stop codes, rarest first. */
  readonly order: Uint32Array
  /** As many pairs a code of that rank is held to have in any song, for being so common. */
  readonly expected: Float64Array
  /** Distinct codes, stop codes left out. */
  readonly distinct: number
  /** … those of them that occur in no song. */
  readonly unknown: number
  /** When the last code occurs; the first occurs at 0. */
  readonly last: number
}

/** A code with so many pairs of a time in the query and one in the song tells nothing of an offset. */
const COMMON = 16
/** What a code counts by its number of pairs, in sixty-fourths: whole numbers add up exactly. */
const WORTH = Uint8Array.from({ length: COMMON }, (_, pairs) =>
  Math.round(64 * (1 - Math.log(Math.max(1, pairs)) / Math.log(COMMON))),
)
/** A code that every song has once is worth as little as one with so many pairs in one song. */
const EVERYWHERE = 10
/** An index counts as if it held so many songs more, without any of the codes: few tell little. */
const OTHERS = 30
/** The query is cut into so many parts of equal length, to see whether they agree evenly. */
const PARTS = 5

function planOf(query: Codes, lookup: Lookup, rules: Rules): Plan {
  const count = query.codes.length
  // From the query's own start: in milliseconds, 22 bits hold no more than 70 minutes.
  const origin = query.times.reduce((least, time) => Math.min(least, time), 2 ** 32)
  // Code and time as one number: a sort without a comparator is many times faster.
  const sorted = new Float64Array(count)
  for (let i = 0; i < count; i++)
    sorted[i] = query.codes[i]! * 2 ** 22 + Math.min(query.times[i]! - origin, 2 ** 22 - 1)
  sorted.sort()
  const codes = new Uint32Array(count)
  const starts = new Uint32Array(count + 1)
  const times = new Uint32Array(count)
  let distinct = 0
  for (let i = 0; i < count; i++) {
    const code = Math.floor(sorted[i]! / 2 ** 22)
    times[i] = sorted[i]! - code * 2 ** 22
    if (codes[distinct - 1] !== code) {
      codes[distinct] = code
      starts[distinct++] = i
    }
  }
  starts[distinct] = count
  const ranked = new Float64Array(distinct)
  const stop = Math.max(STOP_LEAST, rules.stop * lookup.songs)
  const stopCodes = new Set(rules.stopCodes)
  let known = 0
  let unknown = 0
  for (let place = 0; place < distinct; place++) {
    if (stopCodes.has(codes[place]!)) continue
    const frequency = lookup.frequency(codes[place]!)
    if (frequency === 0) unknown++
    else if (frequency <= stop) ranked[known++] = frequency * 2 ** 22 + place
  }
  const rising = ranked.subarray(0, known).sort()
  const affordable = countWithin(rising, rules.budget)
  const order = new Uint32Array(affordable)
  const expected = new Float64Array(affordable)
  for (let i = 0; i < affordable; i++) {
    order[i] = rising[i]! % 2 ** 22
    const frequency = Math.floor(rising[i]! / 2 ** 22)
    const own = starts[order[i]! + 1]! - starts[order[i]!]!
    expected[i] = (own * EVERYWHERE * frequency) / (lookup.songs + OTHERS)
  }
  const last = times.reduce((most, time) => Math.max(most, time), 0)
  const all = known + unknown
  return { codes, starts, times, origin, order, expected, distinct: all, unknown, last }
}

/** How many codes can be read: of the rarest, as many as have no more than `budget` postings. */
function countWithin(ranked: Float64Array, budget: number): number {
  let sum = 0
  for (const [i, entry] of ranked.entries()) {
    sum += Math.floor(entry / 2 ** 22)
    if (sum > budget) return i
  }
  return ranked.length
}

/** In a small index no code is too frequent: one song may hold the same code often. */
const STOP_LEAST = 1_000

/** The postings that were found, and how many of the query's codes each song holds. */
class Hits {
  /** Distinct codes of the query by song. */
  readonly counts: Uint32Array
  /** Rank of the code that was counted last, plus 1, by song. */
  readonly #last: Uint32Array
  songs = new Uint32Array(4_096)
  times = new Uint32Array(4_096)
  ranks = new Uint32Array(4_096)
  length = 0

  constructor(songs: number) {
    this.counts = new Uint32Array(songs)
    this.#last = new Uint32Array(songs)
  }

  /** @param rank - the code's place in the plan's order */
  add(rank: number, postings: Postings): void {
    const { songs, times, length } = postings
    const start = this.length
    if (start + length > this.songs.length) this.#grow(start + length)
    const { counts } = this
    const last = this.#last
    const held = this.songs
    const when = this.times
    for (let i = 0; i < length; i++) {
      const song = songs[i]!
      held[start + i] = song
      when[start + i] = times[i]!
      if (last[song] !== rank + 1) {
        last[song] = rank + 1
        counts[song] = counts[song]! + 1
      }
    }
    this.ranks.fill(rank, start, start + length)
    this.length = start + length
  }

  #grow(least: number): void {
    const length = Math.max(least, 2 * this.songs.length)
    this.songs = grown(this.songs, length)
    this.times = grown(this.times, length)
    this.ranks = grown(this.ranks, length)
  }

  /** The songs that hold the most of the codes, at most `most` and a few of the same count. */
  best(most: number): number[] {
    const { counts } = this
    const tallies: number[] = []
    for (let song = 0; song < counts.length; song++) {
      const count = counts[song]!
      if (count > 0) tallies[count] = (tallies[count] ?? 0) + 1
    }
    let least = tallies.length
    for (let sum = 0; least > 1 && sum < most; ) {
      least--
      sum += tallies[least] ?? 0
    }
    const songs: number[] = []
    for (let song = 0; song < counts.length && songs.length < 2 * most; song++) {
      if (counts[song]! >= least && counts[song]! > 0) songs.push(song)
    }
    return songs
  }
}

/** A song's best alignment, before it is judged. */
interface Aligned {
  readonly song: number
  readonly score: number
  readonly offset: number
  readonly rate: number
  /** The codes that agree, as ranks. */
  readonly agreed: Set<number>
}

/** The best alignment of each song on the shortlist, best first; in steps. */
function* aligned(plan: Plan, hits: Hits, codes: number, rules: Rules): Generator<void, Aligned[]> {
  const shortlist = hits.best(rules.shortlist)
  const slots = new Int16Array(hits.counts.length)
  for (const [i, song] of shortlist.entries()) slots[song] = i + 1
  const own = shortlist.map(() => [] as number[])
  for (let i = 0; i < hits.length; i++) {
    const slot = slots[hits.songs[i]!]!
    if (slot !== 0) own[slot - 1]!.push(i)
  }
  const tallies = new Uint32Array(codes)
  const pairs = new Uint32Array(codes)
  const found: Aligned[] = []
  let work = 0
  for (const [i, song] of shortlist.entries()) {
    const alignment = new Alignment(own[i]!, plan, hits, rules.bin, pairs)
    found.push(alignment.best(song, rules.rates, tallies))
    work += alignment.work * rules.rates.length
    if (work < STEP) continue
    work = 0
    yield
  }
  return found.sort((a, b) => b.score - a.score || a.song - b.song)
}

/** Offsets are sorted as bin · RANKS + rank. */
const RANKS = 2 ** 20

/** Of a code with more pairs in a song it is not even asked whether it agrees. */
const MOST_PAIRS = 1_024

/**
 * Compares the times that the query's codes have in one song with those in the query. Codes that are
 * worth nothing are passed over: the others have few pairs, whatever query and song repeat.
 */
class Alignment {
  readonly #own: readonly number[]
  readonly #plan: Plan
  readonly #hits: Hits
  readonly #bin: number
  /** Pairs of a time in the song and one in the query, by rank; zeros for codes of other songs. */
  readonly #pairs: Uint32Array
  readonly #entries: Float64Array
  /** How long it takes, in pairs. */
  readonly work: number

  /**
   * @param own - the places of the song's hits
   * @param pairs - room for one number a code; written over
   */
  constructor(own: readonly number[], plan: Plan, hits: Hits, bin: number, pairs: Uint32Array) {
    this.#own = own
    this.#plan = plan
    this.#hits = hits
    this.#bin = bin
    this.#pairs = pairs.fill(0)
    const timesOf = (rank: number) => {
      const place = plan.order[rank]!
      return plan.starts[place + 1]! - plan.starts[place]!
    }
    for (const i of own) {
      const rank = hits.ranks[i]!
      pairs[rank] = pairs[rank]! + timesOf(rank)
    }
    let compared = 0
    let weighed = 0
    for (const i of own) {
      const rank = hits.ranks[i]!
      if (this.#worth(rank) > 0) compared += timesOf(rank)
      if (pairs[rank]! <= MOST_PAIRS) weighed += timesOf(rank)
    }
    this.#entries = new Float64Array(compared)
    this.work = own.length + compared + weighed
  }

  /** @param tallies - zeros, one for each code; zeros again afterwards */
  best(song: number, rates: readonly number[], tallies: Uint32Array): Aligned {
    let best = { worth: 0, from: 0, rate: rates[0]! }
    for (const rate of rates) {
      this.#fill(rate)
      const window = this.#tallest(tallies)
      if (window.worth > best.worth) best = { ...window, rate }
    }
    return { song, rate: best.rate, ...this.#weigh(best.from, best.rate) }
  }

  #worth(rank: number): number {
    return WORTH[Math.max(this.#pairs[rank]!, Math.round(this.#plan.expected[rank]!))] ?? 0
  }

  #binOf(time: number, queryTime: number, rate: number): number {
    return Math.floor((time - queryTime * rate) / this.#bin)
  }

  /** Sorts all pairs by their offset. */
  #fill(rate: number): void {
    const { order, starts, times } = this.#plan
    const hits = this.#hits
    let next = 0
    for (const i of this.#own) {
      const rank = hits.ranks[i]!
      if (this.#worth(rank) === 0) continue
      const place = order[rank]!
      for (let j = starts[place]!; j < starts[place + 1]!; j++) {
        this.#entries[next++] = this.#binOf(hits.times[i]!, times[j]!, rate) * RANKS + rank
      }
    }
    this.#entries.fill(Number.POSITIVE_INFINITY, next)
    this.#entries.sort()
  }

  /** The three adjacent bins, from `from` on, whose distinct codes are worth the most. */
  #tallest(tallies: Uint32Array): { worth: number; from: number } {
    const entries = this.#entries
    let best = { worth: 0, from: 0 }
    let worth = 0
    let first = 0
    let next = 0
    for (; next < entries.length && entries[next]! < Number.POSITIVE_INFINITY; next++) {
      const at = Math.floor(entries[next]! / RANKS)
      const rank = entries[next]! - at * RANKS
      for (; Math.floor(entries[first]! / RANKS) < at - 2; first++) {
        const gone = entries[first]! - Math.floor(entries[first]! / RANKS) * RANKS
        tallies[gone] = tallies[gone]! - 1
        if (tallies[gone] === 0) worth -= this.#worth(gone)
      }
      if (tallies[rank] === 0) worth += this.#worth(rank)
      tallies[rank] = tallies[rank]! + 1
      if (worth > best.worth) best = { worth, from: at - 2 }
    }
    for (; first < next; first++) {
      tallies[entries[first]! - Math.floor(entries[first]! / RANKS) * RANKS] = 0
    }
    return best
  }

  /** What agrees in three bins, where in the query, and the mean offset. */
  #weigh(from: number, rate: number): Omit<Aligned, 'song' | 'rate'> {
    const { order, starts, times, origin, last } = this.#plan
    const hits = this.#hits
    const parts = new Float64Array(PARTS)
    const agreed = new Set<number>()
    const length = (last + 1) / PARTS
    let sum = 0
    let count = 0
    for (const i of this.#own) {
      const rank = hits.ranks[i]!
      if (this.#pairs[rank]! > MOST_PAIRS) continue
      const place = order[rank]!
      for (let j = starts[place]!; j < starts[place + 1]!; j++) {
        const bin = this.#binOf(hits.times[i]!, times[j]!, rate)
        if (bin < from || bin > from + 2) continue
        sum += hits.times[i]! - (times[j]! + origin) * rate
        count++
        if (agreed.has(rank)) continue
        agreed.add(rank)
        const part = Math.floor(times[j]! / length)
        parts[part] = parts[part]! + this.#worth(rank) / 64
      }
    }
    // The square of the mean root: the sum where all parts agree alike, a fifth of it if but one does.
    const roots = parts.reduce((total, part) => total + Math.sqrt(part), 0)
    return { score: roots ** 2 / PARTS, offset: count === 0 ? 0 : sum / count, agreed }
  }
}

/** Where an index holds fewer songs than this, the floor falls no further. */
const FEW = 100

/**
 * Two songs are copies if so much of what agrees with either are the same codes of the query.
 *
 * Not more, since the codes that only one of two encodings has are the rarest, and asked about first.
 * Of excerpts of 88 songs, 96.5 % are known by their sound. With each song twice in the index, the
 * second time encoded anew, it is 71 % where 0.8 must be in common, 89 % at 0.6, 96.2 % at 0.4. Not
 * less: by Echoprint codes alone 8 of 2,178 queries of unknown music are answered, from 0.3 on 10.
 */
const COPY = 0.4

function judge(
  found: readonly Aligned[],
  considered: number,
  { songs }: Lookup,
  rules: Rules,
  recordingOf: ((song: number) => number) | undefined,
): Candidate[] {
  const best = found[0]
  if (best === undefined || best.score === 0) return []
  const floor = rules.floor + rules.growth * Math.log2(Math.max(songs, FEW) / 1_000)
  const least = Math.max(floor, rules.share * considered)
  if (best.score < least) return []
  const recording = recordingOf?.(best.song)
  const same = ({ song, agreed }: Aligned) => {
    if (recordingOf !== undefined && recordingOf(song) === recording) return true
    let common = 0
    for (const rank of agreed) if (best.agreed.has(rank)) common++
    return common >= COPY * Math.max(agreed.size, best.agreed.size)
  }
  const copies = found.filter((other) => other === best || same(other))
  const next = found.find((other) => !copies.includes(other))?.score ?? 0
  const lead = 1 - next / best.score
  if (lead < rules.lead) return []
  return copies
    .filter(({ score }) => score >= least)
    .map(({ song, score, offset, rate, agreed }) => {
      const agreeing = agreed.size
      return { song, score, agreeing, offset, rate, share: score / considered, lead }
    })
}
