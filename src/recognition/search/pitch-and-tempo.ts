import { type Steps, sideBySide } from '../../kernel/scheduler.ts'
import type { Codes } from '../systems/codes.ts'
import { moved, type Playing } from '../systems/triplets.ts'
import { TRIPLETS } from '../systems/version.ts'
import { matching } from './match.ts'
import { Hits } from './query.ts'
import { rulesOf } from './rules.ts'
import type { Searched } from './shortlist.ts'

/** The largest factor of pitch and of tempo: a semitone and 8 % of speed, and errors of both. */
const FARTHEST = 1.1

/**
 * Tempos are tried this share apart. Over 20 s that is two frames, and codes agree that are up to
 * six apart.
 */
const TEMPO_STEP = 0.004

/** How many steps the pitches of a query, and the times between its landmarks, are from the song's. */
interface Cell {
  readonly pitch: number
  readonly span: number
  /** The tempos at which times may be so many steps away. */
  readonly tempos: readonly number[]
}

/** All steps of pitch and tempo, the nearest first. */
const CELLS: readonly Cell[] = cells()

function cells(): Cell[] {
  const { pitch: pitchStep, span: spanStep } = TRIPLETS.steps
  const octaves = Math.log2(FARTHEST)
  const pitches = Math.round(octaves / pitchStep)
  const spans = Math.round(octaves / spanStep)
  const found: Cell[] = []
  for (let pitch = -pitches; pitch <= pitches; pitch++) {
    for (let span = -spans; span <= spans; span++) {
      found.push({ pitch, span, tempos: temposOf(span) })
    }
  }
  const distance = ({ pitch, span }: Cell) =>
    Math.abs(pitch) * pitchStep + Math.abs(span) * spanStep
  return found.sort((a, b) => distance(a) - distance(b))
}

/** A time between landmarks that is multiplied by a tempo moves by the step below or the one above. */
function temposOf(span: number): number[] {
  const { span: step } = TRIPLETS.steps
  const from = Math.max(2 ** ((span - 1) * step), 1 / FARTHEST)
  const to = Math.min(2 ** ((span + 1) * step), FARTHEST)
  const count = Math.round((to - from) / TEMPO_STEP) + 1
  return Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1))
}

/**
 * Finds ways of playing at which a song may hold an excerpt, the likeliest first: a few of its codes
 * are looked up at each step of pitch and tempo. Most sound is in no song, and then all steps are
 * searched.
 *
 * @param codes - of an excerpt as it is
 */
export function* guesses(
  codes: Codes,
  lookup: Searched,
): Generator<Steps<Playing | undefined>, void> {
  const hits = new Hits(lookup.songs)
  const all = CELLS.map((cell) => guessing(codes, lookup, cell, hits))
  if (!lookup.elsewhere) {
    yield* all
    return
  }
  // Other processes are asked for all at once: a round trip takes longer than a few more codes.
  let found: (Playing | undefined)[] | undefined
  for (const i of CELLS.keys()) yield guessed(i)

  function* guessed(i: number): Steps<Playing | undefined> {
    found ??= yield* sideBySide(all)
    return found[i]
  }
}

function* guessing(
  codes: Codes,
  lookup: Searched,
  { pitch, span, tempos }: Cell,
  hits: Hits,
): Steps<Playing | undefined> {
  const rules = { ...rulesOf('triplets', 'guess'), rates: tempos }
  const moving = moved(codes, -pitch, span)
  const { accepted } = yield* matching(moving, lookup, rules, undefined, hits)
  const tempo = accepted[0]?.rate
  return tempo === undefined ? undefined : { pitch: 2 ** (pitch * TRIPLETS.steps.pitch), tempo }
}
