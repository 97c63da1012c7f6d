import { type Steps, sideBySide } from '../../kernel/scheduler.ts'
import type { Codes } from '../systems/codes.ts'
import { moveCodes, type Playing } from '../systems/triplets.ts'
import { TRIPLET_SYSTEM } from '../systems/version.ts'
import { matchCodes } from './match.ts'
import { Hits } from './query.ts'
import { rulesOf } from './rules.ts'
import type { SearchedIndex } from './shortlist.ts'

/** The largest factor of pitch and of tempo. */
const MAX_FACTOR = 1.1

/** Codes agree that are up to six frames apart: 0.4 % of 20 s is two. */
const TEMPO_STEP = 0.004

interface TransformCell {
  readonly pitch: number
  readonly span: number
  /** The tempos at which times may be so many steps away. */
  readonly tempos: readonly number[]
}

const TRANSFORM_CELLS: readonly TransformCell[] = transformCells()

function transformCells(): TransformCell[] {
  const { pitch: pitchStep, span: spanStep } = TRIPLET_SYSTEM.steps
  const octaves = Math.log2(MAX_FACTOR)
  const pitches = Math.round(octaves / pitchStep)
  const spans = Math.round(octaves / spanStep)
  const transforms: TransformCell[] = []
  for (let pitch = -pitches; pitch <= pitches; pitch++) {
    for (let span = -spans; span <= spans; span++) {
      transforms.push({ pitch, span, tempos: temposOf(span) })
    }
  }
  const distance = ({ pitch, span }: TransformCell) =>
    Math.abs(pitch) * pitchStep + Math.abs(span) * spanStep
  return transforms.sort((a, b) => distance(a) - distance(b))
}

/** A time multiplied by a tempo moves by the step below or the one above. */
function temposOf(span: number): number[] {
  const { span: step } = TRIPLET_SYSTEM.steps
  const slowest = Math.max(2 ** ((span - 1) * step), 1 / MAX_FACTOR)
  const fastest = Math.min(2 ** ((span + 1) * step), MAX_FACTOR)
  const count = Math.round((fastest - slowest) / TEMPO_STEP) + 1
  return Array.from({ length: count }, (_, i) => slowest + ((fastest - slowest) * i) / (count - 1))
}

/** Guesses how a song is played that holds an excerpt, the likeliest first, by few codes a step. */
export function* guessPlaying(
  codes: Codes,
  lookup: SearchedIndex,
): Generator<Steps<Playing | undefined>, void> {
  const hits = new Hits(lookup.songs)
  const guessSteps = TRANSFORM_CELLS.map((cell) => guessInCell(codes, lookup, cell, hits))
  if (!lookup.elsewhere) {
    yield* guessSteps
    return
  }
  // Other processes are asked at once: a round trip takes longer than more codes.
  let playings: (Playing | undefined)[] | undefined
  for (const i of TRANSFORM_CELLS.keys()) yield guessAt(i)

  function* guessAt(i: number): Steps<Playing | undefined> {
    playings ??= yield* sideBySide(guessSteps)
    return playings[i]
  }
}

function* guessInCell(
  codes: Codes,
  lookup: SearchedIndex,
  { pitch, span, tempos }: TransformCell,
  hits: Hits,
): Steps<Playing | undefined> {
  const rules = { ...rulesOf('triplets', 'guess'), rates: tempos }
  const movedCodes = moveCodes(codes, -pitch, span)
  const { accepted } = yield* matchCodes(movedCodes, lookup, rules, undefined, hits)
  const tempo = accepted[0]?.rate
  return tempo === undefined
    ? undefined
    : { pitch: 2 ** (pitch * TRIPLET_SYSTEM.steps.pitch), tempo }
}
