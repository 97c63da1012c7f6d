import { bestPhase } from './bar-positions.ts'
import type { Accents } from './beat-accents.ts'
import { METRE_WEIGHTS } from './metre-weights.ts'
import { METRE } from './rhythm-constants.ts'

/** Logistic models; each row holds a class's weights and, last, its bias. */
export interface MetreModel {
  /** By metre: for each place in the bar, from a beat's accents. */
  places: Readonly<Record<number, Rows>>
  /** First beat of a bar or another, from a beat's accents. */
  firstBeat: Rows
  /** The classes of `weights`, and the mean and deviation of its inputs. */
  metres: readonly number[]
  mean: readonly number[]
  deviation: readonly number[]
  weights: Rows
}

type Rows = readonly (readonly number[])[]

/**
 * How far each beat's accents speak for each place in a bar of `metre` beats: beats × metre,
 * row-major, in nats over chance.
 *
 * For bars of 2, 3 and 4 a multinomial logistic model knows each place. For the rarer metres one
 * model tells first beats from others, weighted so that every metre's bars count alike.
 */
export function positionOdds(
  { kinds, values }: Accents,
  metre: number,
  model: Pick<MetreModel, 'places' | 'firstBeat'> = METRE_WEIGHTS,
): Float64Array {
  const beats = values.length / kinds
  const odds = new Float64Array(beats * metre)
  const places = model.places[metre]
  for (let b = 0; b < beats; b++) {
    const row = values.subarray(b * kinds, (b + 1) * kinds)
    if (places !== undefined) {
      const logs = logSoftmax(row, places)
      for (let place = 0; place < metre; place++)
        odds[b * metre + place] = logs[place]! + Math.log(metre)
    } else {
      const [first, other] = logSoftmax(row, model.firstBeat) as [number, number]
      const lead = ((first - other) * metre) / 4
      odds[b * metre] = lead
      for (let place = 1; place < metre; place++) odds[b * metre + place] = -lead / (metre - 1)
    }
  }
  return odds
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
  const logs = logSoftmax(
    Float64Array.from(traits, (value, i) => (value - mean[i]!) / deviation[i]!),
    weights,
  )
  const best = logs.indexOf(Math.max(...logs))
  return { metre: metres[best]!, confidence: Math.exp(logs[best]!) }
}

/** What the metre is told by; in part what the models of places say. */
export function metreTraits(
  accents: Accents,
  bpm: number,
  model: Pick<MetreModel, 'places' | 'firstBeat'>,
): number[] {
  const { kinds, values, ternary } = accents
  const traits = METRE.weighed.map(
    (metre) => bestPhase(positionOdds(accents, metre, model), metre).fit,
  )
  for (const lag of METRE.lags) traits.push(recurrence(values, kinds, 0, lag))
  for (const lag of METRE.harmonyLags)
    traits.push(recurrence(values, kinds, METRE.firstHarmonicKind, lag))
  traits.push(ternary, Math.log2(bpm / METRE.middleTempo))
  return traits
}

/** Mean product of the accents, from kind `first` on, with those `lag` beats later. */
function recurrence(values: Float64Array, kinds: number, first: number, lag: number): number {
  const beats = values.length / kinds
  if (beats <= lag + 2) return 0
  let sum = 0
  for (let b = 0; b + lag < beats; b++)
    for (let kind = first; kind < kinds; kind++)
      sum += values[b * kinds + kind]! * values[(b + lag) * kinds + kind]!
  return sum / ((beats - lag) * (kinds - first))
}

/** Log softmax of a linear map; each row of `rows` holds a class's weights and, last, its bias. */
function logSoftmax(input: Float64Array, rows: readonly (readonly number[])[]): number[] {
  const scores = rows.map((row) => {
    let sum = row[input.length]!
    for (let i = 0; i < input.length; i++) sum += row[i]! * input[i]!
    return sum
  })
  const highest = Math.max(...scores)
  const total = scores.reduce((sum, score) => sum + Math.exp(score - highest), 0)
  return scores.map((score) => score - highest - Math.log(total))
}
