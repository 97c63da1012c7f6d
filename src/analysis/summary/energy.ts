import type { Definition } from './definition.ts'

/**
 * How intense and active music is: loud, noisy, evenly loud, bright, and full of notes.
 *
 * The five inputs are those that the publisher of such values names: perceived loudness, general
 * entropy, dynamic range, timbre and onset rate. Loudness counts twice, because it is said to count
 * most.
 *
 * Measured: Spearman 0.645 ± 0.043 with the published values of 214 songs, on their documents of the old
 * service; Kolmogorov–Smirnov distance to the published distribution 0.11, between halves of the
 * reference pieces.
 */
export const ENERGY: Definition = {
  weights: { loudness: 2, entropy: 1, range: -1, brightness: 1, rate: 1 },
  scale: [
    [-18, 0],
    [-8, 0.14],
    [-5.5, 0.28],
    [-2.5, 0.49],
    [-0.4, 0.66],
    [1.7, 0.81],
    [5.1, 0.93],
    [6.7, 0.97],
    [18, 1],
  ],
}
