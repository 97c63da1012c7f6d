import type { AnalysisDocument, Segment } from '../document.ts'
import type { Interval } from '../intervals.ts'
import { LOUDNESS } from '../loudness-measures.ts'
import { medianOf } from '../statistics.ts'

const MEASURES = Object.freeze({
  /** A segment this many dB quieter than the loudest one is silence. */
  silence: 45,
  /** Longer segments count as this long, seconds. */
  longest: 2,
  /** BPM that people like best to move to. */
  easyTempo: 115,
  /** Beats in a stretch that is compared with an even grid, and from one stretch to the next. */
  stretch: 16,
  hop: 8,
  /** Shares of a beat, and seconds, below which no difference is heard. */
  exact: 0.005,
  instant: 0.01,
  /** Nats, likewise. */
  keyed: 0.005,
})

const MOST_ENTROPY = Math.log(12)

/** They mean the same in documents of any analyser. */
export interface Measures {
  /** Of the track, dB; NaN when it is not known. */
  loudness: number
  /** How far loud moments stand above middling ones (95 % and 30 % of the time), dB. */
  range: number
  /** Mean of the second timbre coefficient. */
  brightness: number
  /** Mean entropy of the pitches of a segment, nats. */
  entropy: number
  /** Logarithm of how far the entropy of all pitches lies below the highest, nats. */
  tonality: number
  /** Deviation of the third timbre coefficient, which tells noise from tones. */
  flatnessSpread: number
  rate: number
  /** How far a sound rises from its start to its loudest moment, median, dB. */
  accent: number
  /** Logarithm of the time from the start of a sound to its loudest moment, seconds. */
  attack: number
  /** 1 major, -1 minor. */
  mode: number
  /** Octaves between the tempo and the one that is easiest to move to. */
  tempoDistance: number
  /** Logarithm of how far beats lie from an even grid, in beats. */
  unevenness: number
}

/** The middle of each measure, and how far most music lies from it. */
export type MeasureReference = Readonly<
  Record<keyof Measures, { readonly middle: number; readonly deviation: number }>
>

export type MeasuredDocument = Pick<AnalysisDocument, 'beats' | 'segments'> & {
  track: Pick<AnalysisDocument['track'], 'duration' | 'loudness' | 'tempo' | 'mode'>
}

export function measuresOf({ track, beats, segments }: MeasuredDocument): Measures | undefined {
  const heard = soundingOf(segments)
  if (heard.length === 0) return undefined
  const weights = heard.map(({ duration }) => Math.min(duration, MEASURES.longest))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const weightedMean = (of: (segment: Segment) => number) =>
    heard.reduce((sum, segment, i) => sum + weights[i]! * of(segment), 0) / total
  const levels = heard.map((segment, i) => ({ level: segment.loudness_max, weight: weights[i]! }))
  levels.sort((a, b) => a.level - b.level)
  const levelAt = (share: number) => {
    let place = 0
    for (let passed = levels[0]!.weight; passed < share * total; passed += levels[place]!.weight) {
      if (++place === levels.length - 1) break
    }
    return levels[place]!.level
  }
  const flatness = weightedMean(({ timbre }) => timbre[2]!)
  const classes = Array.from({ length: 12 }, (_, k) => weightedMean(({ pitches }) => pitches[k]!))
  return {
    loudness: track.loudness ?? Number.NaN,
    range: levelAt(0.95) - levelAt(0.3),
    brightness: weightedMean(({ timbre }) => timbre[1]!),
    entropy: weightedMean(({ pitches }) => entropyOf(pitches)),
    tonality: Math.log(MEASURES.keyed + MOST_ENTROPY - entropyOf(classes)),
    flatnessSpread: Math.sqrt(weightedMean(({ timbre }) => (timbre[2]! - flatness) ** 2)),
    rate: segments.length / track.duration,
    accent: medianOf(heard.map((segment) => segment.loudness_max - segment.loudness_start)),
    attack: Math.log(
      MEASURES.instant + medianOf(heard.map((segment) => segment.loudness_max_time)),
    ),
    mode: track.mode === 1 ? 1 : -1,
    tempoDistance: Math.abs(Math.log2(Math.max(1, track.tempo) / MEASURES.easyTempo)),
    unevenness: Math.log(MEASURES.exact + unevennessOf(beats)),
  }
}

export function heardSeconds({ segments }: Pick<MeasuredDocument, 'segments'>): number {
  return soundingOf(segments).reduce((sum, { duration }) => sum + duration, 0)
}

function soundingOf(segments: readonly Segment[]): Segment[] {
  let loudest: number = LOUDNESS.floor
  for (const { loudness_max } of segments) loudest = Math.max(loudest, loudness_max)
  if (loudest <= LOUDNESS.floor) return []
  return segments.filter(
    ({ loudness_max, duration }) => loudness_max > loudest - MEASURES.silence && duration > 0,
  )
}

function entropyOf(pitches: readonly number[]): number {
  const sum = pitches.reduce((total, strength) => total + strength, 0)
  let entropy = 0
  for (const strength of pitches) {
    if (strength > 0) entropy -= (strength / sum) * Math.log(strength / sum)
  }
  return entropy
}

/** The deviation from an even grid, in beats; the median of short stretches. */
function unevennessOf(beats: readonly Interval[]): number {
  const { stretch, hop } = MEASURES
  const deviations: number[] = []
  for (let from = 0; from === 0 || from + stretch <= beats.length; from += hop) {
    const times = beats.slice(from, from + stretch).map(({ start }) => start)
    if (times.length < stretch / 4) continue
    const { period, misses } = evenGrid(times)
    const square = misses.reduce((sum, miss) => sum + miss ** 2, 0)
    deviations.push(Math.sqrt(square / times.length) / period)
  }
  return deviations.length === 0 ? 1 : medianOf(deviations)
}

export function evenGrid(times: readonly number[]): { period: number; misses: number[] } {
  const n = times.length
  const middle = (n - 1) / 2
  const mean = times.reduce((sum, time) => sum + time, 0) / n
  let slope = 0
  let squares = 0
  for (let i = 0; i < n; i++) {
    slope += (i - middle) * (times[i]! - mean)
    squares += (i - middle) ** 2
  }
  const period = slope / squares
  return { period, misses: times.map((time, i) => time - mean - (i - middle) * period) }
}
