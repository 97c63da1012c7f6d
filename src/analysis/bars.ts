import { bestPhase, phaseLead } from './bar-positions.ts'
import { type Accents, accentsOfBeats } from './beat-accents.ts'
import { calibrated } from './calibration.ts'
import { between, type Interval } from './intervals.ts'
import { chooseMetre, type MetreModel, positionOdds } from './metre-choice.ts'
import { BAR_CONFIDENCE } from './metre-weights.ts'
import type { Novelty } from './onsets.ts'
import { ACCENTS, METRE } from './rhythm-constants.ts'
import { rhythmMaterial } from './rhythm-material.ts'
import { medianOf } from './tempo.ts'

export interface Bars {
  /** Gap-free; each starts on a beat and ends on one, to the digit. */
  bars: Interval[]
  /** Index into the beats of each bar's first beat. */
  downbeats: Int32Array
  /** 3, 4, 5 or 7: the number of beats in each of the bars. */
  timeSignature: number
  timeSignatureConfidence: number
}

/**
 * Groups beats into bars: accents of each beat, the metre they fit best, and where its bars begin.
 * Harmony is the novelty's own: true chroma told first beats from others no better (AUC 0.70).
 *
 * Every bar has the same number of beats, and the last is written when all of its beats are there;
 * a pickup before the first whole bar and beats after the last are in none. Bars of two beats are
 * written in pairs, as bars of four. Where music has a beat or two more or fewer in between, or the
 * beats have, the bars keep the phase that fits most of the track: those of the rest begin on other
 * beats than the music's, and their confidence is low.
 */
export function findBars(beats: readonly Interval[], novelty: Novelty): Bars {
  if (beats.length < METRE.fewestBeats)
    return {
      bars: [],
      downbeats: new Int32Array(0),
      timeSignature: METRE.usual,
      timeSignatureConfidence: 0,
    }
  const last = beats.at(-1)!
  const ends = [...beats.map(({ start }) => start), last.start + last.duration]
  const accents = accentsOfBeats(
    Float64Array.from(ends, (time) => (time + ACCENTS.lateness) * novelty.fps),
    rhythmMaterial(novelty),
  )
  const { metre, confidence } = chooseMetre(
    accents,
    60 / medianOf(beats.map(({ duration }) => duration)),
  )
  const { size, first, lead } = layBars(accents, metre)
  const count = Math.floor((beats.length - first) / size)
  const edges = Array.from({ length: count + 1 }, (_, bar) => first + bar * size)
  const downbeats = Int32Array.from(edges.slice(0, count))
  const sure =
    beats.reduce((sum, { confidence }) => sum + confidence, 0) / beats.length / METRE.doubtfulBeats
  return {
    bars: between(
      edges.map((b) => ends[b]!),
      (i) => Math.min(1, sure) * calibrated(lead[downbeats[i]!]!, BAR_CONFIDENCE.bar),
    ),
    downbeats,
    timeSignature: size,
    timeSignatureConfidence: Math.min(1, sure) * calibrated(confidence, BAR_CONFIDENCE.metre),
  }
}

/** Where bars of a metre begin. */
export function layBars(
  accents: Accents,
  metre: number,
  model?: MetreModel,
): {
  /** Beats in a bar. */
  size: number
  /** The beat that begins the first whole bar. */
  first: number
  /** Of each beat, how far the place that it has leads over the next best, in nats. */
  lead: Float64Array
} {
  const odds = positionOdds(accents, metre, model)
  const { phase } = bestPhase(odds, metre)
  const lead = phaseLead(odds, metre, phase)
  if (metre !== 2) return { size: metre, first: phase, lead }
  const pairs = bestPhase(positionOdds(accents, 4, model), 4, [phase, phase + 2])
  return { size: 4, first: pairs.phase, lead }
}
