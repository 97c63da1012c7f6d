/** The middle value, or the mean of the two in the middle; 0 of none. */
export function medianOf(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort()
  if (sorted.length === 0) return 0
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The middle value, or the higher of the two in the middle, of one value or more. */
export function upperMedianOf(values: ArrayLike<number>): number {
  return Float64Array.from(values).sort()[values.length >> 1]!
}
