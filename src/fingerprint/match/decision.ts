import type { Rules } from '../rules.ts'
import type { Aligned } from './alignment.ts'

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
export function decide(
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
