import type { Definition } from './definition.ts'

/**
 * How cheerful music sounds: lively, full, accented, evenly loud, and in major. These are the cues
 * that listeners agree on: Gabrielsson and Lindström, "The role of structure in the musical
 * expression of emotions" (Handbook of Music and Emotion, 2010).
 *
 * FIGURES_VALENCE
 */
export const VALENCE: Definition = Object.freeze({
  weights: { rate: 1, entropy: 1, accent: 1, range: -1, mode: 1 },
  scale: [
    [-13, 0],
    [-5.9, 0.11],
    [-4, 0.21],
    [-1.6, 0.46],
    [0.1, 0.66],
    [1.5, 0.82],
    [3.4, 0.96],
    [4.5, 0.97],
    [13, 1],
  ],
})
