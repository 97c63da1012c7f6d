export interface Polyline {
  /** Ascending. */
  x: readonly number[]
  /** Ascending. */
  y: readonly number[]
  /** The most by which the polyline misses a `y`. */
  tolerance: number
  /** Indices of points at which a piece must end, ascending. */
  marked?: readonly number[] | undefined
  /** Indices of points at which a piece ends if it can. */
  preferred?: ReadonlySet<number> | undefined
  /** How a format rounds, and the most by which it changes a value. */
  roundSlope?: (slope: number) => number
  roundValue?: (value: number) => number
  rounding?: number
}

export interface Piece {
  /** The indices of its first and last points. */
  at: number
  to: number
  value: number
  slope: number
}

const FIT = {
  /** The part of the tolerance that is left to binary rounding. */
  slack: 1e-6,
  /** Points whose line places the first. */
  first: 9,
  flattest: 0.01,
}

/**
 * The swing filter (Elmeleegy et al., VLDB 2009): each point narrows the range of slopes that keep
 * all points so far.
 */
export function polylineOf(polyline: Polyline): Piece[] {
  const { x, y, marked = [], roundValue = (value: number) => value, rounding = 0 } = polyline
  const last = y.length - 1
  if (last < 1) return []
  const tolerance = polyline.tolerance - rounding - FIT.slack
  const stops = [...marked.filter((point) => point > 0 && point < last), last]
  const pieces: Piece[] = []
  let joint = 0
  let value = roundValue(clampBetween(fittedFirstValue(x, y), y[0]! - tolerance, y[0]! + tolerance))
  while (joint < last) {
    const stop = stops.find((point) => point > joint)!
    const piece = {
      at: joint,
      value,
      ...longestPiece({ ...polyline, tolerance }, joint, value, stop),
    }
    pieces.push(piece)
    joint = piece.to
    // A slope that a format rounds too far leads beside its point; the next piece does not.
    const reachedValue = value + (x[joint]! - x[piece.at]!) * piece.slope
    value = roundValue(clampBetween(reachedValue, y[joint]! - tolerance, y[joint]! + tolerance))
  }
  return pieces
}

function longestPiece(
  { x, y, tolerance, preferred, roundSlope = (slope) => slope }: Polyline,
  joint: number,
  value: number,
  stop: number,
): Pick<Piece, 'to' | 'slope'> {
  let [low, high] = [FIT.flattest, Infinity]
  let best: Pick<Piece, 'to' | 'slope'> | undefined
  let chosen: Pick<Piece, 'to' | 'slope'> | undefined
  for (let end = joint + 1; end <= stop; end++) {
    const run = x[end]! - x[joint]!
    low = Math.max(low, (y[end]! - tolerance - value) / run)
    high = Math.min(high, (y[end]! + tolerance - value) / run)
    if (low > high) break
    const slope = roundSlope(clampBetween((y[end]! - value) / run, low, high))
    if (slope < low || slope > high) continue
    best = { to: end, slope }
    if (end === stop || preferred?.has(end)) chosen = best
  }
  if (chosen ?? best) return (chosen ?? best)!
  const slope = (y[joint + 1]! - value) / (x[joint + 1]! - x[joint]!)
  return { to: joint + 1, slope: roundSlope(Math.max(FIT.flattest, slope)) }
}

/** On the line of the first points: one early beat is no change of tempo. */
function fittedFirstValue(x: readonly number[], y: readonly number[]): number {
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

function clampBetween(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}
