import type { Definition } from './definition.ts'
import { SCALES } from './reference.ts'

/**
 * How intense and active music is: loud, noisy, evenly loud, bright, and full of notes.
 *
 * The five inputs are those that the publisher of such values names: perceived loudness, general
 * entropy, dynamic range, timbre and onset rate. Loudness counts twice, because it is said to count
 * most.
 *
 * Measured: Spearman 0.646 ± 0.043 with the published values of 214 songs, on their documents of the old
 * service; Kolmogorov–Smirnov distance to the published distribution 0.14 ± 0.06 from half of the
 * reference packages to the other half, 0.28 on 54
 * other pieces as they are and 0.19 with the loudness of published records.
 */
export const ENERGY: Definition = {
  weights: { loudness: 2, entropy: 1, range: -1, brightness: 1, rate: 1 },
  scale: SCALES.energy,
}
