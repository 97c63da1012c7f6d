/** 0 for no values. */
export function medianOf(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort()
  if (sorted.length === 0) return 0
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The higher of the two in the middle, of one value or more. */
export function upperMedianOf(values: ArrayLike<number>): number {
  return Float64Array.from(values).sort()[values.length >> 1]!
}

/** 0 if one of the lists is all 0. */
export function cosineDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, squareA, squareB] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!
    squareA += a[i]! ** 2
    squareB += b[i]! ** 2
  }
  return squareA > 0 && squareB > 0 ? 1 - product / Math.sqrt(squareA * squareB) : 0
}

/**
 * The mean, or for `order` 2 the root mean square, over `reach` values on either side; over fewer
 * at the ends.
 */
export function movingMean(values: Float32Array, reach: number, order: 1 | 2 = 1): Float32Array {
  const means = new Float32Array(values.length)
  const term = (i: number) => values[i]! ** order
  let sum = 0
  let windowStart = 0
  let windowEnd = 0
  for (let i = 0; i < values.length; i++) {
    while (windowEnd < Math.min(values.length, i + reach + 1)) sum += term(windowEnd++)
    while (windowStart < i - reach) sum -= term(windowStart++)
    const mean = sum / (windowEnd - windowStart)
    // Rounding may leave less than 0 of large values that have passed.
    means[i] = order === 2 ? Math.sqrt(Math.max(0, mean)) : mean
  }
  return means
}

/**
 * To mean 0 and standard deviation 1, in place, row-major.
 *
 * @param floor - added to the deviation, so that a constant column does not vary by rounding
 */
export function standardiseColumns(
  values: Float32Array | Float64Array,
  columns: number,
  floor: number,
): void {
  const rows = values.length / columns
  for (let c = 0; c < columns; c++) {
    let mean = 0
    let square = 0
    for (let i = c; i < values.length; i += columns) mean += values[i]! / rows
    for (let i = c; i < values.length; i += columns) square += (values[i]! - mean) ** 2 / rows
    const deviation = Math.sqrt(square) + floor
    for (let i = c; i < values.length; i += columns) values[i] = (values[i]! - mean) / deviation
  }
}

/** Scores are in nats; at least one. */
export function softmax(scores: readonly number[]): number[] {
  const highest = Math.max(...scores)
  const weights = scores.map((score) => Math.exp(score - highest))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}

/** Offset and slope of a logistic function. */
export type Logit = readonly [offset: number, slope: number]

/** The logarithm of odds is `offset + slope * nats`. */
export function logistic(nats: number, [offset, slope]: Logit = [0, 1]): number {
  return 1 / (1 + Math.exp(-offset - slope * nats))
}

/** Points (raw value, share right) of a rising piecewise linear map. */
export type CalibrationTable = readonly (readonly [number, number])[]

/** The end values hold beyond the ends. */
export function calibratedShare(raw: number, table: CalibrationTable): number {
  const first = table[0]!
  if (raw <= first[0]) return first[1]
  for (let i = 1; i < table.length; i++) {
    const [x0, y0] = table[i - 1]!
    const [x1, y1] = table[i]!
    if (raw <= x1) return y0 + ((y1 - y0) * (raw - x0)) / (x1 - x0)
  }
  return table.at(-1)![1]
}
