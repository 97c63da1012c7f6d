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
  /** Codes with more postings than this, per song of the index, are left out. */
  readonly stop: number
  /** Width of a bin of time offsets, in the family's unit. Codes in three adjacent bins agree. */
  readonly bin: number
  /** How many songs, those with the most codes of the query, have their time offsets compared. */
  readonly shortlist: number
  /** Playing speeds of the query to try, relative to the songs': its times are multiplied by these. */
  readonly rates: readonly number[]
  /** A query of fewer distinct codes has no answer. */
  readonly minimum: number
  /** At least so many distinct codes must agree, in an index of 1,000 songs … */
  readonly floor: number
  /** … and so many more (fewer) for every doubling (halving) of it. */
  readonly growth: number
  /** At least this share of the codes considered must agree. */
  readonly share: number
  /** The next song, another recording, must stay behind by this share of the best one's score. */
  readonly lead: number
}

/** A song that answers a query. */
export interface Candidate {
  readonly song: number
  /** Distinct codes of the query that agree on the offset. */
  readonly score: number
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
 * the same time offset. Each distinct code counts once per offset, however often it occurs: music
 * repeats itself, and a code on every beat would agree with any other song of that tempo.
 *
 * Two stages, as in Wang, "An industrial-strength audio search algorithm" (ISMIR 2003) and the
 * Echoprint server: songs are ranked by how many of the query's codes they hold, then the time
 * offsets of the first ones are compared.
 *
 * Several entries of an index may be the same recording. They must not spoil each other's lead: the
 * next song only counts as another recording if `recordingOf` says so, or, without it, if what
 * agrees with it are mostly other codes of the query than those that agree with the best one (two
 * chance agreements have few codes in common, two copies nearly all).
 *
 * @param recordingOf - tells which songs are the same recording
 * @returns the accepted song first, then other entries of the same recording that would be accepted
 * by themselves; empty if the query is of no song of the index
 */
export function match(
  query: Codes,
  lookup: Lookup,
  rules: Rules,
  recordingOf?: (song: number) => number,
): Candidate[] {
  const plan = planOf(query, lookup, rules)
  if (plan.distinct < rules.minimum || plan.order.length === 0) return []
  const hits = new Hits(lookup.songs)
  let done = 0
  for (const pass of [...rules.passes, Number.POSITIVE_INFINITY]) {
    const upTo = Math.min(pass, plan.order.length)
    if (upTo === done) continue
    for (; done < upTo; done++) hits.add(done, lookup.postings(plan.codes[plan.order[done]!]!))
    const considered = plan.unknown + done
    const found = judge(aligned(plan, hits, done, rules), considered, lookup, rules, recordingOf)
    if (found.length > 0) return found
  }
  return []
}

/** The query's distinct codes and when each occurs, and in which order they are looked up. */
interface Plan {
  readonly codes: Uint32Array
  /** Times of the code at place i: `times[starts[i]]` … `times[starts[i + 1] - 1]`. */
  readonly starts: Uint32Array
  readonly times: Uint32Array
  /** Places of the codes that the index holds and that are no stop codes, rarest first. */
  readonly order: Uint32Array
  /** Distinct codes, stop codes left out. */
  readonly distinct: number
  /** … those of them that occur in no song. */
  readonly unknown: number
}

function planOf(query: Codes, lookup: Lookup, rules: Rules): Plan {
  const count = query.codes.length
  // Code and time as one number: a sort without a comparator is many times faster.
  const sorted = new Float64Array(count)
  for (let i = 0; i < count; i++)
    sorted[i] = query.codes[i]! * 2 ** 22 + Math.min(query.times[i]!, 2 ** 22 - 1)
  sorted.sort()
  const codes = new Uint32Array(count)
  const starts = new Uint32Array(count + 1)
  const times = new Uint32Array(count)
  let distinct = 0
  for (let i = 0; i < count; i++) {
    const code = Math.floor(sorted[i]! / 2 ** 22)
    times[i] = sorted[i]! - code * 2 ** 22
    if (distinct === 0 || codes[distinct - 1] !== code) {
      codes[distinct] = code
      starts[distinct++] = i
    }
  }
  starts[distinct] = count
  const ranked = new Float64Array(distinct)
  const stop = Math.max(STOP_LEAST, rules.stop * lookup.songs)
  let known = 0
  let unknown = 0
  for (let place = 0; place < distinct; place++) {
    const frequency = lookup.frequency(codes[place]!)
    if (frequency === 0) unknown++
    else if (frequency <= stop) ranked[known++] = frequency * 2 ** 22 + place
  }
  const order = new Uint32Array(known)
  const rising = ranked.subarray(0, known).sort()
  for (let i = 0; i < known; i++) order[i] = rising[i]! % 2 ** 22
  return { codes, starts, times, order, distinct: known + unknown, unknown }
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
    const grown = (old: Uint32Array) => {
      const bigger = new Uint32Array(Math.max(least, 2 * old.length))
      bigger.set(old)
      return bigger
    }
    this.songs = grown(this.songs)
    this.times = grown(this.times)
    this.ranks = grown(this.ranks)
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

/** The best alignment of each song on the shortlist, best first. */
function aligned(plan: Plan, hits: Hits, codes: number, rules: Rules): Aligned[] {
  const shortlist = hits.best(rules.shortlist)
  const slots = new Int16Array(hits.counts.length)
  for (const [i, song] of shortlist.entries()) slots[song] = i + 1
  const own = shortlist.map(() => [] as number[])
  for (let i = 0; i < hits.length; i++) {
    const slot = slots[hits.songs[i]!]!
    if (slot !== 0) own[slot - 1]!.push(i)
  }
  const tallies = new Uint32Array(codes)
  const found = shortlist.map((song, i) => alignment(song, own[i]!, plan, hits, rules, tallies))
  return found.sort((a, b) => b.score - a.score || a.song - b.song)
}

/** Offsets are sorted as bin · RANKS + rank. */
const RANKS = 2 ** 20

/** @param tallies - zeros, one for each code; zeros again afterwards */
function alignment(
  song: number,
  own: readonly number[],
  plan: Plan,
  hits: Hits,
  { bin, rates }: Rules,
  tallies: Uint32Array,
): Aligned {
  let pairs = 0
  for (const i of own) {
    const place = plan.order[hits.ranks[i]!]!
    pairs += plan.starts[place + 1]! - plan.starts[place]!
  }
  const entries = new Float64Array(pairs)
  let best = { score: 0, from: 0, rate: 1 }
  for (const rate of rates) {
    fill(entries, own, plan, hits, bin, rate)
    entries.sort()
    const window = tallest(entries, tallies)
    if (window.score > best.score) best = { ...window, rate }
  }
  // The best rate's entries once more, for what agrees.
  fill(entries, own, plan, hits, bin, best.rate)
  entries.sort()
  const agreed = new Set<number>()
  let sum = 0
  let count = 0
  for (const entry of entries) {
    const at = Math.floor(entry / RANKS)
    if (at < best.from || at > best.from + 2) continue
    agreed.add(entry - at * RANKS)
    sum += at
    count++
  }
  const offset = count === 0 ? 0 : (sum / count + 0.5) * bin
  return { song, score: best.score, offset, rate: best.rate, agreed }
}

/** Writes each pair of a time in the song and one in the query as bin of the offset and rank. */
function fill(
  entries: Float64Array,
  own: readonly number[],
  plan: Plan,
  hits: Hits,
  bin: number,
  rate: number,
): void {
  let next = 0
  for (const i of own) {
    const rank = hits.ranks[i]!
    const place = plan.order[rank]!
    const time = hits.times[i]!
    for (let j = plan.starts[place]!; j < plan.starts[place + 1]!; j++) {
      entries[next++] = Math.floor((time - plan.times[j]! * rate) / bin) * RANKS + rank
    }
  }
}

/** The three adjacent bins, from `from` on, with the most distinct codes among sorted entries. */
function tallest(entries: Float64Array, tallies: Uint32Array): { score: number; from: number } {
  let best = { score: 0, from: 0 }
  let distinct = 0
  let first = 0
  for (let next = 0; next < entries.length; next++) {
    const at = Math.floor(entries[next]! / RANKS)
    const rank = entries[next]! - at * RANKS
    for (; Math.floor(entries[first]! / RANKS) < at - 2; first++) {
      const gone = entries[first]! - Math.floor(entries[first]! / RANKS) * RANKS
      tallies[gone] = tallies[gone]! - 1
      if (tallies[gone] === 0) distinct--
    }
    if (tallies[rank] === 0) distinct++
    tallies[rank] = tallies[rank]! + 1
    if (distinct > best.score) best = { score: distinct, from: at - 2 }
  }
  for (; first < entries.length; first++) {
    const gone = entries[first]! - Math.floor(entries[first]! / RANKS) * RANKS
    tallies[gone] = 0
  }
  return best
}

/** Which share of its codes a song must have in common with the best one to count as its copy. */
const COPY = 0.6

function judge(
  found: readonly Aligned[],
  considered: number,
  { songs }: Lookup,
  rules: Rules,
  recordingOf: ((song: number) => number) | undefined,
): Candidate[] {
  const best = found[0]
  if (best === undefined) return []
  const floor = rules.floor + rules.growth * Math.log2(Math.max(songs, 1) / 1_000)
  const least = Math.max(floor, rules.share * considered)
  if (best.score < least) return []
  const same = ({ song, agreed, score }: Aligned) => {
    if (recordingOf !== undefined) return recordingOf(song) === recordingOf(best.song)
    let common = 0
    for (const rank of agreed) if (best.agreed.has(rank)) common++
    return common >= COPY * score
  }
  const copies = found.filter((other) => other === best || same(other))
  const next = found.find((other) => !copies.includes(other))?.score ?? 0
  const lead = 1 - next / best.score
  if (lead < rules.lead) return []
  return copies
    .filter(({ score }) => score >= least)
    .map(({ song, score, offset, rate }) => {
      return { song, score, offset, rate, share: score / considered, lead }
    })
}
