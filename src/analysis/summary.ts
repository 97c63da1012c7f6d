import { highestNear } from './beat-evidence.ts'
import type { Interval } from './intervals.ts'
import type { Levels } from './levels.ts'
import { LOUDNESS } from './loudness.ts'
import { type Novelty, peakFrame } from './novelty.ts'
import type { Segment } from './segments.ts'

/**
 * Energy and danceability: each part's mean and deviation over assorted music, and its weight
 * (spec: loudness counts most for energy). The curves give the published values' median and
 * quartiles: energy 0.49, 0.66, 0.81; danceability 0.51, 0.62, 0.73 (9,779 tracks).
 */
const SUMMARY = {
  energy: Object.freeze({
    parts: Object.freeze({
      loudness: { mean: -11, deviation: 5, weight: 0.6 },
      rate: { mean: 4, deviation: 1.5, weight: 0.3 },
      brightness: { mean: 40, deviation: 60, weight: 0.3 },
      spread: { mean: 7.5, deviation: 3, weight: -0.2 },
    }),
    curve: { median: 0.66, slope: 1.4 },
  }),
  danceability: Object.freeze({
    parts: Object.freeze({
      contrast: { mean: 0.79, deviation: 0.09, weight: 0.4 },
      bass: { mean: 0.8, deviation: 0.1, weight: 0.3 },
      unevenness: { mean: 0.026, deviation: 0.015, weight: -0.4 },
      tempo: { mean: 0.78, deviation: 0.25, weight: 0.4 },
    }),
    curve: { median: 0.49, slope: 0.9 },
    tempoCentre: 115,
    /** Octaves. */
    tempoWidth: 0.45,
    fewestBeats: 4,
  }),
}

/** The results of other stages that energy and danceability are made of. */
interface Music {
  loudness: number
  segments: readonly Segment[]
  levels: Levels
  beats: readonly Interval[]
  tempo: number
  novelty: Novelty
}

interface Impressions {
  /** 0…1; high for loud, busy, bright and dense music. */
  energy: number
  /** 0…1; high for a strong, regular beat at a moderate tempo. */
  danceability: number
  /** 0…1, or null: not measured. */
  speechiness: number | null
}

/**
 * Energy and danceability by audile's own definitions, as the historic service never published its
 * own: weighted sums of standardised measurements, through a logistic curve that spreads music as
 * widely as the service's published values.
 *
 * Energy rises with loudness, segments a second, brightness and density of the level. Danceability
 * rises with the contrast between the beats and the time between them, with the evenness of the beats,
 * with nearness to 115 BPM, and with regular bass, but not with loudness. In silence both are 0.
 */
export function impressionsOf(music: Music): Impressions {
  if (music.loudness <= LOUDNESS.floor) return { energy: 0, danceability: 0, speechiness: null }
  return { energy: energyOf(music), danceability: danceabilityOf(music), speechiness: null }
}

function energyOf({ loudness, segments, levels }: Music): number {
  const { parts, curve } = SUMMARY.energy
  let seconds = 0
  let brightness = 0
  for (const segment of segments) {
    seconds += segment.duration
    brightness += segment.duration * segment.timbre[1]!
  }
  const score =
    part(loudness, parts.loudness) +
    part(segments.length / seconds, parts.rate) +
    part(brightness / seconds, parts.brightness) +
    part(spreadOf(levels.loudness), parts.spread)
  return logistic(score, curve)
}

function danceabilityOf({ beats, tempo, novelty }: Music): number {
  const { parts, curve, tempoCentre, tempoWidth } = SUMMARY.danceability
  if (beats.length < SUMMARY.danceability.fewestBeats) return logistic(-3, curve)
  const nearness = Math.exp(-0.5 * (Math.log2(tempo / tempoCentre) / tempoWidth) ** 2)
  const score =
    part(contrast(beats, novelty.broad, novelty.fps), parts.contrast) +
    part(contrast(beats, novelty.low, novelty.fps), parts.bass) +
    part(unevenness(beats), parts.unevenness) +
    part(nearness, parts.tempo)
  return logistic(score, curve)
}

/** How far a value stands from its mean over music, in deviations, times its weight; bounded. */
function part(
  value: number,
  { mean, deviation, weight }: { mean: number; deviation: number; weight: number },
): number {
  return weight * Math.max(-4, Math.min(4, (value - mean) / deviation))
}

/** A standardised score as 0…1, with the median and quartiles of the published values. */
function logistic(score: number, { median, slope }: { median: number; slope: number }): number {
  return 1 / (1 + Math.exp(-(median + slope * score)))
}

/** dB between loud and middling moments, silence left out: small in dense music. */
function spreadOf(loudness: Float32Array): number {
  const audible = loudness.filter((level) => level > LOUDNESS.floor).sort()
  if (audible.length === 0) return 0
  const at = (share: number) => audible[Math.floor(share * (audible.length - 1))]!
  return at(0.95) - at(0.3)
}

/** Share of the novelty on the beats and between them that falls on the beats. */
function contrast(beats: readonly Interval[], curve: Float32Array, fps: number): number {
  const near = (seconds: number) => highestNear(curve, Math.round(peakFrame(seconds, fps)), 3)
  let on = 0
  let between = 0
  for (const { start, duration } of beats) {
    on += near(start)
    between +=
      (near(start + duration / 3) + near(start + duration / 2) + near(start + (2 * duration) / 3)) /
      3
  }
  return on + between > 0 ? on / (on + between) : 0.5
}

/** Mean change from one beat's length to the next, in log units. */
function unevenness(beats: readonly Interval[]): number {
  let sum = 0
  for (let i = 1; i < beats.length; i++)
    sum += Math.abs(Math.log(beats[i]!.duration / beats[i - 1]!.duration))
  return sum / (beats.length - 1)
}
