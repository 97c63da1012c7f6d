import type { Candidate } from './beat-candidates.ts'
import type { Novelty } from './onsets.ts'
import { POINTER, TRAITS } from './rhythm-constants.ts'
import { highestNear, type RhythmMaterial, rhythmMaterial } from './rhythm-material.ts'

/** Points a beat at which the novelty is looked up. */
const GRID = 12

/** What candidates are described by: candidates × `count` values, row-major. */
export interface CandidateTraits {
  values: Float64Array
  count: number
}

/**
 * Describes each candidate by numbers that tell a beat from its metrical relatives: tempo, what
 * happens on, between and a third into its beats in bass, middle and treble, whether alternate
 * beats differ (kick and snare), where the harmony changes, after how many beats the music
 * repeats, how far the candidates agree, and how likely the pointer model holds each for.
 *
 * @returns candidates × `count` values, row-major; the order is that of the model's weights, whose
 * first three are of the tempo
 */
export function beatTraits(
  candidates: readonly Candidate[],
  odds: readonly Float32Array[],
  agreement: Float64Array,
  novelty: Novelty,
): CandidateTraits {
  const material = rhythmMaterial(novelty)
  const gains = candidates.map(({ at }) => odds.map((curve) => gain(at, curve)))
  const best = odds.map((_, o) => gains.reduce((most, row) => Math.max(most, row[o]!), 0))
  const rows = candidates.map((candidate, i) => [
    ...traitsOf(candidate, material),
    agreementWithFinds(i, candidates, agreement),
    ...gains[i]!.map((value, o) => value / (best[o]! + 1e-6)),
    ...best,
    // Whether it is the very find of each of the searches over all tempi.
    candidate.search === 0 && candidate.relation === 0 ? 1 : 0,
    candidate.search === 2 && candidate.relation === 0 ? 1 : 0,
    candidate.search === 3 && candidate.relation === 0 ? 1 : 0,
  ])
  const count = rows[0]?.length ?? 0
  return { values: Float64Array.from(rows.flat()), count }
}

/** Mean agreement of candidate `i` with the paths that the searches found themselves. */
function agreementWithFinds(
  i: number,
  candidates: readonly Candidate[],
  agreement: Float64Array,
): number {
  let sum = 0
  let finds = 0
  candidates.forEach(({ relation }, j) => {
    if (relation !== 0) return
    sum += agreement[i * candidates.length + j]!
    finds++
  })
  return finds > 0 ? sum / finds : 0
}

function traitsOf({ at, search, relation }: Candidate, material: RhythmMaterial): number[] {
  const { fps } = material
  const beats = at.length - 1
  const bpm = (60 * fps * beats) / (at[beats]! - at[0]!)
  const pace = Math.log2(bpm / TRAITS.middleTempo)
  const points = gridPoints(at, material)
  const traits = [pace, pace * pace, Math.abs(pace), relation === 0 ? 1 : 0, search === 1 ? 1 : 0]
  const alternations: number[] = []
  for (let c = 0; c < 3; c++) {
    const mean = new Float64Array(GRID)
    let even = 0
    let odd = 0
    for (let b = 0; b < beats; b++) {
      for (let g = 0; g < GRID; g++) mean[g] = mean[g]! + points[(b * GRID + g) * 3 + c]! / beats
      const on = points[b * GRID * 3 + c]!
      if (b % 2 === 0) even += on / ((beats + 1) >> 1)
      else odd += on / Math.max(1, beats >> 1)
    }
    const level = mean.reduce((sum, value) => sum + value, 0) / GRID
    const relative = (value: number) => Math.log((value + 0.1) / (level + 0.1))
    traits.push(
      relative(mean[0]!),
      relative(mean[6]!),
      relative((mean[4]! + mean[8]!) / 2),
      relative((mean[3]! + mean[9]!) / 2),
      relative(mean[8]!),
      level,
    )
    alternations.push(Math.log((even + 0.1) / (odd + 0.1)))
  }
  // Kick and snare in turn: bass and treble alternate, and in opposite senses.
  traits.push(...alternations.map(Math.abs))
  traits.push(alternations[0]! * alternations[2]!, alternations[0]! * alternations[1]!)
  traits.push(...repetition(points, beats))
  traits.push(...harmonicTraits(at, material))
  traits.push(unsteadiness(at))
  return traits
}

/** Salience at `GRID` points of each beat for each curve: beats × GRID × 3. */
function gridPoints(at: Float64Array, { fps, curves }: RhythmMaterial): Float32Array {
  const beats = at.length - 1
  const points = new Float32Array(beats * GRID * 3)
  for (let b = 0; b < beats; b++) {
    const step = (at[b + 1]! - at[b]!) / GRID
    const reach = Math.min(step * 0.75, TRAITS.tolerance * fps)
    for (let g = 0; g < GRID; g++) {
      const centre = at[b]! + g * step
      for (let c = 0; c < 3; c++)
        points[(b * GRID + g) * 3 + c] = highestNear(curves[c as 0 | 1 | 2], centre, reach)
    }
  }
  return points
}

/** Correlation of the beats' patterns with those 1, 2, 3, 4, 6 and 8 beats later. */
function repetition(points: Float32Array, beats: number): number[] {
  const size = GRID * 3
  const mean = new Float64Array(size)
  for (let i = 0; i < beats * size; i++) mean[i % size] = mean[i % size]! + points[i]! / beats
  return TRAITS.lags.map((lag) => {
    let product = 0
    let square = 1e-9
    for (let b = 0; b + lag < beats; b++)
      for (let i = 0; i < size; i++) {
        const x = points[b * size + i]! - mean[i]!
        const y = points[(b + lag) * size + i]! - mean[i]!
        product += x * y
        square += (x * x + y * y) / 2
      }
    return product / square
  })
}

/**
 * Where the harmony moves: on the beats, half-way between them, and how unequally on alternate
 * and on every fourth beat.
 */
function harmonicTraits(at: Float64Array, { harmony }: RhythmMaterial): number[] {
  const beats = at.length - 1
  let on = 0
  let between = 0
  const groups = new Float64Array(4)
  const thirds = new Float64Array(3)
  let count = 0
  for (let b = 1; b + 1 < beats; b++) {
    const change = harmony.between(at[b - 1]!, at[b]!, at[b + 1]!)
    const middle = (at[b]! + at[b + 1]!) / 2
    const period = at[b + 1]! - at[b]!
    on += change
    between += harmony.between(middle - period, middle, middle + period)
    groups[b % 4] = groups[b % 4]! + change
    thirds[b % 3] = thirds[b % 3]! + change
    count++
  }
  const total = on + 1e-6
  const spread = (a: number, b: number) => Math.abs(a - b) / total
  return [
    Math.log((on + 1e-6) / (between + 1e-6)),
    Math.log(on / (count || 1) + 0.01),
    spread(groups[0]! + groups[2]!, groups[1]! + groups[3]!),
    Math.max(spread(groups[0]!, groups[2]!), spread(groups[1]!, groups[3]!)),
    (Math.max(...thirds) - Math.min(...thirds)) / total,
  ]
}

/** Mean absolute change of successive intervals, as a natural logarithm. */
function unsteadiness(at: Float64Array): number {
  let sum = 0
  for (let i = 2; i < at.length; i++)
    sum += Math.abs(Math.log((at[i]! - at[i - 1]!) / (at[i - 1]! - at[i - 2]!)))
  return sum / Math.max(1, at.length - 2)
}

/**
 * Log likelihood a frame of a sequence of beats under the pointer model, as `followBeats` counts
 * it, at least 0.
 */
function gain(at: Float64Array, odds: Float32Array): number {
  let sum = 0
  for (let b = 0; b + 1 < at.length; b++) {
    const length = at[b + 1]! - at[b]!
    const start = Math.round(at[b]!)
    const zone = Math.max(1, Math.round(length * POINTER.beatZone))
    for (let f = Math.max(0, start); f < Math.min(odds.length, start + zone); f++) sum += odds[f]!
    const next = at[b + 2]
    if (next !== undefined)
      sum -= POINTER.stiffness * Math.abs(Math.log((next - at[b + 1]!) / length))
  }
  return Math.max(0, sum / (odds.length || 1))
}
