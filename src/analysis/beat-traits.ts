import type { Candidate, WeightedOdds } from './beat-candidates.ts'
import { highestNear, type RhythmMaterial, rhythmMaterial } from './beat-evidence.ts'
import { BEAT_ZONE, STIFFNESS } from './beat-pointer.ts'
import { BANDS, type Novelty } from './novelty.ts'

/** Points a beat at which the novelty is looked up. */
const GRID = 12
const MIDDLE_TEMPO = 110
/** Seconds around a point in which an onset belongs to it. */
const TOLERANCE = 0.03
/** Beats after which a pattern may repeat. */
const LAGS = [1, 2, 3, 4, 6, 8]

/** What candidates are described by. */
export interface CandidateTraits {
  /** The traits, one name for each column. */
  names: readonly string[]
  /** Candidates × names, row-major. */
  values: Float64Array
}

/** The traits of one candidate. */
export function traitsOf({ names, values }: CandidateTraits, candidate: number): Float64Array {
  return values.subarray(candidate * names.length, (candidate + 1) * names.length)
}

/** One trait of all candidates. */
export function columnOf({ names, values }: CandidateTraits, name: string): Float64Array {
  const column = names.indexOf(name)
  return values.filter((_, i) => i % names.length === column)
}

type Named = Readonly<Record<string, number>>

/**
 * Describes each candidate by numbers that tell a beat from its metrical relatives: tempo, what
 * happens on, between and a third into its beats in bass, middle and treble, whether alternate
 * beats differ (kick and snare), where the harmony changes, after how many beats the music
 * repeats, how far the candidates agree, and its likelihood under the pointer model.
 */
export function beatTraits(
  candidates: readonly Candidate[],
  odds: readonly WeightedOdds[],
  agreement: Float64Array,
  novelty: Novelty,
): CandidateTraits {
  const material = rhythmMaterial(novelty)
  const gains = candidates.map(({ at }) => odds.map(({ curve }) => gain(at, curve)))
  const best = odds.map((_, o) => gains.reduce((most, row) => Math.max(most, row[o]!), 0))
  const byWeighting = (name: string, of: (weighting: string, o: number) => number): Named =>
    Object.fromEntries(odds.map(({ weighting }, o) => [`${weighting}${name}`, of(weighting, o)]))
  const rows = candidates.map(({ at, search, found }, i): Named => {
    const beats = patternsOf(at, material)
    return {
      ...tempoTraits(at, material.fps),
      found: Number(found),
      fastSearch: Number(search === 'evenFast'),
      ...bandTraits(beats),
      ...alternationTraits(beats),
      ...repetitionTraits(beats),
      ...harmonyTraits(at, material),
      unsteadiness: unsteadiness(at),
      agreement: agreementWithFinds(i, candidates, agreement),
      ...byWeighting('Gain', (_, o) => gains[i]![o]! / (best[o]! + 1e-6)),
      ...byWeighting('MostGain', (_, o) => best[o]!),
      ...byWeighting('Found', (weighting) => Number(found && search === weighting)),
    }
  })
  return {
    names: Object.keys(rows[0] ?? {}),
    values: Float64Array.from(rows.flatMap((row) => Object.values(row))),
  }
}

/** The names of the traits of the tempo alone. */
export const TEMPO_TRAITS: readonly string[] = ['pace', 'paceSquared', 'paceDistance']

/** `pace` is in octaves above the middle tempo. */
function tempoTraits(at: Float64Array, fps: number): Named {
  const beats = at.length - 1
  const bpm = (60 * fps * beats) / (at[beats]! - at[0]!)
  const pace = Math.log2(bpm / MIDDLE_TEMPO)
  return { pace, paceSquared: pace * pace, paceDistance: Math.abs(pace) }
}

/** Mean agreement of candidate `i` with the paths that the searches found themselves. */
function agreementWithFinds(
  i: number,
  candidates: readonly Candidate[],
  agreement: Float64Array,
): number {
  let sum = 0
  let finds = 0
  candidates.forEach(({ found }, j) => {
    if (!found) return
    sum += agreement[i * candidates.length + j]!
    finds++
  })
  return finds > 0 ? sum / finds : 0
}

/** The salience at `GRID` points of each beat in each band: beats × GRID × bands. */
interface Patterns {
  beats: number
  points: Float32Array
}

const WIDTH = GRID * BANDS.length

function patternsOf(at: Float64Array, { fps, curves }: RhythmMaterial): Patterns {
  const beats = at.length - 1
  const points = new Float32Array(beats * WIDTH)
  for (let b = 0; b < beats; b++) {
    const step = (at[b + 1]! - at[b]!) / GRID
    const reach = Math.min(step * 0.75, TOLERANCE * fps)
    for (let g = 0; g < GRID; g++)
      BANDS.forEach((band, c) => {
        points[b * WIDTH + g * BANDS.length + c] = highestNear(
          curves[band],
          at[b]! + g * step,
          reach,
        )
      })
  }
  return { beats, points }
}

/** The mean of each point over all beats. */
function meanPattern({ beats, points }: Patterns): Float64Array {
  const mean = new Float64Array(WIDTH)
  points.forEach((value, i) => {
    mean[i % WIDTH] = mean[i % WIDTH]! + value / beats
  })
  return mean
}

/** How much each band sounds at some places in the beat, as a logarithm over its mean. */
function bandTraits(patterns: Patterns): Named {
  const pattern = meanPattern(patterns)
  const traits: Record<string, number> = {}
  BANDS.forEach((band, c) => {
    const mean = pattern.filter((_, i) => i % BANDS.length === c)
    const level = mean.reduce((sum, value) => sum + value, 0) / GRID
    const relative = (value: number) => Math.log((value + 0.1) / (level + 0.1))
    traits[`${band}On`] = relative(mean[0]!)
    traits[`${band}Half`] = relative(mean[6]!)
    traits[`${band}Thirds`] = relative((mean[4]! + mean[8]!) / 2)
    traits[`${band}Quarters`] = relative((mean[3]! + mean[9]!) / 2)
    traits[`${band}TwoThirds`] = relative(mean[8]!)
    traits[`${band}Level`] = level
  })
  return traits
}

/** How unequal alternate beats are; kick and snare in turn alternate in opposite senses. */
function alternationTraits({ beats, points }: Patterns): Named {
  const alternation = (band: (typeof BANDS)[number]) => {
    const c = BANDS.indexOf(band)
    let even = 0
    let odd = 0
    for (let b = 0; b < beats; b++) {
      const on = points[b * WIDTH + c]!
      if (b % 2 === 0) even += on / ((beats + 1) >> 1)
      else odd += on / Math.max(1, beats >> 1)
    }
    return Math.log((even + 0.1) / (odd + 0.1))
  }
  const [low, mid, high] = [alternation('low'), alternation('mid'), alternation('high')]
  return {
    lowAlternates: Math.abs(low),
    midAlternates: Math.abs(mid),
    highAlternates: Math.abs(high),
    lowWithHigh: low * high,
    lowWithMid: low * mid,
  }
}

/** Correlation of the beats' patterns with those some beats later. */
function repetitionTraits(patterns: Patterns): Named {
  const { beats, points } = patterns
  const mean = meanPattern(patterns)
  const correlation = (lag: number) => {
    let product = 0
    let square = 1e-9
    for (let b = 0; b + lag < beats; b++)
      for (let i = 0; i < WIDTH; i++) {
        const x = points[b * WIDTH + i]! - mean[i]!
        const y = points[(b + lag) * WIDTH + i]! - mean[i]!
        product += x * y
        square += (x * x + y * y) / 2
      }
    return product / square
  }
  return Object.fromEntries(LAGS.map((lag) => [`repeats${lag}`, correlation(lag)]))
}

/**
 * Where the harmony moves: on the beats, half-way between them, and how unequally on alternate
 * and on every fourth beat.
 */
function harmonyTraits(at: Float64Array, { harmony }: RhythmMaterial): Named {
  const beats = at.length - 1
  let on = 0
  let between = 0
  const fours: [number, number, number, number] = [0, 0, 0, 0]
  const threes: [number, number, number] = [0, 0, 0]
  let count = 0
  for (let b = 1; b + 1 < beats; b++) {
    const change = harmony.between(at[b - 1]!, at[b]!, at[b + 1]!)
    const middle = (at[b]! + at[b + 1]!) / 2
    const period = at[b + 1]! - at[b]!
    on += change
    between += harmony.between(middle - period, middle, middle + period)
    fours[b % 4]! += change
    threes[b % 3]! += change
    count++
  }
  const total = on + 1e-6
  const spread = (a: number, b: number) => Math.abs(a - b) / total
  return {
    harmonyOn: Math.log((on + 1e-6) / (between + 1e-6)),
    harmonyLevel: Math.log(on / (count || 1) + 0.01),
    harmonyAlternates: spread(fours[0] + fours[2], fours[1] + fours[3]),
    harmonyFours: Math.max(spread(fours[0], fours[2]), spread(fours[1], fours[3])),
    harmonyThrees: (Math.max(...threes) - Math.min(...threes)) / total,
  }
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
    const zone = Math.max(1, Math.round(length * BEAT_ZONE))
    for (let f = Math.max(0, start); f < Math.min(odds.length, start + zone); f++) sum += odds[f]!
    const next = at[b + 2]
    if (next !== undefined) sum -= STIFFNESS * Math.abs(Math.log((next - at[b + 1]!) / length))
  }
  return Math.max(0, sum / (odds.length || 1))
}
