import { type Accents, accentsOfBeats } from './beat-accents.ts'
import { calibrated } from './calibration.ts'
import { between, type Interval } from './intervals.ts'
import { medianOf } from './median.ts'
import { bestPhase, chooseMetre, type MetreModel, phaseLead, positionOdds } from './metre-choice.ts'
import { BAR_CONFIDENCE } from './metre-weights.ts'
import { type Novelty, peakFrame } from './novelty.ts'
import { rhythmMaterial } from './rhythm-material.ts'

const FEWEST_BEATS = 8
/** The time signature where there is nothing to tell it by. */
const USUAL = 4
/** Bars over beats less sure than this are less sure in proportion. */
const DOUBTFUL_BEATS = 0.4

interface Bars {
  /** Gap-free; each starts on a beat and ends on one, to the digit. */
  bars: Interval[]
  /** 3, 4, 5 or 7: the number of beats in each of the bars. */
  timeSignature: number
  timeSignatureConfidence: number
}

/**
 * Groups beats into bars: measures the accents of each beat, then chooses the metre they fit best and
 * where its bars begin. Harmony is the novelty's own: true chroma told first beats from others no
 * better (AUC 0.70).
 *
 * Every bar has the same number of beats, and the last one has all of them; beats before the first
 * whole bar (a pickup) and after the last belong to no bar. Bars of two beats are written in pairs, as
 * bars of four. The bars keep the phase that fits most of the track: where the music or the beats have
 * a beat more or fewer in between, the other bars begin on wrong beats, and their confidence is low.
 */
export function findBars(beats: readonly Interval[], novelty: Novelty): Bars {
  if (beats.length < FEWEST_BEATS)
    return { bars: [], timeSignature: USUAL, timeSignatureConfidence: 0 }
  const last = beats.at(-1)!
  const ends = [...beats.map(({ start }) => start), last.start + last.duration]
  const accents = accentsOfBeats(
    Float64Array.from(ends, (time) => peakFrame(time, novelty.fps)),
    rhythmMaterial(novelty),
  )
  const { metre, confidence } = chooseMetre(
    accents,
    60 / medianOf(beats.map(({ duration }) => duration)),
  )
  const { size, first, lead } = layBars(accents, metre)
  const count = Math.floor((beats.length - first) / size)
  const edges = Array.from({ length: count + 1 }, (_, bar) => first + bar * size)
  const sure =
    beats.reduce((sum, { confidence }) => sum + confidence, 0) / beats.length / DOUBTFUL_BEATS
  return {
    bars: between(
      edges.map((b) => ends[b]!),
      (i) => Math.min(1, sure) * calibrated(lead[edges[i]!]!, BAR_CONFIDENCE.bar),
    ),
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
  /** By how much the place of each beat in its bar leads over the next best, in nats. */
  lead: Float64Array
} {
  const odds = positionOdds(accents, metre, model)
  const { phase } = bestPhase(odds, metre)
  const lead = phaseLead(odds, metre, phase)
  if (metre !== 2) return { size: metre, first: phase, lead }
  const pairs = bestPhase(positionOdds(accents, 4, model), 4, [phase, phase + 2])
  return { size: 4, first: pairs.phase, lead }
}
