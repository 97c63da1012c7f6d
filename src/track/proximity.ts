/** A track's distances from the others of its library. */
export interface Spread {
  mean: number
  deviation: number
}

/** How far apart two tracks are whose distance is the mean of each one's distances. */
export const TYPICAL = 10
/** Keeps the order of near tracks where nearly every other track is farther from both. */
const LINEAR = 2
/** A share of the library is not told apart from one that is smaller. */
const LEAST_SHARE = 1e-9

/**
 * Mutual proximity, 0…1: the chance that a track of the library is farther from the one than they
 * are from each other, times the same for the other, by normal distributions. So a track that is
 * near to everything is near to none, and an unusual one has neighbours too. See Schnitzer, Flexer,
 * Schedl, Widmer, "Local and global scaling reduce hubs in space" (JMLR 13, 2012).
 */
export function mutualProximity(distance: number, one: Spread, other: Spread): number {
  return (
    fartherShare((distance - one.mean) / one.deviation) *
    fartherShare((distance - other.mean) / other.deviation)
  )
}

/**
 * How far apart two tracks are as their own neighbourhoods go: {@link TYPICAL} for any two, less for
 * neighbours, below 0 for the nearest of a large library. It is the information of their mutual
 * proximity, five for each bit, and a little of the mean standing, because bits hardly differ near 0.
 * Information adds up: near to two tracks is what is near to both, not what is near to everything.
 */
export function apartness(distance: number, one: Spread, other: Spread): number {
  const [a, b] = [(distance - one.mean) / one.deviation, (distance - other.mean) / other.deviation]
  const share = Math.max(fartherShare(a) * fartherShare(b), LEAST_SHARE)
  return (-TYPICAL / 2) * Math.log2(share) + LINEAR * ((a + b) / 2)
}

/** The share of the standard normal distribution above a value (Abramowitz & Stegun 7.1.26, to 1e-7). */
function fartherShare(standing: number): number {
  const z = Math.abs(standing) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * z)
  const poly =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  const tail = (poly * Math.exp(-z * z)) / 2
  return standing < 0 ? 1 - tail : tail
}
