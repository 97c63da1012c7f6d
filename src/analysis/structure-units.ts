import { type Chroma, meanChroma } from './chroma.ts'
import { type Interval, withFilledPauses } from './intervals.ts'
import { BAND_LEVELS, type Levels } from './levels.ts'
import { LOUDNESS } from './loudness-measures.ts'
import { standardiseColumns, upperMedianOf } from './statistics.ts'

const STRUCTURE_UNITS = {
  /** 1,500 beats are 12 minutes; each matrix of units takes 9 MB. */
  most: 1_500,
  /** With fewer beats, units are even steps of so many seconds. */
  fewestBeats: 8,
  step: 0.5,
  edge: 0.05,
  /** Levels are clamped to this many dB below the loudest moment. */
  range: 70,
}

/** Of timbre, as cosines over Bark levels, and of harmony. */
export const UNIT_SIZE = 12

/**
 * Beats, or even steps where there are none, joined until they are few enough.
 *
 * @returns units + 1 times, and the bars from the first downbeat to each
 */
export function unitTimes(
  beats: readonly Interval[],
  bars: readonly Interval[],
  duration: number,
): { times: Float64Array; barOf: Float64Array } {
  const starts = withFilledPauses(beats)
    .map(({ start }) => start)
    .filter((start) => start > STRUCTURE_UNITS.edge && start < duration - STRUCTURE_UNITS.edge)
  if (starts.length < STRUCTURE_UNITS.fewestBeats) {
    const steps = Math.round(duration / STRUCTURE_UNITS.step)
    const units = Math.max(1, Math.min(STRUCTURE_UNITS.most, steps))
    const times = Float64Array.from({ length: units + 1 }, (_, u) => (duration * u) / units)
    return { times, barOf: new Float64Array(0) }
  }
  const beatsPerUnit = Math.ceil((starts.length + 1) / STRUCTURE_UNITS.most)
  const allTimes = [0, ...starts, duration]
  const unitStarts = allTimes.filter((_, i) => i % beatsPerUnit === 0 || i === allTimes.length - 1)
  const barOfAll = barPositions(allTimes, beats, bars)
  return {
    times: Float64Array.from(unitStarts),
    barOf: Float64Array.from(
      barOfAll.filter((_, i) => i % beatsPerUnit === 0 || i === allTimes.length - 1),
    ),
  }
}

/** 0 for the start of a pickup. */
function barPositions(
  times: readonly number[],
  beats: readonly Interval[],
  bars: readonly Interval[],
): number[] {
  const indexOf = new Map(beats.map(({ start }, i) => [start, i]))
  const downbeats = bars.map(({ start }) => indexOf.get(start) ?? 0)
  const sizes = downbeats.slice(1).map((beat, i) => beat - downbeats[i]!)
  if (sizes.length === 0) return []
  const size = upperMedianOf(sizes)
  const first = bars[0]!.start
  const firstDownbeat = times.findIndex((time) => time >= first)
  return times.map((_, i) => (i === 0 && firstDownbeat <= size ? 0 : (i - firstDownbeat) / size))
}

/** Each feature has mean 0 and deviation 1 over the track, so that gain and tilt do not matter. */
export function describeUnits(
  times: Float64Array,
  levels: Levels,
  chroma: Chroma,
): { timbre: Float32Array; pitch: Float32Array; loudness: Float32Array } {
  const units = times.length - 1
  const timbre = new Float32Array(units * UNIT_SIZE)
  const pitch = new Float32Array(units * UNIT_SIZE)
  const loudness = new Float32Array(units)
  const bands = new Float64Array(BAND_LEVELS.bands)
  const means = new Float64Array(BAND_LEVELS.bands)
  let loudest: number = LOUDNESS.floor
  for (const level of levels.loudness) if (level > loudest) loudest = level
  const floor = loudest - STRUCTURE_UNITS.range
  for (let u = 0; u < units; u++) {
    const firstFrame = Math.min(levels.frames - 1, Math.floor(times[u]! * levels.fps))
    const endFrame = Math.min(
      levels.frames,
      Math.max(firstFrame + 1, Math.floor(times[u + 1]! * levels.fps)),
    )
    means.fill(0)
    let level = 0
    for (let frame = firstFrame; frame < endFrame; frame++) {
      levels.readBands(frame, bands)
      for (let b = 0; b < BAND_LEVELS.bands; b++)
        means[b] = means[b]! + Math.max(floor, bands[b]!) / (endFrame - firstFrame)
      level += Math.max(floor, levels.loudness[frame]!) / (endFrame - firstFrame)
    }
    loudness[u] = level
    for (let c = 0; c < UNIT_SIZE; c++) {
      let sum = 0
      for (let b = 0; b < BAND_LEVELS.bands; b++)
        sum += means[b]! * Math.cos((Math.PI * (c + 1) * (b + 0.5)) / BAND_LEVELS.bands)
      timbre[u * UNIT_SIZE + c] = sum
    }
    meanChroma(chroma, times[u]!, times[u + 1]!, pitch, u * UNIT_SIZE)
  }
  standardiseColumns(timbre, UNIT_SIZE, 1e-3)
  standardiseColumns(pitch, UNIT_SIZE, 1e-3)
  standardiseColumns(loudness, 1, 1e-3)
  return { timbre, pitch, loudness }
}
