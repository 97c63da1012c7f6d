import type { Definition } from './definition.ts'

/**
 * How sure it is that the instruments are acoustic: soft, dark, and made of sounds that are plucked
 * or struck and ring out, with a peak that comes late because nothing compresses it.
 *
 * Measured: Spearman 0.544 ± 0.055 with the published values of 214 songs, on their documents of the old
 * service; Kolmogorov–Smirnov distance to the published distribution 0.09, between halves of the
 * reference pieces.
 */
export const ACOUSTICNESS: Definition = {
  weights: { loudness: -1, brightness: -1, accent: 1, attack: 1 },
  scale: [
    [-12, 0],
    [-4, 0.0005],
    [-2.5, 0.002],
    [-0.6, 0.04],
    [0.5, 0.18],
    [1.9, 0.51],
    [3.6, 0.91],
    [4.6, 0.98],
    [12, 1],
  ],
}
