import type { Evidence } from './evidence.ts'
import { ACCEPTED, above, below, type Verdict } from './refusal.ts'
import type { Family } from './systems/version.ts'

/**
 * The part of the verdict on answers to searches for codes: what an answer of one system must have, and
 * what two systems must have together.
 */

/** What the answer to a search for codes must have. */
export interface Demand {
  /** A query of fewer distinct codes has no answer. */
  readonly minimum: number
  /** The score must be at least this in an index of 1,000 songs … */
  readonly floor: number
  /** … and this much more (less) for every doubling (halving) of it. */
  readonly growth: number
  /** The score must be at least this share of the codes considered. */
  readonly share: number
  /** The next song, another recording, must fall behind by this share of the best one's score. */
  readonly lead: number
  /** The {@link surprise} must be at least this. */
  readonly surprise: number
}

const USUAL: Demand = {
  minimum: 10,
  floor: 12.3,
  growth: 0.5,
  share: 0.01,
  lead: 0.4,
  surprise: 0,
}

/**
 * Of 4,208 excerpts of 3 to 30 s of 143 pieces, asked with their own piece taken out of the index, the
 * best false answers have a surprise of 2.2 (3 s), 1.8 (5 s) and below 0.3 (10 s and more). Two pieces
 * that hold the same chord of the same synthesizer for seconds are not counted: that is one sound.
 */
const TRIPLETS: Demand = { ...USUAL, floor: 0, growth: 0, share: 0, surprise: 3 }

/**
 * Echoprint names a wrong recording for 0.4 % of 2,178 queries of music that an index of 88 recordings
 * does not hold; chance alone reaches scores of 3. The larger an index, the more related recordings it
 * holds.
 */
const DEMANDS: Readonly<Record<Family, Demand>> = Object.freeze({
  enmfp: USUAL,
  // Of 605 queries whose own recording is not in an index of 110 songs, none is answered. Two
  // arrangements of one theme reach a score of 14, but only 0.7 % of the codes.
  chroma: { ...USUAL, floor: 8 },
  echoprint40: USUAL,
  echoprint: USUAL,
  triplets: TRIPLETS,
})

/** By how much the demands change with what else is known. */
const STRICTNESS = Object.freeze({
  alone: 1,
  /** Few triplets, asked first. */
  fewLandmarks: 1,
  /** Landmarks found nothing in the same sound: music of one tempo has many Echoprint codes in common. */
  besideLandmarks: 2.5,
  /** Few codes at one of many pitches and tempos: only where to look closer. */
  guess: 0.1,
  /** One of many pitches and tempos that are tried. */
  transformed: 1,
  /** Title and artist are asked to agree, see {@link named}. */
  named: 0.5,
})

/** What is known about an answer besides the codes of one system. */
export type Circumstance = keyof typeof STRICTNESS

/** What an answer of one system must have. */
export function demandOf(system: Family, circumstance: Circumstance = 'alone'): Demand {
  const { floor, share, surprise, ...rest } = DEMANDS[system]
  const times = STRICTNESS[circumstance]
  return { ...rest, floor: floor * times, share: share * times, surprise: surprise * times }
}

/** Where an index holds fewer songs than this, the floor falls no further. */
const FEW_SONGS = 100

/** What is decided on of an answer of one system. */
type Answer = Pick<Evidence, 'score' | 'codes' | 'chance' | 'lead'>

/** Whether a query has codes enough to be looked up. */
export function answerable(distinct: number, { minimum }: Demand): Verdict {
  return below('minimum', distinct, minimum) ?? ACCEPTED
}

/**
 * Whether codes that agree are of the recording.
 *
 * @param songs - how many songs the index holds
 */
export function matched(answer: Answer, demand: Demand, songs: number): Verdict {
  return (
    below('score', answer.score, leastScore(demand, songs)) ??
    below('codes', answer.codes, demand.share) ??
    below('lead', answer.lead, demand.lead) ??
    below('surprise', surprise(answer), demand.surprise) ??
    ACCEPTED
  )
}

function leastScore({ floor, growth }: Demand, songs: number): number {
  return floor + growth * Math.log2(Math.max(songs, FEW_SONGS) / 1_000)
}

/**
 * What agrees in music that has nothing to do with each other, besides what is expected: a few songs say
 * little about what others would have. Of 0.5, 1, 1.5, 2 and 3, the least with which the same demand does
 * for 3 s as for 20 s.
 */
const BACKGROUND = 2

/**
 * How surprising a score is if the song is another one, in natural logarithms: what Poisson's
 * distribution says of a count of `score` where as much is expected as chance brings and the next
 * other recording has. That one is the best of all false ones, in an index of this size, for music of
 * this kind, at all the speeds that were tried: the more is searched, the more is asked.
 */
export function surprise({
  score,
  chance,
  lead,
}: Pick<Answer, 'score' | 'chance' | 'lead'>): number {
  const expected = (1 - lead) * score + chance + BACKGROUND
  return score > expected ? score * Math.log(score / expected) : 0
}

/**
 * Seconds by which two systems may differ in where they place a query. Their times are 46 and 23 ms
 * wide, and only one of them follows changes of speed: 2 % are 0.2 s in the middle of 20 s.
 */
const PLACED = 0.5

/**
 * Whether the answers of two systems, each too weak alone, are the recording that both name: they place
 * the query at one offset, and what they have of what each must have is enough together. Of 1,094
 * excerpts whose own piece is not in the index, both name one place of another in one case, with 0.1.
 *
 * @param songs - how many songs the index holds
 */
export function together(
  one: Answer & Pick<Evidence, 'system' | 'offset'>,
  other: Answer & Pick<Evidence, 'system' | 'offset'>,
  songs: number,
): Verdict {
  const parts = [one, other].map((answer) => part(answer, demandOf(answer.system), songs))
  return (
    above('offset', Math.abs(one.offset - other.offset), PLACED) ??
    below(
      'score',
      parts.reduce((sum, each) => sum + each, 0),
      1,
    ) ??
    ACCEPTED
  )
}

/** How much an answer has of what it must have, 1 for all. */
function part(answer: Answer, demand: Demand, songs: number): number {
  if (answer.lead < demand.lead) return 0
  const shares = [
    [answer.score, leastScore(demand, songs)],
    [answer.codes, demand.share],
    [surprise(answer), demand.surprise],
  ] as const
  return Math.min(...shares.map(([value, least]) => (least > 0 ? value / least : Infinity)))
}

/**
 * Two songs are copies if this share of what agrees with either are the same codes of the query.
 *
 * Not more: the codes that only one of two encodings has are the rarest, and are looked up first.
 * Of excerpts of 88 songs, 96.5 % are identified by their sound. With each song twice in the index,
 * encoded differently, it is 71 % at 0.8, 89 % at 0.6, 96.2 % at 0.4. Not less: by Echoprint codes
 * alone 8 of 2,178 queries of unknown music are answered, from 0.3 on 10.
 */
const COPY = 0.4

/** Whether two songs are copies of each other, by which codes of a query agree with them. */
export function copies(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  let common = 0
  for (const code of one) if (other.has(code)) common++
  return common >= COPY * Math.max(one.size, other.size)
}
