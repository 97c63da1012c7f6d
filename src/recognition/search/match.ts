import { atOnce } from '../../kernel/scheduler.ts'
import type { Codes, Lookup } from '../systems/codes.ts'
import { type Aligned, Alignment } from './alignment.ts'
import { Hits, type Query, queryOf } from './query.ts'
import type { Rules } from './rules.ts'

/**
 * Finds the songs that a query is an excerpt of: those in which many of its codes occur at one and
 * the same time offset.
 *
 * Music repeats itself, and a code on every beat agrees with any other song of that tempo. So each
 * distinct code counts once per offset, however often it occurs there, and it counts less the more
 * pairs of a time in the query and one in the song it has: with k pairs, 1 − log k / log COMMON. And
 * the parts of the query must agree evenly: two songs may share a sample or a passage.
 *
 * Two stages, as in Wang, "An industrial-strength audio search algorithm" (ISMIR 2003) and the
 * Echoprint server: songs are ranked by how many of the query's codes they hold, then the time
 * offsets of the first ones are compared.
 *
 * Several entries of an index may be the same recording, under one song or under several that do not
 * know of each other: an album and a compilation, an edit and the long version. They must not take
 * each other's lead away. So the next song counts as another recording only if `recordingOf` does not
 * say otherwise, and if the codes that agree with it are not those that agree with the best one: two
 * copies have nearly all of them in common, two chance agreements few, and a related recording only
 * those of the part that both share.
 *
 * @param recordingOf - a number for each entry; entries known to be one recording have the same
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

/** Finding a code's postings takes as long as reading this many; a step is this many of them. */
const LOOKUP = 100
const STEP = 50_000

/** {@link match} in steps of some ten thousand postings, between which other work can come. */
export function* matching(
  codes: Codes,
  lookup: Lookup,
  rules: Rules,
  recordingOf?: (song: number) => number,
): Generator<void, Candidate[]> {
  const query = queryOf(codes, lookup, rules)
  if (query.distinct < rules.minimum || query.order.length === 0) return []
  const hits = new Hits(lookup.songs)
  let done = 0
  let work = 0
  for (const pass of [...rules.passes, Number.POSITIVE_INFINITY]) {
    const upTo = Math.min(pass, query.order.length)
    if (upTo === done) continue
    for (; done < upTo; done++) {
      const postings = lookup.postings(query.codes[query.order[done]!]!)
      hits.add(done, postings)
      work += LOOKUP + postings.length
      if (work < STEP) continue
      work = 0
      yield
    }
    yield
    const aligned = yield* aligning(query, hits, done, rules)
    const found = decide(aligned, query.unknown + done, lookup.songs, rules, recordingOf)
    if (found.length > 0) return found
  }
  return []
}

/** The best alignment of each song on the shortlist, best first. */
function* aligning(
  query: Query,
  hits: Hits,
  codes: number,
  { bin, rates, shortlist: most }: Rules,
): Generator<void, Aligned[]> {
  const shortlist = hits.best(most)
  /** A song's place on the shortlist plus 1; 0 for other songs. */
  const places = new Int16Array(hits.counts.length)
  for (const [i, song] of shortlist.entries()) places[song] = i + 1
  const own = shortlist.map((): number[] => [])
  for (let i = 0; i < hits.length; i++) {
    const place = places[hits.songs[i]!]!
    if (place !== 0) own[place - 1]!.push(i)
  }
  const tallies = new Uint32Array(codes)
  const pairs = new Uint32Array(codes)
  const found: Aligned[] = []
  let work = 0
  for (const [i, song] of shortlist.entries()) {
    const alignment = new Alignment(hits, own[i]!, query, bin, pairs)
    found.push(alignment.best(song, rates, tallies))
    work += alignment.work * rates.length
    if (work < STEP) continue
    work = 0
    yield
  }
  return found.sort((a, b) => b.score - a.score || a.song - b.song)
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
  /** The playing speed, of those in the rules, at which they agree. */
  readonly rate: number
  /** The score as a share of the codes that were considered. */
  readonly share: number
  /** How far the next other recording falls behind, 0…1. */
  readonly lead: number
}

/** Where an index holds fewer songs than this, the floor falls no further. */
const FEW = 100

/**
 * Two songs are copies if this share of what agrees with either are the same codes of the query.
 *
 * Not more: the codes that only one of two encodings has are the rarest, and are looked up first.
 * Of excerpts of 88 songs, 96.5 % are identified by their sound. With each song twice in the index,
 * encoded differently, it is 71 % at 0.8, 89 % at 0.6, 96.2 % at 0.4. Not less: by Echoprint codes
 * alone 8 of 2,178 queries of unknown music are answered, from 0.3 on 10.
 */
const COPY = 0.4

/**
 * Decides which of the aligned songs, best first, answer the query.
 *
 * @param considered - how many distinct codes of the query were looked up or are in no song
 * @param songs - how many songs the index holds
 */
function decide(
  found: readonly Aligned[],
  considered: number,
  songs: number,
  rules: Rules,
  recordingOf: ((song: number) => number) | undefined,
): Candidate[] {
  const best = found[0]
  if (best === undefined || best.score === 0) return []
  const floor = rules.floor + rules.growth * Math.log2(Math.max(songs, FEW) / 1_000)
  const least = Math.max(floor, rules.share * considered)
  if (best.score < least) return []
  const recording = recordingOf?.(best.song)
  const isSame = ({ song, agreed }: Aligned) => {
    if (recordingOf !== undefined && recordingOf(song) === recording) return true
    let common = 0
    for (const rank of agreed) if (best.agreed.has(rank)) common++
    return common >= COPY * Math.max(agreed.size, best.agreed.size)
  }
  const copies = found.filter((other) => other === best || isSame(other))
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
