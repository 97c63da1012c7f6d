import { calibratedShare } from '../statistics.ts'
import {
  heardSeconds,
  type MeasuredDocument,
  type MeasureReference,
  type Measures,
  measuresOf,
} from './measures.ts'
import { REFERENCE, SCALES } from './reference.ts'

/** How music seems to a listener, 0…1; `null`: unknown. */
export interface Impressions {
  energy: number | null
  danceability: number | null
  speechiness: number | null
  acousticness: number | null
  valence: number | null
}

/** Whole numbers by reasoning, not fitted; negative where a measure lowers the value. */
type Weights = { readonly [K in keyof Measures]?: number }

/**
 * The measures and weights of each value; test/programs/evaluate/README.md has the correlations.
 */
export const IMPRESSION_WEIGHTS = {
  /** How intense and active music is; loudness counts twice, as it is said to count most. */
  energy: { loudness: 2, entropy: 1, range: -1, brightness: 1, rate: 1 },
  /** How well one can dance to music; accents count twice, because dancing needs them. */
  danceability: { accent: 2, rate: 1, tempoDistance: -1, unevenness: -1 },
  /**
   * How much is spoken: above 0.66 nearly all, below 0.33 it is music (measures after Scheirer &
   * Slaney, ICASSP 1997).
   */
  speechiness: { tonality: -1, flatnessSpread: 1, unevenness: 1 },
  /**
   * How sure it is that the instruments are acoustic: soft, dark sounds that ring out and peak
   * late.
   */
  acousticness: { loudness: -1, brightness: -1, accent: 1, attack: 1 },
  /**
   * How cheerful music sounds, by the cues that listeners agree on (Gabrielsson & Lindström, 2010).
   */
  valence: { rate: 1, entropy: 1, accent: 1, range: -1, mode: 1 },
} as const satisfies Record<keyof Impressions, Weights>

/** Seconds of sound below which there is no music to judge. */
const LEAST_HEARD = 3

/** Deviations at which a measure saturates: rare values count little more than unusual ones. */
const FARTHEST = 3

/**
 * In silence, energy and danceability are 0. Unknown are those of less than three seconds of sound,
 * or that need an unknown loudness.
 */
export function impressionsOf(document: MeasuredDocument): Impressions {
  const measures = measuresOf(document)
  if (!measures) {
    const silenceValue = document.segments.length > 0 ? 0 : null
    const unknown = { speechiness: null, acousticness: null, valence: null }
    return { energy: silenceValue, danceability: silenceValue, ...unknown }
  }
  if (heardSeconds(document) < LEAST_HEARD) {
    return {
      energy: null,
      danceability: null,
      speechiness: null,
      acousticness: null,
      valence: null,
    }
  }
  const impressionOf = (value: keyof Impressions) => {
    const sum = weightedSum(measures, IMPRESSION_WEIGHTS[value])
    return Number.isNaN(sum) ? null : calibratedShare(sum, SCALES[value])
  }
  return {
    energy: impressionOf('energy'),
    danceability: impressionOf('danceability'),
    speechiness: impressionOf('speechiness'),
    acousticness: impressionOf('acousticness'),
    valence: impressionOf('valence'),
  }
}

/** Each measure counts in deviations from its middle over the reference pieces. */
export function weightedSum(
  measures: Measures,
  weights: Weights,
  reference: MeasureReference = REFERENCE,
): number {
  let sum = 0
  for (const [name, weight] of Object.entries(weights) as [keyof Measures, number][]) {
    const { middle, deviation } = reference[name]
    const standing = (measures[name] - middle) / deviation
    sum += weight * FARTHEST * Math.tanh(standing / FARTHEST)
  }
  return sum
}
