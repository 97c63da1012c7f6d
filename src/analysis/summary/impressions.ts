import { calibrated } from '../statistics.ts'
import {
  heardSeconds,
  type Measured,
  type Measures,
  measuresOf,
  type Reference,
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

/** Whole numbers by reasoning, not fitted; a negative one where a measure lowers the value. */
type Weights = { readonly [K in keyof Measures]?: number }

/**
 * The measures and weights of each value. The correlations are Spearman's, with the published
 * values of 214 songs, on their documents of the old service; the errors are of a bootstrap that
 * keeps the songs of an artist together. New songs may be ranked a little worse, because these
 * songs also served to choose among some thirty definitions of a value.
 */
export const WEIGHTS = {
  /**
   * How intense and active music is: loud, noisy, evenly loud, bright, and full of notes: the inputs
   * that the publisher of such values names. Loudness counts twice, as it is said to count most.
   * Correlation 0.649 ± 0.043.
   */
  energy: { loudness: 2, entropy: 1, range: -1, brightness: 1, rate: 1 },
  /**
   * How well one can dance to music: marked accents, an even beat at a tempo that is easy to move to,
   * and enough notes. Accents count twice, because dancing needs them. Correlation 0.740 ± 0.047.
   */
  danceability: { accent: 2, rate: 1, tempoDistance: -1, unevenness: -1 },
  /**
   * How much is spoken: above 0.66 nearly all of it, below 0.33 it is music, with or without singing.
   * Speech glides over all pitches (tonality), goes back and forth between vowels and consonants
   * (flatness) and keeps no beat (unevenness): what stands in a document for the measures of Scheirer
   * and Slaney, "Construction and evaluation of a robust multifeature speech/music discriminator"
   * (ICASSP 1997). Area under the curve 1.000 in five folds of 54 speakers and 353 pieces. It does not
   * tell rap from song (correlation 0.22). Speech over music counts as music, noises without pitch and
   * beat as speech.
   */
  speechiness: { tonality: -1, flatnessSpread: 1, unevenness: 1 },
  /**
   * How sure it is that the instruments are acoustic: soft, dark, and made of sounds that are plucked
   * or struck and ring out, with a peak that comes late because nothing compresses it. Correlation
   * 0.545 ± 0.055.
   */
  acousticness: { loudness: -1, brightness: -1, accent: 1, attack: 1 },
  /**
   * How cheerful music sounds: lively, full, accented, evenly loud, and in major. These are the cues
   * that listeners agree on: Gabrielsson and Lindström, "The role of structure in the musical
   * expression of emotions" (Handbook of Music and Emotion, 2010). Correlation 0.514 ± 0.061.
   */
  valence: { rate: 1, entropy: 1, accent: 1, range: -1, mode: 1 },
} as const satisfies Record<keyof Impressions, Weights>

/** Seconds of sound below which there is no music to judge: effects and single notes. */
const LEAST_HEARD = 3

/** Most deviations that a measure counts: rare values count little more than unusual ones. */
const FARTHEST = 3

/**
 * The impressions that a document gives. In silence, energy and danceability are 0; an impression that
 * depends on a loudness that is not known is unknown, and so are all of less than three seconds of sound.
 *
 * The scales fit audile's documents. The old service cuts and measures segments differently, so its
 * documents get an energy lower by 0.1, and a danceability, valence and acousticness higher by
 * 0.08, 0.2 and 0.34 than published (medians). Values of two analysers are not comparable.
 *
 * There is no instrumentalness and no liveness: there were too few free recordings with singing and
 * with an audience to judge any definition by.
 */
export function impressionsOf(document: Measured): Impressions {
  const measures = measuresOf(document)
  if (!measures) {
    const none = document.segments.length > 0 ? 0 : null
    const unknown = { speechiness: null, acousticness: null, valence: null }
    return { energy: none, danceability: none, ...unknown }
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
  const scored = (value: keyof Impressions) => {
    const sum = weigh(measures, WEIGHTS[value])
    return Number.isNaN(sum) ? null : calibrated(sum, SCALES[value])
  }
  return {
    energy: scored('energy'),
    danceability: scored('danceability'),
    speechiness: scored('speechiness'),
    acousticness: scored('acousticness'),
    valence: scored('valence'),
  }
}

/** The weighted sum of measures, each in deviations from its middle over the reference pieces. */
export function weigh(
  measures: Measures,
  weights: Weights,
  reference: Reference = REFERENCE,
): number {
  let sum = 0
  for (const [name, weight] of Object.entries(weights) as [keyof Measures, number][]) {
    const { middle, deviation } = reference[name]
    const standing = (measures[name] - middle) / deviation
    sum += weight * FARTHEST * Math.tanh(standing / FARTHEST)
  }
  return sum
}
