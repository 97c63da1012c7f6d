import { firstFrom } from '../../audio/samples.ts'
import { type Material, materialOf, supportAt } from '../correction/material.ts'
import type { AnalysisDocument, Segment } from '../document.ts'
import { LOUDNESS } from '../loudness-measures.ts'

/** Seconds. */
const LEVEL_STEP = 0.02

/** What a document says of the sound of each bar. */
export interface BarSound {
  /** Starts of the bars, and the end of the last. */
  edges: readonly number[]
  /** Mean power, dB. */
  levels: readonly number[]
  /** How far onsets support the beats, 0…1. */
  pulses: readonly number[]
  /** As vectors of length 1. */
  pitches: readonly Float64Array[]
  /** How far the pitches are from equally strong ones, nats: 0 for noise. */
  clarities: readonly number[]
}

export function barSoundOf(document: AnalysisDocument): BarSound {
  const { bars, segments } = document
  const material = materialOf(document)
  const levelAt = levelLookup(segments)
  const last = bars.at(-1)!
  const pitches = bars.map(({ start, duration }) => barPitches(material, start, start + duration))
  return {
    edges: [...bars.map(({ start }) => start), last.start + last.duration],
    levels: bars.map(({ start, duration }) => {
      const steps = Math.max(1, Math.round(duration / LEVEL_STEP))
      let power = 0
      for (let i = 0; i < steps; i++)
        power += powerOfLevel(levelAt(start + ((i + 0.5) * duration) / steps))
      return levelOfPower(power / steps)
    }),
    pulses: bars.map(({ start, duration }) => pulseOf(material, start, start + duration)),
    pitches: pitches.map(({ unit }) => unit),
    clarities: pitches.map(({ clarity }) => clarity),
  }
}

export function powerOfLevel(level: number): number {
  return 10 ** (level / 10)
}

export function levelOfPower(power: number): number {
  return Math.max(LOUDNESS.floor, 10 * Math.log10(power))
}

/** The level of the mean power. */
export function meanLevel(
  levels: readonly number[],
  firstIndex = 0,
  endIndex = levels.length,
): number {
  let power = 0
  for (let i = firstIndex; i < endIndex; i++) power += powerOfLevel(levels[i]!)
  return levelOfPower(power / Math.max(1, endIndex - firstIndex))
}

/**
 * For moments in ascending order. A sound rises to its loudest moment and falls to the next start,
 * linearly in dB.
 */
function levelLookup(segments: readonly Segment[]): (time: number) => number {
  let current = 0
  return (time) => {
    while (current + 1 < segments.length && segments[current + 1]!.start <= time) current++
    const segment = segments[current]
    return segment ? levelWithin(segment, segments[current + 1], time) : LOUDNESS.floor
  }
}

function levelWithin(segment: Segment, next: Segment | undefined, time: number): number {
  const { start, duration, loudness_start, loudness_max, loudness_max_time } = segment
  const elapsed = time - start
  if (elapsed < loudness_max_time)
    return loudness_start + ((loudness_max - loudness_start) * elapsed) / loudness_max_time
  const nextLevel = next?.loudness_start ?? segment.loudness_end ?? loudness_max
  // The rise to a louder sound belongs to that sound.
  const end = Math.min(nextLevel, loudness_max)
  const fallTime = duration - loudness_max_time
  return fallTime > 0
    ? loudness_max + (end - loudness_max) * Math.min(1, (elapsed - loudness_max_time) / fallTime)
    : loudness_max
}

/** The moments at which the level first rises above a threshold and last falls below it. */
export function soundingBetween(
  segments: readonly Segment[],
  threshold: number,
): { start: number; end: number } | undefined {
  const firstSegment = segments.find(({ loudness_max }) => loudness_max > threshold)
  const last = segments.findLastIndex(({ loudness_max }) => loudness_max > threshold)
  const lastSegment = segments[last]
  if (!firstSegment || !lastSegment) return undefined
  const crossingTime = (segment: Segment, next: Segment | undefined, isLast: boolean): number => {
    const steps = Math.ceil(segment.duration / LEVEL_STEP)
    const times = Array.from({ length: steps }, (_, i) => segment.start + i * LEVEL_STEP)
    const isLoud = (time: number) => levelWithin(segment, next, time) > threshold
    const loudTime = isLast ? times.findLast(isLoud) : times.find(isLoud)
    const time = loudTime ?? segment.start
    // It is crossed within a step before the first loud sample, or after the last.
    return isLast
      ? Math.min(segment.start + segment.duration, time + LEVEL_STEP)
      : Math.max(segment.start, time - LEVEL_STEP)
  }
  return {
    start: crossingTime(firstSegment, segments[segments.indexOf(firstSegment) + 1], false),
    end: crossingTime(lastSegment, segments[last + 1], true),
  }
}

function pulseOf(material: Material, start: number, end: number): number {
  const { edges } = material
  const [firstBeat, endBeat] = [firstFrom(edges, start), firstFrom(edges, end)]
  let support = 0
  for (let beat = firstBeat; beat < endBeat; beat++)
    support += supportAt(material, edges[beat]!).support
  return support / Math.max(1, endBeat - firstBeat)
}

/** Each segment counts by how long it sounds there. */
function barPitches(
  { onsets, document: { segments } }: Material,
  begin: number,
  end: number,
): { unit: Float64Array; clarity: number } {
  const sum = new Float64Array(12)
  for (let i = Math.max(0, firstFrom(onsets, begin) - 1); i < firstFrom(onsets, end); i++) {
    const { start, duration, pitches } = segments[i]!
    const overlap = Math.min(end, start + duration) - Math.max(begin, start)
    for (let k = 0; k < 12 && overlap > 0; k++) sum[k] = sum[k]! + overlap * pitches[k]!
  }
  const total = sum.reduce((partialSum, value) => partialSum + value, 0)
  if (total <= 0) return { unit: sum, clarity: 0 }
  let entropy = 0
  for (const value of sum) if (value > 0) entropy -= (value / total) * Math.log(value / total)
  const length = Math.hypot(...sum)
  return { unit: sum.map((value) => value / length), clarity: Math.log(12) - entropy }
}
