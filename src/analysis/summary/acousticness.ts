import type { Definition } from './definition.ts'
import { SCALES } from './reference.ts'

/**
 * How sure it is that the instruments are acoustic: soft, dark, and made of sounds that are plucked
 * or struck and ring out, with a peak that comes late because nothing compresses it.
 *
 * Measured: Spearman 0.545 ± 0.055 with the published values of 214 songs, on their documents of the old
 * service; Kolmogorov–Smirnov distance to the published distribution 0.03 on the 353 reference pieces, each
 * fifth of the packages by the scale of the others, and 0.14 on 207 pieces of 61 packages by a scale of 28
 * others, all with the loudness of published records; as they are, they are quieter, and 0.30 and 0.26 away.
 */
export const ACOUSTICNESS: Definition = {
  weights: { loudness: -1, brightness: -1, accent: 1, attack: 1 },
  scale: SCALES.acousticness,
}
