import { ACOUSTICNESS } from './acousticness.ts'
import { DANCEABILITY } from './danceability.ts'
import { scored } from './definition.ts'
import { ENERGY } from './energy.ts'
import { type Measured, measuresOf } from './measures.ts'
import { SPEECHINESS } from './speechiness.ts'
import { VALENCE } from './valence.ts'

/** How music seems to a listener, 0…1; `null`: it cannot be told. */
export interface Impressions {
  energy: number | null
  danceability: number | null
  speechiness: number | null
  acousticness: number | null
  valence: number | null
}

/**
 * The impressions that a document gives. In silence there is no energy, and no dancing.
 *
 * Each has a file with its definition: measures chosen by reason, with weights of 1 and 2, which are
 * fitted to nothing. What it was measured by stands there too; the deviations are of a bootstrap that
 * keeps the songs of an artist together. The documents also told which of some thirty definitions of a
 * value is better, so new songs may be ranked a little worse.
 *
 * The scales are those of audile's documents. The segments of the old service's are cut and measured
 * otherwise, so these get an energy that is lower by 0.1, a danceability that is higher by 0.08, a valence
 * by 0.2 and an acousticness by 0.34 than the published ones (medians). Values of two analysers are not comparable.
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
  return {
    energy: scored(measures, ENERGY),
    danceability: scored(measures, DANCEABILITY),
    speechiness: scored(measures, SPEECHINESS),
    acousticness: scored(measures, ACOUSTICNESS),
    valence: scored(measures, VALENCE),
  }
}
