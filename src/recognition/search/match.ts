import type { Steps } from '../../kernel/scheduler.ts'
import type { Codes } from '../systems/codes.ts'
import { copies, matched } from '../verdict.ts'
import type { Aligned } from './alignment.ts'
import { type Hits, queryOf, songsOf } from './query.ts'
import type { Rules } from './rules.ts'
import { type Searched, Shortlisting } from './shortlist.ts'

/** A number for each song of an index; songs known to be one recording have the same. */
export type RecordingOf = (song: number) => number

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
 * Several entries of an index may be the same recording, under one song or under several unlinked
 * songs: an album and a compilation, an edit and the long version. They must not reduce each
 * other's lead. So the next song counts as another recording only if `recordingOf` does not say
 * otherwise, and if other codes agree with it than with the best one: copies have nearly all codes
 * that agree in common, two chance agreements few, and a related recording only those of the part
 * that both share.
 *
 * @param hits - those of another search in this index, to be used again
 * @returns in steps of some ten thousand postings, between which other work can run
 */
export function* matching(
  codes: Codes,
  lookup: Searched,
  rules: Rules,
  recordingOf: RecordingOf = (song) => song,
  hits?: Hits,
): Steps<Finding> {
  const query = yield* queryOf(codes, lookup, rules)
  let finding: Finding = NOTHING
  if (query.distinct < rules.minimum) return finding
  const shortlisting = new Shortlisting(lookup, query, rules, hits)
  let done = 0
  for (const pass of [...rules.passes, Number.POSITIVE_INFINITY]) {
    const upTo = Math.min(pass, query.order.length)
    if (upTo === done) continue
    done = upTo
    const shortlist = lookup.elsewhere
      ? yield* lookup.elsewhere.joining(shortlisting.by(done), query, done, rules)
      : yield* shortlisting.by(done)
    const aligned = shortlist.map((one) => one.aligned)
    aligned.sort((a, b) => b.score - a.score || a.song - b.song)
    finding = decide(aligned, query.unknown + done, songsOf(lookup), rules, recordingOf)
    if (finding.accepted.length > 0) break
  }
  return finding
}

/** A song that answers a query. */
export interface Candidate extends Omit<Aligned, 'agreed'> {
  /** Distinct codes of the query that agree on the offset, whatever they are worth. */
  readonly agreeing: number
  /** The score as a share of the codes that were considered. */
  readonly codes: number
  /** The lead over the next other recording, as a share of the score, 0…1. */
  readonly lead: number
}

export interface Finding<Found = Candidate> {
  /**
   * The song that answers the query, then other entries of the same recording that would be accepted
   * by themselves, best first; empty if the query is of no song of the index.
   */
  readonly accepted: readonly Found[]
  /** The best song and its copies if the best one is not accepted. */
  readonly refused: readonly Found[]
}

const NOTHING: Finding = Object.freeze({ accepted: [], refused: [] })

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
  recordingOf: RecordingOf,
): Finding {
  const best = found[0]
  if (best === undefined || best.score === 0) return NOTHING
  const recording = recordingOf(best.song)
  const same = found.filter(
    (other) => recordingOf(other.song) === recording || copies(other.agreed, best.agreed),
  )
  const next = found.find((other) => !same.includes(other))?.score ?? 0
  const lead = 1 - next / best.score
  const candidates = same.map(({ agreed, ...one }): Candidate => {
    return { ...one, agreeing: agreed.size, codes: one.score / considered, lead }
  })
  const accepted = candidates.filter((one) => matched(one, rules, songs))
  return accepted.some(({ song }) => song === best.song)
    ? { accepted, refused: [] }
    : { accepted: [], refused: candidates }
}
