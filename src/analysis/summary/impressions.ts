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

/** The impressions that a document gives. In silence there is no energy, and no dancing. */
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
