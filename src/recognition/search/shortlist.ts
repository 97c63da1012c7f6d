import type { Steps } from '../../kernel/scheduler.ts'
import type { Lookup } from '../systems/codes.ts'
import { type Aligned, Alignment } from './alignment.ts'
import { type Counted, Hits, leastOf, type Query } from './query.ts'
import type { Rules } from './rules.ts'

/** Finding a code's postings takes as long as reading this many; a step is this many of them. */
const LOOKUP = 100
const STEP = 50_000

/** The rules that choose the songs whose times are compared, and that compare them. */
export type ShortlistRules = Pick<Rules, 'bin' | 'common' | 'shortlist' | 'rates'>

export interface Shortlisted {
  aligned: Aligned
  /** How many codes of the query it holds. */
  held: number
  /** The rank of the first of them. */
  rank: number
}

/** Indexes of one family of codes in other processes, searched as one with the local index. */
export interface Elsewhere extends Counted {
  /** The shortlist of all indexes; `own` computes that of the local index. */
  joining(
    own: Steps<Shortlisted[]>,
    query: Query,
    codes: number,
    rules: ShortlistRules,
  ): Steps<Shortlisted[]>
}

/** An index that is searched, perhaps together with others. */
export interface Searched extends Lookup {
  readonly elsewhere?: Elsewhere
}

/** Chooses the songs with the most codes of a query, and compares the times of these. */
export class Shortlisting {
  #done = 0

  /** @param hits - those of an earlier search in this index, to be used again */
  constructor(
    private readonly lookup: Lookup,
    private readonly query: Query,
    private readonly rules: ShortlistRules,
    private readonly hits = new Hits(lookup.songs),
  ) {
    hits.clear()
  }

  /**
   * The songs that hold the most of the rarest codes, in no order.
   *
   * @param codes - how many codes, no fewer than before
   */
  *by(codes: number): Steps<Shortlisted[]> {
    let work = 0
    for (; this.#done < codes; this.#done++) {
      const code = this.query.codes[this.query.order[this.#done]!]!
      const postings = this.lookup.postings(code)
      this.hits.add(this.#done, postings)
      work += LOOKUP + postings.length
      if (work < STEP) continue
      work = 0
      yield
    }
    yield
    return yield* this.#aligning()
  }

  *#aligning(): Steps<Shortlisted[]> {
    const { rates, shortlist: most } = this.rules
    const hits = this.hits
    const shortlist = hits.best(most)
    const places = new Map(shortlist.map((song, i) => [song, i]))
    const own = shortlist.map((): number[] => [])
    for (let i = 0; i < hits.length; i++) {
      const place = places.get(hits.songs[i]!)
      if (place !== undefined) own[place]!.push(i)
    }
    const tallies = new Uint32Array(this.#done)
    const pairs = new Uint32Array(this.#done)
    const found: Shortlisted[] = []
    let work = 0
    for (const [i, song] of shortlist.entries()) {
      const alignment = new Alignment(hits, own[i]!, this.query, this.rules, pairs)
      const aligned = alignment.best(song, rates, tallies)
      found.push({ aligned, held: hits.counts[song]!, rank: hits.ranks[own[i]![0]!]! })
      work += alignment.work * rates.length
      if (work < STEP) continue
      work = 0
      yield
    }
    return found
  }
}

/**
 * The joint shortlist of the parts of one index: the songs that {@link Hits.best} would choose from
 * all. A part may leave out only songs that are not on its own shortlist.
 */
export function shortlistOf(parts: readonly Shortlisted[], most: number): Shortlisted[] {
  const tallies: number[] = []
  for (const { held } of parts) tallies[held] = (tallies[held] ?? 0) + 1
  const least = leastOf(tallies, most)
  const ties = parts.filter(({ held }) => held === least)
  ties.sort((a, b) => a.rank - b.rank || a.aligned.song - b.aligned.song)
  return [...parts.filter(({ held }) => held > least), ...ties].slice(0, 2 * most)
}
