/** Points to which a polyline is fitted, and how. */
export interface Polyline {
  /** Ascending. */
  x: readonly number[]
  /** Ascending. */
  y: readonly number[]
  /** The most by which the polyline misses a `y`. */
  tolerance: number
  /** Points at which a piece must end, by their indices, ascending. */
  marked?: readonly number[] | undefined
  /** Points at which a piece ends if it can, by their indices. */
  preferred?: ReadonlySet<number> | undefined
  /** How a format rounds slopes and values, and the most by which it changes a value. */
  roundSlope?: (slope: number) => number
  roundValue?: (value: number) => number
  rounding?: number
}

/** A straight piece. */
export interface Piece {
  /** The index of the point with which it begins, and of that with which it ends. */
  at: number
  to: number
  /** Where it begins, and its slope. */
  value: number
  slope: number
}

const FIT = {
  /** The part of the tolerance that is left to the rounding of numbers. */
  slack: 1e-6,
  /** The points whose line places the first. */
  first: 9,
  /** The least slope. */
  flattest: 0.01,
}

/**
 * A rising polyline of few pieces that misses no point by more than the tolerance, by the swing
 * filter of Elmeleegy et al. ("Online piece-wise linear approximation of numerical streams with
 * precision guarantees", VLDB 2009): from each joint the slopes that keep all points so far are a
 * range, which gets narrower with each point until it is empty.
 */
export function polylineOf(given: Polyline): Piece[] {
  const { x, y, marked = [], roundValue = (value: number) => value, rounding = 0 } = given
  const last = y.length - 1
  if (last < 1) return []
  const tolerance = given.tolerance - rounding - FIT.slack
  const stops = [...marked.filter((point) => point > 0 && point < last), last]
  const pieces: Piece[] = []
  let at = 0
  let value = roundValue(within(firstOf(x, y), y[0]! - tolerance, y[0]! + tolerance))
  while (at < last) {
    const stop = stops.find((one) => one > at)!
    const piece = { at, value, ...longestPiece({ ...given, tolerance }, at, value, stop) }
    pieces.push(piece)
    at = piece.to
    // A slope that a format rounds too far leads beside its point; the next piece does not.
    const led = value + (x[at]! - x[piece.at]!) * piece.slope
    value = roundValue(within(led, y[at]! - tolerance, y[at]! + tolerance))
  }
  return pieces
}

/** The longest piece of one slope from a joint on. */
function longestPiece(
  { x, y, tolerance, preferred, roundSlope = (slope) => slope }: Polyline,
  at: number,
  value: number,
  stop: number,
): Pick<Piece, 'to' | 'slope'> {
  let [low, high] = [FIT.flattest, Infinity]
  let best: Pick<Piece, 'to' | 'slope'> | undefined
  let chosen: Pick<Piece, 'to' | 'slope'> | undefined
  for (let to = at + 1; to <= stop; to++) {
    const run = x[to]! - x[at]!
    low = Math.max(low, (y[to]! - tolerance - value) / run)
    high = Math.min(high, (y[to]! + tolerance - value) / run)
    if (low > high) break
    const slope = roundSlope(within((y[to]! - value) / run, low, high))
    if (slope < low || slope > high) continue
    best = { to, slope }
    if (to === stop || preferred?.has(to)) chosen = best
  }
  if (chosen ?? best) return (chosen ?? best)!
  const slope = (y[at + 1]! - value) / (x[at + 1]! - x[at]!)
  return { to: at + 1, slope: roundSlope(Math.max(FIT.flattest, slope)) }
}

/** The first point as the line of the first ones has it: one early beat is no change of tempo. */
function firstOf(x: readonly number[], y: readonly number[]): number {
  const count = Math.min(y.length, FIT.first)
  let [meanX, meanY, xy, xx] = [0, 0, 0, 0]
  for (let i = 0; i < count; i++) {
    meanX += x[i]! / count
    meanY += y[i]! / count
  }
  for (let i = 0; i < count; i++) {
    xy += (x[i]! - meanX) * (y[i]! - meanY)
    xx += (x[i]! - meanX) ** 2
  }
  return meanY + ((x[0]! - meanX) * xy) / xx
}

function within(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}
