import type { Definition } from './definition.ts'
import { SCALES } from './reference.ts'

/**
 * How well one can dance to music: marked accents, an even beat at a tempo that is easy to move to,
 * and enough notes.
 *
 * The publisher of such values names tempo, stability of the rhythm, strength of the beat and overall
 * regularity. Accents stand for the strength, counted twice, as nothing can be danced to without.
 *
 * Measured: Spearman 0.740 ± 0.047 with the published values of 214 songs, on their documents of the old
 * service; Kolmogorov–Smirnov distance to the published distribution 0.03 on the 353 reference pieces, each
 * fifth of the packages by the scale of the others, and 0.15 on 207 pieces of 61 packages by a scale of 28
 * others.
 */
export const DANCEABILITY: Definition = {
  weights: { accent: 2, rate: 1, tempoDistance: -1, unevenness: -1 },
  scale: SCALES.danceability,
}
