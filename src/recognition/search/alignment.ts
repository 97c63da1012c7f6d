import type { Hits, RankedQuery } from './query.ts'
import type { MatchRules } from './rules.ts'

export interface Aligned {
  readonly song: number
  /** What the codes that agree are worth together: about how many are rare in both. */
  readonly score: number
  /** Where in the song the query's time 0 lies, in the family's unit. */
  readonly offset: number
  /** The playing speed, of those in the rules, at which they agree. */
  readonly rate: number
  /** The worth that an offset would have by chance, if the song had the codes at any time. */
  readonly chance: number
  /** The share of the query that agrees: 1 if all five parts agree equally, 0.2 if one does. */
  readonly aligned: number
  /** How many of the song's codes agree. */
  readonly occurrences: number
  /** Ranks of the codes that agree. */
  readonly agreed: ReadonlySet<number>
}

const WORTH_TABLES = new Map<number, Uint8Array>()

/** A code's worth by its number of pairs, in sixty-fourths: whole numbers add up exactly. */
function worthsByPairs(common: number): Uint8Array {
  const cachedWorths = WORTH_TABLES.get(common)
  if (cachedWorths) return cachedWorths
  const worths = Uint8Array.from({ length: common }, (_, pairs) =>
    Math.round(64 * (1 - Math.log(Math.max(1, pairs)) / Math.log(common))),
  )
  WORTH_TABLES.set(common, worths)
  return worths
}

/** Parts of equal length show whether the query agrees evenly. */
const QUERY_PARTS = 5
const RANK_SPAN = 2 ** 20
/** A code with more pairs in a song is not tested for agreement. */
const MAX_TESTED_PAIRS = 1_024

/**
 * Compares the times of the query's codes in one song. Codes worth nothing are skipped, so few
 * pairs remain.
 */
export class Alignment {
  readonly #bin: number
  readonly #worths: Uint8Array
  readonly #pairs: Uint32Array
  readonly #entries: Float64Array
  readonly work: number

  /** `pairs` has room for one number a code and is overwritten. */
  constructor(
    private readonly hits: Hits,
    private readonly ownHits: readonly number[],
    private readonly query: RankedQuery,
    { bin, common }: Pick<MatchRules, 'bin' | 'common'>,
    pairs: Uint32Array,
  ) {
    this.#bin = bin
    this.#worths = worthsByPairs(common)
    this.#pairs = pairs.fill(0)
    for (const i of ownHits) {
      const rank = hits.ranks[i]!
      pairs[rank] = pairs[rank]! + this.#occurrencesOf(rank)
    }
    let compared = 0
    let weighed = 0
    for (const i of ownHits) {
      const rank = hits.ranks[i]!
      if (this.#worthOf(rank) > 0) compared += this.#occurrencesOf(rank)
      if (pairs[rank]! <= MAX_TESTED_PAIRS) weighed += this.#occurrencesOf(rank)
    }
    this.#entries = new Float64Array(compared)
    this.work = ownHits.length + compared + weighed
  }

  findBest(song: number, rates: readonly number[], tallies: Uint32Array): Aligned {
    let bestWindow = { worth: 0, from: 0, rate: rates[0]! }
    for (const rate of rates) {
      this.#sortOffsets(rate)
      const window = this.#findWindow(tallies)
      if (window.worth > bestWindow.worth) bestWindow = { ...window, rate }
    }
    return { song, rate: bestWindow.rate, ...this.#scoreWindow(bestWindow.from, bestWindow.rate) }
  }

  /** How often the query has a code. */
  #occurrencesOf(rank: number): number {
    const { order, starts } = this.query
    const place = order[rank]!
    return starts[place + 1]! - starts[place]!
  }

  #worthOf(rank: number): number {
    return this.#worths[Math.max(this.#pairs[rank]!, Math.round(this.query.expected[rank]!))] ?? 0
  }

  #binOf(time: number, queryTime: number, rate: number): number {
    return Math.floor((time - queryTime * rate) / this.#bin)
  }

  #sortOffsets(rate: number): void {
    const { order, starts, times } = this.query
    const hits = this.hits
    let next = 0
    for (const i of this.ownHits) {
      const rank = hits.ranks[i]!
      if (this.#worthOf(rank) === 0) continue
      const place = order[rank]!
      for (let j = starts[place]!; j < starts[place + 1]!; j++) {
        this.#entries[next++] = this.#binOf(hits.times[i]!, times[j]!, rate) * RANK_SPAN + rank
      }
    }
    this.#entries.sort()
  }

  /** The three adjacent bins whose distinct codes are worth the most. */
  #findWindow(tallies: Uint32Array): { worth: number; from: number } {
    const entries = this.#entries
    let bestWindow = { worth: 0, from: 0 }
    let worth = 0
    let first = 0
    for (const entry of entries) {
      const bin = Math.floor(entry / RANK_SPAN)
      const rank = entry - bin * RANK_SPAN
      for (; Math.floor(entries[first]! / RANK_SPAN) < bin - 2; first++) {
        const leavingRank = entries[first]! - Math.floor(entries[first]! / RANK_SPAN) * RANK_SPAN
        tallies[leavingRank] = tallies[leavingRank]! - 1
        if (tallies[leavingRank] === 0) worth -= this.#worthOf(leavingRank)
      }
      if (tallies[rank] === 0) worth += this.#worthOf(rank)
      tallies[rank] = tallies[rank]! + 1
      if (worth > bestWindow.worth) bestWindow = { worth, from: bin - 2 }
    }
    for (; first < entries.length; first++) {
      tallies[entries[first]! - Math.floor(entries[first]! / RANK_SPAN) * RANK_SPAN] = 0
    }
    return bestWindow
  }

  #scoreWindow(from: number, rate: number): Omit<Aligned, 'song' | 'rate'> {
    const { order, starts, times, origin, last } = this.query
    const hits = this.hits
    const parts = new Float64Array(QUERY_PARTS)
    const agreed = new Map<number, number>()
    const length = (last + 1) / QUERY_PARTS
    let sum = 0
    let count = 0
    let occurrences = 0
    let first = Number.POSITIVE_INFINITY
    let end = 0
    for (const i of this.ownHits) {
      const rank = hits.ranks[i]!
      if (this.#pairs[rank]! > MAX_TESTED_PAIRS) continue
      first = Math.min(first, hits.times[i]!)
      end = Math.max(end, hits.times[i]!)
      const place = order[rank]!
      let hasAgreed = 0
      for (let j = starts[place]!; j < starts[place + 1]!; j++) {
        const bin = this.#binOf(hits.times[i]!, times[j]!, rate)
        if (bin < from || bin > from + 2) continue
        sum += hits.times[i]! - (times[j]! + origin) * rate
        count++
        agreed.set(rank, (agreed.get(rank) ?? 0) | (1 << Math.floor(times[j]! / length)))
        hasAgreed = 1
      }
      occurrences += hasAgreed
    }
    for (const [rank, bits] of agreed) this.#spreadWorth(rank, bits, parts)
    // The square of the mean root is the sum only if all parts agree equally.
    const roots = parts.reduce((total, part) => total + Math.sqrt(part), 0)
    const score = roots ** 2 / QUERY_PARTS
    const worth = parts.reduce((total, part) => total + part, 0)
    // All pairs, spread over all possible offsets.
    const offsets = Math.max(1, (end - first + last * rate) / (3 * this.#bin))
    let chance = 0
    for (const [rank, pairs] of this.#pairs.entries()) {
      const worth = this.#worthOf(rank) / 64
      if (pairs > 0 && worth > 0) chance += worth * (1 - Math.exp(-pairs / offsets))
    }
    return {
      score,
      offset: count === 0 ? 0 : sum / count,
      chance,
      aligned: worth === 0 ? 0 : score / worth,
      occurrences,
      agreed: new Set(agreed.keys()),
    }
  }

  #spreadWorth(rank: number, bits: number, parts: Float64Array): void {
    let shares = 0
    for (let part = 0; part < QUERY_PARTS; part++) shares += (bits >> part) & 1
    const partWorth = this.#worthOf(rank) / 64 / shares
    for (let part = 0; part < QUERY_PARTS; part++) {
      if ((bits >> part) & 1) parts[part] = parts[part]! + partWorth
    }
  }
}
