/** Of its distances from the others of its library. */
export interface Spread {
  mean: number
  deviation: number
}

/** Of two tracks whose distance is the mean of each one's distances. */
export const TYPICAL_APARTNESS = 10
/** Keeps the order of near tracks where nearly every other track is farther from both. */
const LINEAR_WEIGHT = 2
/** A smaller share of the library is not told apart. */
const LEAST_SHARE = 1e-9

/**
 * 0…1: the chance that a track is farther from each of the two than they are from each other
 * (Schnitzer et al., "Local and global scaling reduce hubs in space", JMLR 13, 2012).
 */
export function mutualProximity(distance: number, spread: Spread, otherSpread: Spread): number {
  return (
    fartherShare((distance - spread.mean) / spread.deviation) *
    fartherShare((distance - otherSpread.mean) / otherSpread.deviation)
  )
}

/**
 * {@link TYPICAL_APARTNESS} for any two, less for neighbours: the information of their mutual
 * proximity, five for each bit. The mean standing is added, because bits hardly differ near 0.
 */
export function spreadApartness(distance: number, spread: Spread, otherSpread: Spread): number {
  const [a, b] = [
    (distance - spread.mean) / spread.deviation,
    (distance - otherSpread.mean) / otherSpread.deviation,
  ]
  const share = Math.max(fartherShare(a) * fartherShare(b), LEAST_SHARE)
  return (-TYPICAL_APARTNESS / 2) * Math.log2(share) + LINEAR_WEIGHT * ((a + b) / 2)
}

/** Of the standard normal distribution (Abramowitz & Stegun 7.1.26, to 1e-7). */
function fartherShare(standing: number): number {
  const z = Math.abs(standing) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * z)
  const poly =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  const tail = (poly * Math.exp(-z * z)) / 2
  return standing < 0 ? 1 - tail : tail
}
