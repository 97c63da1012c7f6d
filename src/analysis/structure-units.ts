import { type Chroma, meanChroma } from './chroma.ts'
import { type Interval, withFilledPauses } from './intervals.ts'
import { LEVELS, type Levels } from './levels.ts'
import { LOUDNESS } from './loudness-measures.ts'
import { standardise, upperMedianOf } from './statistics.ts'

const UNITS = {
  /** Most units of a track: 1,500 beats are 12 minutes; each units × units matrix takes 9 MB. */
  most: 1_500,
  /** With fewer beats, units are even steps of so many seconds. */
  fewestBeats: 8,
  step: 0.5,
  /** No boundary nearer than this to an end, seconds. */
  edge: 0.05,
  /** Levels are clamped to this many dB below the loudest moment. */
  range: 70,
}

/** How many numbers describe a unit's timbre, cosines over its Bark levels; its harmony has as many. */
export const UNIT_SIZE = 12

/**
 * Cuts a track into beats, or into even steps where there are none, and joins them until they are
 * few enough.
 *
 * @returns units + 1 times, and the bars from the first downbeat to each, if there are bars
 */
export function unitTimes(
  beats: readonly Interval[],
  bars: readonly Interval[],
  duration: number,
): { times: Float64Array; barOf: Float64Array } {
  const starts = withFilledPauses(beats)
    .map(({ start }) => start)
    .filter((start) => start > UNITS.edge && start < duration - UNITS.edge)
  if (starts.length < UNITS.fewestBeats) {
    const steps = Math.round(duration / UNITS.step)
    const units = Math.max(1, Math.min(UNITS.most, steps))
    const times = Float64Array.from({ length: units + 1 }, (_, u) => (duration * u) / units)
    return { times, barOf: new Float64Array(0) }
  }
  const joined = Math.ceil((starts.length + 1) / UNITS.most)
  const all = [0, ...starts, duration]
  const kept = all.filter((_, i) => i % joined === 0 || i === all.length - 1)
  const barOfAll = barPositions(all, beats, bars)
  return {
    times: Float64Array.from(kept),
    barOf: Float64Array.from(barOfAll.filter((_, i) => i % joined === 0 || i === all.length - 1)),
  }
}

/** Bars from the first downbeat to each time, beat by beat; 0 for the start of a pickup. */
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
  const at = times.findIndex((time) => time >= first)
  return times.map((_, i) => (i === 0 && at <= size ? 0 : (i - at) / size))
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
  const bands = new Float64Array(LEVELS.bands)
  const means = new Float64Array(LEVELS.bands)
  let loudest: number = LOUDNESS.floor
  for (const level of levels.loudness) if (level > loudest) loudest = level
  const floor = loudest - UNITS.range
  for (let u = 0; u < units; u++) {
    const from = Math.min(levels.frames - 1, Math.floor(times[u]! * levels.fps))
    const to = Math.min(levels.frames, Math.max(from + 1, Math.floor(times[u + 1]! * levels.fps)))
    means.fill(0)
    let level = 0
    for (let frame = from; frame < to; frame++) {
      levels.bands(frame, bands)
      for (let b = 0; b < LEVELS.bands; b++)
        means[b] = means[b]! + Math.max(floor, bands[b]!) / (to - from)
      level += Math.max(floor, levels.loudness[frame]!) / (to - from)
    }
    loudness[u] = level
    for (let c = 0; c < UNIT_SIZE; c++) {
      let sum = 0
      for (let b = 0; b < LEVELS.bands; b++)
        sum += means[b]! * Math.cos((Math.PI * (c + 1) * (b + 0.5)) / LEVELS.bands)
      timbre[u * UNIT_SIZE + c] = sum
    }
    meanChroma(chroma, times[u]!, times[u + 1]!, pitch, u * UNIT_SIZE)
  }
  standardise(timbre, UNIT_SIZE, 1e-3)
  standardise(pitch, UNIT_SIZE, 1e-3)
  standardise(loudness, 1, 1e-3)
  return { timbre, pitch, loudness }
}
