import { distance, type Heard } from './library.ts'

/** How near two tracks are, by their places: the smaller the nearer. */
export type Scale = (one: number, other: number) => number

/** The distance of the sounds, as it is. */
export function rawScale(tracks: readonly Heard[]): Scale {
  const rows = tracks.map((one) => Float64Array.from(tracks, (other) => distance(one, other)))
  return (one, other) => rows[one]![other]!
}

/**
 * Mutual proximity by normal distributions over the whole library (Schnitzer, Flexer, Schedl,
 * Widmer, "Local and global scaling reduce hubs in space", JMLR 13, 2012).
 */
export function mutualScale(count: number, raw: Scale): Scale {
  const spreads = Array.from({ length: count }, (_, one) => {
    const all = Array.from({ length: count }, (_, other) => raw(one, other))
    const others = all.filter((_, other) => other !== one)
    const mean = others.reduce((sum, apart) => sum + apart, 0) / others.length
    const squares = others.reduce((sum, apart) => sum + (apart - mean) ** 2, 0)
    return { mean, deviation: Math.sqrt(squares / others.length) }
  })
  return (one, other) => {
    const farther = [one, other].map((from) => {
      const { mean, deviation } = spreads[from]!
      return upperTail((raw(one, other) - mean) / deviation)
    })
    return 1 - farther[0]! * farther[1]!
  }
}

/** The places nearest to a seed. */
export function nearestTo(seed: number, places: readonly number[], scale: Scale, length: number) {
  return places
    .filter((place) => place !== seed)
    .sort((a, b) => scale(seed, a) - scale(seed, b))
    .slice(0, length)
}

/** A list by the least sum of the scale from the track before and, as often as `pull` says, from the seed. */
export function greedyFrom(
  seed: number,
  places: readonly number[],
  scale: Scale,
  { length, pull }: { length: number; pull: number },
): number[] {
  const left = new Set(places)
  left.delete(seed)
  const list: number[] = []
  for (let last = seed; list.length < length && left.size > 0; last = list.at(-1)!) {
    let best = -1
    let least = Number.POSITIVE_INFINITY
    for (const place of left) {
      const sum = scale(last, place) + pull * scale(seed, place)
      if (sum < least) [best, least] = [place, sum]
    }
    left.delete(best)
    list.push(best)
  }
  return list
}

/** The share of the standard normal distribution above a value (Abramowitz & Stegun 7.1.26). */
function upperTail(z: number): number {
  const x = Math.abs(z) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * x)
  const poly =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  const tail = (poly * Math.exp(-x * x)) / 2
  return z < 0 ? 1 - tail : tail
}
