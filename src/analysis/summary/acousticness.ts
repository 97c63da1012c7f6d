import type { Definition } from './definition.ts'
import { SCALES } from './reference.ts'

/**
 * How sure it is that the instruments are acoustic: soft, dark, and made of sounds that are plucked
 * or struck and ring out, with a peak that comes late because nothing compresses it.
 *
 * Measured: Spearman 0.538 ± 0.055 with the published values of 214 songs, on their documents of the old
 * service; Kolmogorov–Smirnov distance to the published distribution 0.15 ± 0.05 from half of the
 * reference packages to the other half, 0.20 on 54
 * other pieces as they are and 0.26 with the loudness of published records.
 */
export const ACOUSTICNESS: Definition = {
  weights: { loudness: -1, brightness: -1, accent: 1, attack: 1 },
  scale: SCALES.acousticness,
}
