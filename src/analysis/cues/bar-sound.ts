import { firstFrom } from '../../audio/samples.ts'
import { type Material, materialOf, supportAt } from '../correction/material.ts'
import type { AnalysisDocument, Segment } from '../document.ts'
import { LOUDNESS } from '../loudness-measures.ts'

/** Seconds between the samples of the level. */
const STEP = 0.02

/** What a document says of the sound of each bar. */
export interface BarSound {
  /** Starts of the bars, and the end of the last. */
  edges: readonly number[]
  /** Mean power of each bar, dB. */
  levels: readonly number[]
  /** How far onsets support the beats of each bar, 0…1. */
  pulses: readonly number[]
  /** The pitches of each bar, of length 1. */
  pitches: readonly Float64Array[]
  /** How far the pitches of each bar are from equally strong ones, nats: 0 for noise. */
  clarities: readonly number[]
}

/** The sound of each bar. */
export function barSoundOf(document: AnalysisDocument): BarSound {
  const { bars, segments } = document
  const material = materialOf(document)
  const levelAt = levelOf(segments)
  const last = bars.at(-1)!
  const pitches = bars.map(({ start, duration }) => pitchesOf(material, start, start + duration))
  return {
    edges: [...bars.map(({ start }) => start), last.start + last.duration],
    levels: bars.map(({ start, duration }) => {
      const steps = Math.max(1, Math.round(duration / STEP))
      let power = 0
      for (let i = 0; i < steps; i++)
        power += powerOf(levelAt(start + ((i + 0.5) * duration) / steps))
      return decibels(power / steps)
    }),
    pulses: bars.map(({ start, duration }) => pulseOf(material, start, start + duration)),
    pitches: pitches.map(({ unit }) => unit),
    clarities: pitches.map(({ clarity }) => clarity),
  }
}

export function powerOf(level: number): number {
  return 10 ** (level / 10)
}

export function decibels(power: number): number {
  return Math.max(LOUDNESS.floor, 10 * Math.log10(power))
}

/** The mean of levels by power, from one index to before another. */
export function meanLevel(levels: readonly number[], from = 0, to = levels.length): number {
  let power = 0
  for (let i = from; i < to; i++) power += powerOf(levels[i]!)
  return decibels(power / Math.max(1, to - from))
}

/**
 * The level at a moment, for moments in ascending order. A sound rises from its start to its loudest
 * moment and falls to the start of the next, both linearly in dB.
 */
function levelOf(segments: readonly Segment[]): (time: number) => number {
  let at = 0
  return (time) => {
    while (at + 1 < segments.length && segments[at + 1]!.start <= time) at++
    const segment = segments[at]
    return segment ? levelWithin(segment, segments[at + 1], time) : LOUDNESS.floor
  }
}

function levelWithin(segment: Segment, next: Segment | undefined, time: number): number {
  const { start, duration, loudness_start, loudness_max, loudness_max_time } = segment
  const since = time - start
  if (since < loudness_max_time)
    return loudness_start + ((loudness_max - loudness_start) * since) / loudness_max_time
  const after = next?.loudness_start ?? segment.loudness_end ?? loudness_max
  // The rise to a louder sound belongs to that sound.
  const end = Math.min(after, loudness_max)
  const rest = duration - loudness_max_time
  return rest > 0
    ? loudness_max + (end - loudness_max) * Math.min(1, (since - loudness_max_time) / rest)
    : loudness_max
}

/** The moments at which the level first rises above a threshold and last falls below it. */
export function soundingFrom(
  segments: readonly Segment[],
  threshold: number,
): { start: number; end: number } | undefined {
  const first = segments.find(({ loudness_max }) => loudness_max > threshold)
  const last = segments.findLastIndex(({ loudness_max }) => loudness_max > threshold)
  const final = segments[last]
  if (!first || !final) return undefined
  const crossing = (of: Segment, next: Segment | undefined, isLast: boolean): number => {
    const steps = Math.ceil(of.duration / STEP)
    const times = Array.from({ length: steps }, (_, i) => of.start + i * STEP)
    const isLoud = (time: number) => levelWithin(of, next, time) > threshold
    const found = isLast ? times.findLast(isLoud) : times.find(isLoud)
    const time = found ?? of.start
    // It is crossed within a step before the first loud sample, or after the last.
    return isLast ? Math.min(of.start + of.duration, time + STEP) : Math.max(of.start, time - STEP)
  }
  return {
    start: crossing(first, segments[segments.indexOf(first) + 1], false),
    end: crossing(final, segments[last + 1], true),
  }
}

function pulseOf(material: Material, start: number, end: number): number {
  const { edges } = material
  const [from, to] = [firstFrom(edges, start), firstFrom(edges, end)]
  let support = 0
  for (let beat = from; beat < to; beat++) support += supportAt(material, edges[beat]!).support
  return support / Math.max(1, to - from)
}

/** The mean pitches from one moment to another, each segment by how long it sounds there. */
function pitchesOf(
  { onsets, document: { segments } }: Material,
  from: number,
  to: number,
): { unit: Float64Array; clarity: number } {
  const sum = new Float64Array(12)
  for (let i = Math.max(0, firstFrom(onsets, from) - 1); i < firstFrom(onsets, to); i++) {
    const { start, duration, pitches } = segments[i]!
    const inside = Math.min(to, start + duration) - Math.max(from, start)
    for (let k = 0; k < 12 && inside > 0; k++) sum[k] = sum[k]! + inside * pitches[k]!
  }
  const total = sum.reduce((all, value) => all + value, 0)
  if (total <= 0) return { unit: sum, clarity: 0 }
  let entropy = 0
  for (const value of sum) if (value > 0) entropy -= (value / total) * Math.log(value / total)
  const length = Math.hypot(...sum)
  return { unit: sum.map((value) => value / length), clarity: Math.log(12) - entropy }
}
