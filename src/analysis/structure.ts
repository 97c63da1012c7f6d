import type { Chroma } from './chroma.ts'
import type { Interval } from './intervals.ts'
import type { Levels } from './levels.ts'
import { movingMean, standardiseColumns } from './statistics.ts'
import { describeUnits, UNIT_SIZE, unitTimes } from './structure-units.ts'

const STRUCTURE = {
  /** Seconds along a diagonal that two places must be alike for a repetition. */
  diagonal: 2,
  /** Share of a track's units that each may be linked to. */
  neighbours: 0.06,
  /** Deviation of the smoothing of the time-lag image, seconds. */
  smoothing: 2,
  /** Of a standard deviation of each curve, found on labelled clips and generated pieces. */
  weights: {
    timbre8: 0.15,
    timbre16: 0.25,
    level: 0.15,
    repetition: 0.6,
    harmony: 0.25,
    downbeat: 0.6,
  },
}

/** A track in units of about a beat, and the evidence for a boundary before each. */
export interface Structure {
  /** Starts of units, and the end of the last, seconds. */
  times: Float64Array
  units: number
  /** Bars from the first downbeat to each time; empty where there are no bars. */
  barOf: Float64Array
  /** In standard deviations, one value for each time. */
  evidence: Float64Array
}

/**
 * Evidence is checkerboard novelty over timbre (Foote, ICME 2000), changes of repetition (Serrà et
 * al., IEEE TMM 2014), steps of level, and downbeats.
 */
export function structureOf(
  beats: readonly Interval[],
  bars: readonly Interval[],
  levels: Levels,
  chroma: Chroma,
  duration: number,
): Structure {
  const { times, barOf } = unitTimes(beats, bars, duration)
  const units = times.length - 1
  const { timbre, pitch, loudness } = describeUnits(times, levels, chroma)
  const seconds = duration / units
  // One matrix for all, as it takes up to 9 MB.
  const similarities = new Float32Array(units * units)
  compareUnits(similarities, units, [timbre])
  const timbre8 = standardisedCurve(checkerboardNovelty(similarities, units, 8 / seconds))
  const timbre16 = standardisedCurve(checkerboardNovelty(similarities, units, 16 / seconds))
  compareUnits(similarities, units, [pitch])
  const harmony = standardisedCurve(repetitionChanges(similarities, units, seconds))
  compareUnits(similarities, units, [timbre, pitch])
  const downbeats = new Set(bars.map(({ start }) => start))
  const curves: Record<keyof typeof STRUCTURE.weights, Float64Array> = {
    ...{ timbre8, timbre16, harmony },
    level: standardisedCurve(levelChanges(loudness, 4 / seconds)),
    repetition: standardisedCurve(repetitionChanges(similarities, units, seconds)),
    downbeat: Float64Array.from(times, (time) => (downbeats.has(time) ? 1 : 0)),
  }
  const evidence = new Float64Array(units + 1)
  for (const [name, curve] of Object.entries(curves)) {
    const weight = STRUCTURE.weights[name as keyof typeof curves]
    for (let u = 1; u < units; u++) evidence[u] = evidence[u]! + weight * curve[u]!
  }
  return { times, units, barOf, evidence }
}

function compareUnits(
  similarities: Float32Array,
  units: number,
  kinds: readonly Float32Array[],
): void {
  const norms = kinds.map((features) =>
    Float64Array.from({ length: units }, (_, u) => Math.sqrt(unitProduct(features, u, u)) + 1e-9),
  )
  for (let a = 0; a < units; a++) {
    for (let b = a; b < units; b++) {
      let sum = 0
      for (let kind = 0; kind < kinds.length; kind++) {
        const norm = norms[kind]!
        sum += Math.fround(unitProduct(kinds[kind]!, a, b) / (norm[a]! * norm[b]!))
      }
      similarities[a * units + b] = sum / kinds.length
      similarities[b * units + a] = similarities[a * units + b]!
    }
  }
}

function unitProduct(features: Float32Array, a: number, b: number): number {
  let sum = 0
  for (let i = 0; i < UNIT_SIZE; i++)
    sum += features[a * UNIT_SIZE + i]! * features[b * UNIT_SIZE + i]!
  return sum
}

/** Units are alike on each side of a boundary, and not across it. */
function checkerboardNovelty(
  similarities: Float32Array,
  units: number,
  reach: number,
): Float64Array {
  const half = Math.max(2, Math.round(reach))
  const taper = Float64Array.from({ length: 2 * half }, (_, i) =>
    Math.exp(-2 * ((i - half + 0.5) / half) ** 2),
  )
  const novelty = new Float64Array(units + 1)
  for (let centre = 1; centre < units; centre++) {
    const firstUnit = Math.max(0, centre - half)
    const endUnit = Math.min(units, centre + half)
    let sum = 0
    let weights = 0
    for (let a = firstUnit; a < endUnit; a++) {
      const weightOfA = taper[a - centre + half]!
      for (let b = firstUnit; b < endUnit; b++) {
        const weight = weightOfA * taper[b - centre + half]!
        const sign = a < centre === b < centre ? 1 : -1
        sum += sign * weight * similarities[a * units + b]!
        weights += weight
      }
    }
    novelty[centre] = sum / weights
  }
  return novelty
}

function levelChanges(loudness: Float32Array, reach: number): Float64Array {
  const units = loudness.length
  const half = Math.max(1, Math.round(reach))
  const meanLevel = (firstUnit: number, endUnit: number) => {
    let sum = 0
    for (let u = firstUnit; u < endUnit; u++) sum += loudness[u]! / (endUnit - firstUnit)
    return sum
  }
  const steps = new Float64Array(units + 1)
  for (let u = 1; u < units; u++)
    steps[u] = Math.abs(
      meanLevel(u, Math.min(units, u + half)) - meanLevel(Math.max(0, u - half), u),
    )
  return steps
}

/**
 * How fast the lags at which the music repeats itself change, by a smoothed time-lag image of
 * mutual nearest neighbours.
 *
 * @param similarities - is overwritten
 */
function repetitionChanges(
  similarities: Float32Array,
  units: number,
  seconds: number,
): Float64Array {
  const along = Math.max(1, Math.round(STRUCTURE.diagonal / seconds))
  const reach = Math.max(1, Math.round(STRUCTURE.smoothing / seconds))
  meanAlongDiagonals(similarities, units, along)
  const links = mutualNeighbours(similarities, units)
  const kernel = Float64Array.from({ length: 6 * reach + 1 }, (_, i) =>
    Math.exp(-0.5 * ((i - 3 * reach) / reach) ** 2),
  )
  const addSmoothed = (sums: Float64Array, u: number, value: number) => {
    const lastUnit = Math.min(units - 1, u + 3 * reach)
    for (let v = Math.max(0, u - 3 * reach); v <= lastUnit; v++)
      sums[v] = sums[v]! + kernel[u - v + 3 * reach]! * value
  }
  const weights = new Float64Array(units)
  for (let u = 0; u < units; u++) addSmoothed(weights, u, 1)
  const change = new Float64Array(units + 1)
  const smooth = new Float64Array(units)
  for (let lag = 0; lag < units; lag++) {
    smooth.fill(0)
    for (let u = 0; u < units; u++) {
      const linkedUnit = u + lag + units
      const row = u * units
      const beside =
        links[row + ((linkedUnit + 1) % units)]! + links[row + ((linkedUnit - 1) % units)]!
      const value = 0.5 * links[row + (linkedUnit % units)]! + 0.25 * beside
      if (value > 0) addSmoothed(smooth, u, value)
    }
    let previous = smooth[0]! / weights[0]!
    for (let u = 1; u < units; u++) {
      const value = smooth[u]! / weights[u]!
      change[u] = change[u]! + (value - previous) ** 2
      previous = value
    }
  }
  return change.map(Math.sqrt)
}

function meanAlongDiagonals(similarities: Float32Array, units: number, along: number): void {
  const diagonal = new Float32Array(units)
  for (let offset = 0; offset < units; offset++) {
    const length = units - offset
    for (let a = 0; a < length; a++) diagonal[a] = similarities[a * units + a + offset]!
    movingMean(diagonal.subarray(0, length), along).forEach((mean, a) => {
      similarities[a * units + a + offset] = mean
      similarities[(a + offset) * units + a] = mean
    })
  }
}

/** 1 where two units, not close to each other, are among each other's most alike. */
function mutualNeighbours(similarities: Float32Array, units: number): Uint8Array {
  const neighbours = new Uint8Array(units * units)
  const count = Math.max(2, Math.round(STRUCTURE.neighbours * units))
  const row = new Float32Array(units)
  for (let a = 0; a < units; a++) {
    for (let b = 0; b < units; b++) row[b] = Math.abs(a - b) < 4 ? -9 : similarities[a * units + b]!
    const sorted = row.slice().sort()
    const threshold = sorted[Math.max(0, units - 1 - count)]!
    for (let b = 0; b < units; b++) if (row[b]! > threshold) neighbours[a * units + b] = 1
  }
  for (let a = 0; a < units; a++) {
    for (let b = a; b < units; b++) {
      const both = neighbours[a * units + b]! & neighbours[b * units + a]!
      neighbours[a * units + b] = both
      neighbours[b * units + a] = both
    }
  }
  return neighbours
}

function standardisedCurve(curve: Float64Array): Float64Array {
  standardiseColumns(curve, 1, 1e-6)
  return curve
}
