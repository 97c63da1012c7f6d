import type { Steps } from '../../kernel/scheduler.ts'
import type { Codes } from '../systems/codes.ts'
import { areCopies, isMatch } from '../verdict.ts'
import type { Aligned } from './alignment.ts'
import { buildQuery, countSongs, type Hits } from './query.ts'
import type { MatchRules } from './rules.ts'
import { type SearchedIndex, Shortlisting } from './shortlist.ts'

/** A number for each song of an index; songs known to be one recording have the same. */
export type RecordingOf = (song: number) => number

/**
 * Many codes of a query must occur at one offset (Wang, ISMIR 2003; Echoprint). A code with k pairs
 * is worth 1 − log k / log `common`.
 */
export function* matchCodes(
  codes: Codes,
  lookup: SearchedIndex,
  rules: MatchRules,
  recordingOf: RecordingOf = (song) => song,
  hits?: Hits,
): Steps<MatchFinding> {
  const query = yield* buildQuery(codes, lookup, rules)
  let finding: MatchFinding = NO_MATCH
  if (query.distinct < rules.minimum) return finding
  const shortlisting = new Shortlisting(lookup, query, rules, hits)
  let lookedUp = 0
  for (const passSize of [...rules.passes, Number.POSITIVE_INFINITY]) {
    const upTo = Math.min(passSize, query.order.length)
    if (upTo === lookedUp) continue
    lookedUp = upTo
    const shortlist = lookup.elsewhere
      ? yield* lookup.elsewhere.joining(shortlisting.shortlistBy(lookedUp), query, lookedUp, rules)
      : yield* shortlisting.shortlistBy(lookedUp)
    const aligned = shortlist.map((shortlisted) => shortlisted.aligned)
    aligned.sort((a, b) => b.score - a.score || a.song - b.song)
    finding = decideMatches(
      aligned,
      query.unknown + lookedUp,
      countSongs(lookup),
      rules,
      recordingOf,
    )
    if (finding.accepted.length > 0) break
  }
  return finding
}

export interface CodeMatch extends Omit<Aligned, 'agreed'> {
  /** Distinct codes of the query that agree on the offset, whatever they are worth. */
  readonly agreeing: number
  /** The score as a share of the codes that were considered. */
  readonly codes: number
  /** The lead over the next other recording, as a share of the score, 0…1. */
  readonly lead: number
}

export interface MatchFinding<Found = CodeMatch> {
  /** The song that answers, then acceptable entries of the same recording, best first. */
  readonly accepted: readonly Found[]
  /** The best song and its copies if the best one is not accepted. */
  readonly refused: readonly Found[]
}

const NO_MATCH: MatchFinding = Object.freeze({ accepted: [], refused: [] })

function decideMatches(
  alignedSongs: readonly Aligned[],
  considered: number,
  songs: number,
  rules: MatchRules,
  recordingOf: RecordingOf,
): MatchFinding {
  const best = alignedSongs[0]
  if (best === undefined || best.score === 0) return NO_MATCH
  const recording = recordingOf(best.song)
  const sameRecording = alignedSongs.filter(
    (other) => recordingOf(other.song) === recording || areCopies(other.agreed, best.agreed),
  )
  const nextScore = alignedSongs.find((other) => !sameRecording.includes(other))?.score ?? 0
  const lead = 1 - nextScore / best.score
  const candidates = sameRecording.map(({ agreed, ...song }): CodeMatch => {
    return { ...song, agreeing: agreed.size, codes: song.score / considered, lead }
  })
  const accepted = candidates.filter((candidate) => isMatch(candidate, rules, songs))
  return accepted.some(({ song }) => song === best.song)
    ? { accepted, refused: [] }
    : { accepted: [], refused: candidates }
}
