import { type Accents, accentsOfBeats, rhythmMaterial } from './beat-evidence.ts'
import { between, type Interval } from './intervals.ts'
import { BAR_CONFIDENCE, METRE_WEIGHTS } from './metre-weights.ts'
import { type Novelty, peakFrame } from './novelty.ts'
import { calibrated, logSoftmax, medianOf, requireInputs } from './statistics.ts'

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

/** Metres whose fit is measured. */
const METRES = [2, 3, 4, 5, 6, 7]
/** Beats after which accents, and accents of harmony, may come again. */
const LAGS = [1, 2, 3, 4, 5, 6, 7, 8]
const HARMONY_LAGS = [2, 3, 4, 5, 6, 7, 8]
const MIDDLE_TEMPO = 110
/** Bars on either side that vouch for a bar. */
const CERTAINTY_BARS = 4

/** Logistic models; each row holds a class's weights and, last, its bias. */
export interface MetreModel {
  /** The kinds of accents that `places` and `firstBeat` weigh, in order. */
  accents: string
  /** By metre: for each place in the bar, from a beat's accents. */
  places: Readonly<Record<number, Rows>>
  /** First beat of a bar or another, from a beat's accents. */
  firstBeat: Rows
  /** The inputs of `weights` in order, their means and deviations, and its classes. */
  traits: string
  mean: readonly number[]
  deviation: readonly number[]
  metres: readonly number[]
  weights: Rows
}

type Rows = readonly (readonly number[])[]
type PlaceModel = Pick<MetreModel, 'accents' | 'places' | 'firstBeat'>

/**
 * How far each beat's accents speak for each place in a bar of `metre` beats: beats × metre,
 * row-major, in nats over chance.
 *
 * For bars of 2, 3 and 4 a multinomial logistic model knows each place. For the rarer metres one
 * model tells first beats from others, weighted so that every metre's bars count alike.
 */
function positionOdds(
  { kinds, values }: Accents,
  metre: number,
  model: PlaceModel = METRE_WEIGHTS,
): Float64Array {
  requireInputs(model.accents, kinds)
  const beats = values.length / kinds.length
  const odds = new Float64Array(beats * metre)
  const places = model.places[metre]
  for (let b = 0; b < beats; b++) {
    const row = values.subarray(b * kinds.length, (b + 1) * kinds.length)
    if (places !== undefined) {
      const logs = logSoftmax(scoresOf(row, places))
      for (let place = 0; place < metre; place++)
        odds[b * metre + place] = logs[place]! + Math.log(metre)
    } else {
      const [first = 0, other = 0] = logSoftmax(scoresOf(row, model.firstBeat))
      const lead = ((first - other) * metre) / 4
      odds[b * metre] = lead
      for (let place = 1; place < metre; place++) odds[b * metre + place] = -lead / (metre - 1)
    }
  }
  return odds
}

/**
 * The phase of bars of `metre` beats that fits the whole track best: the index of the first beat that
 * begins a bar, and the mean log-odds a beat of the places that beats then have.
 *
 * @param odds  from {@link positionOdds}
 */
function bestPhase(
  odds: Float64Array,
  metre: number,
  phases: readonly number[] = Array.from({ length: metre }, (_, phase) => phase),
): { phase: number; fit: number } {
  const beats = odds.length / metre
  let best = { phase: 0, fit: -Infinity }
  for (const phase of phases) {
    let sum = 0
    for (let b = 0; b < beats; b++) sum += odds[b * metre + ((b + metre - phase) % metre)]!
    if (sum / beats > best.fit) best = { phase, fit: sum / beats }
  }
  return best
}

/** For each beat, how far a phase leads over the next best within some bars around, in nats. */
function phaseLead(odds: Float64Array, metre: number, phase: number): Float64Array {
  const beats = odds.length / metre
  const reach = CERTAINTY_BARS * metre
  const shifted = new Float64Array(metre)
  const lead = new Float64Array(beats)
  const add = (b: number, sign: number): void => {
    for (let shift = 0; shift < metre; shift++)
      shifted[shift] =
        shifted[shift]! + sign * odds[b * metre + ((b + metre - phase + shift) % metre)]!
  }
  for (let b = 0; b < Math.min(beats, reach); b++) add(b, 1)
  for (let b = 0; b < beats; b++) {
    if (b + reach < beats) add(b + reach, 1)
    if (b - reach > 0) add(b - reach - 1, -1)
    let rival = -Infinity
    for (let shift = 1; shift < metre; shift++) rival = Math.max(rival, shifted[shift]!)
    lead[b] = shifted[0]! - rival
  }
  return lead
}

/**
 * The metre of a track, by a softmax that is linear in: how well the best phase of each metre
 * fits, after how many beats the accents come again, whether beats divide in three, and the tempo.
 */
export function chooseMetre(
  accents: Accents,
  bpm: number,
  model: MetreModel = METRE_WEIGHTS,
): { metre: number; confidence: number } {
  const { mean, deviation, weights, metres } = model
  const traits = metreTraits(accents, bpm, model)
  requireInputs(model.traits, Object.keys(traits))
  const standard = Object.values(traits).map((value, i) => (value - mean[i]!) / deviation[i]!)
  const logs = logSoftmax(scoresOf(standard, weights))
  const best = logs.indexOf(Math.max(...logs))
  return { metre: metres[best]!, confidence: Math.exp(logs[best]!) }
}

/** What the metre is told by; in part what the models of places say. */
export function metreTraits(
  accents: Accents,
  bpm: number,
  model: PlaceModel,
): Record<string, number> {
  const harmonies = accents.kinds.filter((kind) => kind.startsWith('harmony'))
  const traits: Record<string, number> = {}
  for (const metre of METRES)
    traits[`fit${metre}`] = bestPhase(positionOdds(accents, metre, model), metre).fit
  for (const lag of LAGS) traits[`recurs${lag}`] = recurrence(accents, accents.kinds, lag)
  for (const lag of HARMONY_LAGS)
    traits[`harmonyRecurs${lag}`] = recurrence(accents, harmonies, lag)
  traits.ternary = accents.ternary
  traits.pace = Math.log2(bpm / MIDDLE_TEMPO)
  return traits
}

/** Mean product of some kinds of accents with those `lag` beats later. */
function recurrence({ kinds, values }: Accents, some: readonly string[], lag: number): number {
  const columns = some.map((kind) => kinds.indexOf(kind))
  const width = kinds.length
  const beats = values.length / width
  if (beats <= lag + 2) return 0
  let sum = 0
  for (let b = 0; b + lag < beats; b++)
    for (const column of columns)
      sum += values[b * width + column]! * values[(b + lag) * width + column]!
  return sum / ((beats - lag) * columns.length)
}

/** The score of each class under a linear map. */
function scoresOf(input: ArrayLike<number>, rows: Rows): number[] {
  return rows.map((row) => {
    let sum = row[input.length]!
    for (let i = 0; i < input.length; i++) sum += row[i]! * input[i]!
    return sum
  })
}
