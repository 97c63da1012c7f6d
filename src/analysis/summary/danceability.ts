import type { Definition } from './definition.ts'
import { SCALES } from './reference.ts'

/**
 * How well one can dance to music: marked accents, an even beat at a tempo that is easy to move to,
 * and enough notes.
 *
 * The publisher of such values names tempo, stability of the rhythm, strength of the beat and overall
 * regularity. Accents stand for the strength, counted twice, as nothing can be danced to without.
 *
 * Measured: Spearman 0.745 ± 0.047 with the published values of 214 songs, on their documents of the old
 * service; Kolmogorov–Smirnov distance to the published distribution 0.15 ± 0.04 from half of the
 * reference packages to the other half, 0.12 on 54
 * other pieces.
 */
export const DANCEABILITY: Definition = {
  weights: { accent: 2, rate: 1, tempoDistance: -1, unevenness: -1 },
  scale: SCALES.danceability,
}
