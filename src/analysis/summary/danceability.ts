import type { Definition } from './definition.ts'

/**
 * How well one can dance to music: marked accents, an even beat at a tempo that is easy to move to,
 * and enough notes.
 *
 * The publisher of such values names tempo, stability of the rhythm, strength of the beat and overall
 * regularity. Accents stand for the strength, counted twice, as nothing can be danced to without.
 *
 * FIGURES_DANCEABILITY
 */
export const DANCEABILITY: Definition = Object.freeze({
  weights: { accent: 2, rate: 1, tempoDistance: -1, unevenness: -1 },
  scale: [
    [-15, 0],
    [-6.7, 0.24],
    [-4.4, 0.34],
    [-1.8, 0.51],
    [-0, 0.62],
    [1.6, 0.73],
    [4.7, 0.84],
    [5.8, 0.92],
    [15, 1],
  ],
})
