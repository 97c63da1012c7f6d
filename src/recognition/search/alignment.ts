import type { Hits, Query } from './query.ts'
import type { Rules } from './rules.ts'

/** A song's best alignment with the query. */
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
  /** How many of the song's codes agree, each as often as the song has it there. */
  readonly occurrences: number
  /** Ranks of the codes that agree. */
  readonly agreed: ReadonlySet<number>
}

/** By the number of pairs (`common`) at which a code is worth nothing: its worth by pairs. */
const WORTHS = new Map<number, Uint8Array>()

/** A code's worth by its number of pairs, in sixty-fourths: whole numbers add up exactly. */
function worthsOf(common: number): Uint8Array {
  const known = WORTHS.get(common)
  if (known) return known
  const made = Uint8Array.from({ length: common }, (_, pairs) =>
    Math.round(64 * (1 - Math.log(Math.max(1, pairs)) / Math.log(common))),
  )
  WORTHS.set(common, made)
  return made
}

/** The query is cut into this many parts of equal length, to see whether they agree evenly. */
const PARTS = 5
/** Offsets are sorted as bin · RANKS + rank. */
const RANKS = 2 ** 20
/** A code with more pairs in a song is not tested for agreement. */
const MOST_PAIRS = 1_024

/**
 * Compares the times that the query's codes have in one song with those in the query. Codes that are
 * worth nothing are skipped: the others have few pairs, however much query and song repeat themselves.
 */
export class Alignment {
  readonly #bin: number
  readonly #worths: Uint8Array
  /** Pairs of a time in the song and one in the query, by rank; zeros for codes of other songs. */
  readonly #pairs: Uint32Array
  readonly #entries: Float64Array
  /** The work of the alignment, in pairs. */
  readonly work: number

  /**
   * @param own - the places of the song's hits
   * @param pairs - room for one number a code; overwritten
   */
  constructor(
    private readonly hits: Hits,
    private readonly own: readonly number[],
    private readonly query: Query,
    { bin, common }: Pick<Rules, 'bin' | 'common'>,
    pairs: Uint32Array,
  ) {
    this.#bin = bin
    this.#worths = worthsOf(common)
    this.#pairs = pairs.fill(0)
    for (const i of own) {
      const rank = hits.ranks[i]!
      pairs[rank] = pairs[rank]! + this.#occurrences(rank)
    }
    let compared = 0
    let weighed = 0
    for (const i of own) {
      const rank = hits.ranks[i]!
      if (this.#worth(rank) > 0) compared += this.#occurrences(rank)
      if (pairs[rank]! <= MOST_PAIRS) weighed += this.#occurrences(rank)
    }
    this.#entries = new Float64Array(compared)
    this.work = own.length + compared + weighed
  }

  /** @param tallies - zeros, one for each code; zeros again afterwards */
  best(song: number, rates: readonly number[], tallies: Uint32Array): Aligned {
    let best = { worth: 0, from: 0, rate: rates[0]! }
    for (const rate of rates) {
      this.#sortOffsets(rate)
      const window = this.#tallest(tallies)
      if (window.worth > best.worth) best = { ...window, rate }
    }
    return { song, rate: best.rate, ...this.#weigh(best.from, best.rate) }
  }

  /** How often the query has a code. */
  #occurrences(rank: number): number {
    const { order, starts } = this.query
    const place = order[rank]!
    return starts[place + 1]! - starts[place]!
  }

  #worth(rank: number): number {
    return this.#worths[Math.max(this.#pairs[rank]!, Math.round(this.query.expected[rank]!))] ?? 0
  }

  #binOf(time: number, queryTime: number, rate: number): number {
    return Math.floor((time - queryTime * rate) / this.#bin)
  }

  #sortOffsets(rate: number): void {
    const { order, starts, times } = this.query
    const hits = this.hits
    let next = 0
    for (const i of this.own) {
      const rank = hits.ranks[i]!
      if (this.#worth(rank) === 0) continue
      const place = order[rank]!
      for (let j = starts[place]!; j < starts[place + 1]!; j++) {
        this.#entries[next++] = this.#binOf(hits.times[i]!, times[j]!, rate) * RANKS + rank
      }
    }
    this.#entries.sort()
  }

  /** The three adjacent bins, from `from` on, whose distinct codes are worth the most. */
  #tallest(tallies: Uint32Array): { worth: number; from: number } {
    const entries = this.#entries
    let best = { worth: 0, from: 0 }
    let worth = 0
    let first = 0
    for (const entry of entries) {
      const bin = Math.floor(entry / RANKS)
      const rank = entry - bin * RANKS
      for (; Math.floor(entries[first]! / RANKS) < bin - 2; first++) {
        const gone = entries[first]! - Math.floor(entries[first]! / RANKS) * RANKS
        tallies[gone] = tallies[gone]! - 1
        if (tallies[gone] === 0) worth -= this.#worth(gone)
      }
      if (tallies[rank] === 0) worth += this.#worth(rank)
      tallies[rank] = tallies[rank]! + 1
      if (worth > best.worth) best = { worth, from: bin - 2 }
    }
    for (; first < entries.length; first++) {
      tallies[entries[first]! - Math.floor(entries[first]! / RANKS) * RANKS] = 0
    }
    return best
  }

  /** The score and the mean offset of what agrees in three bins. */
  #weigh(from: number, rate: number): Omit<Aligned, 'song' | 'rate'> {
    const { order, starts, times, origin, last } = this.query
    const hits = this.hits
    const parts = new Float64Array(PARTS)
    /** Bits of the parts in which a code agrees, by rank. */
    const agreed = new Map<number, number>()
    const length = (last + 1) / PARTS
    let sum = 0
    let count = 0
    let occurrences = 0
    let first = Number.POSITIVE_INFINITY
    let end = 0
    for (const i of this.own) {
      const rank = hits.ranks[i]!
      if (this.#pairs[rank]! > MOST_PAIRS) continue
      first = Math.min(first, hits.times[i]!)
      end = Math.max(end, hits.times[i]!)
      const place = order[rank]!
      let here = 0
      for (let j = starts[place]!; j < starts[place + 1]!; j++) {
        const bin = this.#binOf(hits.times[i]!, times[j]!, rate)
        if (bin < from || bin > from + 2) continue
        sum += hits.times[i]! - (times[j]! + origin) * rate
        count++
        agreed.set(rank, (agreed.get(rank) ?? 0) | (1 << Math.floor(times[j]! / length)))
        here = 1
      }
      occurrences += here
    }
    for (const [rank, bits] of agreed) this.#share(rank, bits, parts)
    // The square of the mean root: the sum if all parts agree equally, a fifth of it if one does.
    const roots = parts.reduce((total, part) => total + Math.sqrt(part), 0)
    const score = roots ** 2 / PARTS
    const worth = parts.reduce((total, part) => total + part, 0)
    // All pairs of a time in the query and one in the song, spread over all possible offsets.
    const offsets = Math.max(1, (end - first + last * rate) / (3 * this.#bin))
    let chance = 0
    for (const [rank, pairs] of this.#pairs.entries()) {
      const worth = this.#worth(rank) / 64
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

  /** Spreads a code's worth over the parts of the query in which it agrees. */
  #share(rank: number, bits: number, parts: Float64Array): void {
    let shares = 0
    for (let part = 0; part < PARTS; part++) shares += (bits >> part) & 1
    const each = this.#worth(rank) / 64 / shares
    for (let part = 0; part < PARTS; part++) {
      if ((bits >> part) & 1) parts[part] = parts[part]! + each
    }
  }
}
