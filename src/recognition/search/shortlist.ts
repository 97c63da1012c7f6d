import type { Steps } from '../../kernel/scheduler.ts'
import type { Lookup } from '../systems/codes.ts'
import { type Aligned, Alignment } from './alignment.ts'
import { type CountedIndexes, Hits, minTally, type RankedQuery } from './query.ts'
import type { MatchRules } from './rules.ts'

/** In postings read: what finding a code costs, and a step. */
const LOOKUP_COST = 100
const STEP_COST = 50_000

export type ShortlistRules = Pick<MatchRules, 'bin' | 'common' | 'shortlist' | 'rates'>

export interface Shortlisted {
  aligned: Aligned
  held: number
  /** The rank of the first of them. */
  rank: number
}

/** Indexes in other processes, searched as one with the local index. */
export interface RemoteIndexes extends CountedIndexes {
  /** The shortlist of all indexes; `own` computes that of the local index. */
  joining(
    own: Steps<Shortlisted[]>,
    query: RankedQuery,
    codes: number,
    rules: ShortlistRules,
  ): Steps<Shortlisted[]>
}

export interface SearchedIndex extends Lookup {
  readonly elsewhere?: RemoteIndexes
}

export class Shortlisting {
  #lookedUp = 0

  /** `hits` are those of an earlier search in this index, used again. */
  constructor(
    private readonly lookup: Lookup,
    private readonly query: RankedQuery,
    private readonly rules: ShortlistRules,
    private readonly hits = new Hits(lookup.songs),
  ) {
    hits.clearHits()
  }

  /** The songs that hold the most of so many rarest codes, in no order. */
  *shortlistBy(codes: number): Steps<Shortlisted[]> {
    let work = 0
    for (; this.#lookedUp < codes; this.#lookedUp++) {
      const code = this.query.codes[this.query.order[this.#lookedUp]!]!
      const postings = this.lookup.postings(code)
      this.hits.addPostings(this.#lookedUp, postings)
      work += LOOKUP_COST + postings.length
      if (work < STEP_COST) continue
      work = 0
      yield
    }
    yield
    return yield* this.#alignShortlist()
  }

  *#alignShortlist(): Steps<Shortlisted[]> {
    const { rates, shortlist: minSongs } = this.rules
    const hits = this.hits
    const shortlist = hits.songsWithMost(minSongs)
    const places = new Map(shortlist.map((song, i) => [song, i]))
    const hitsBySong = shortlist.map((): number[] => [])
    for (let i = 0; i < hits.length; i++) {
      const place = places.get(hits.songs[i]!)
      if (place !== undefined) hitsBySong[place]!.push(i)
    }
    const tallies = new Uint32Array(this.#lookedUp)
    const pairs = new Uint32Array(this.#lookedUp)
    const shortlisted: Shortlisted[] = []
    let work = 0
    for (const [i, song] of shortlist.entries()) {
      const alignment = new Alignment(hits, hitsBySong[i]!, this.query, this.rules, pairs)
      const aligned = alignment.findBest(song, rates, tallies)
      shortlisted.push({ aligned, held: hits.counts[song]!, rank: hits.ranks[hitsBySong[i]![0]!]! })
      work += alignment.work * rates.length
      if (work < STEP_COST) continue
      work = 0
      yield
    }
    return shortlisted
  }
}

/** The joint shortlist of the parts of one index, as {@link Hits.songsWithMost} would choose. */
export function joinShortlists(parts: readonly Shortlisted[], minSongs: number): Shortlisted[] {
  const tallies: number[] = []
  for (const { held } of parts) tallies[held] = (tallies[held] ?? 0) + 1
  const minCodes = minTally(tallies, minSongs)
  const ties = parts.filter(({ held }) => held === minCodes)
  ties.sort((a, b) => a.rank - b.rank || a.aligned.song - b.aligned.song)
  return [...parts.filter(({ held }) => held > minCodes), ...ties].slice(0, 2 * minSongs)
}
