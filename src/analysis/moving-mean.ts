/** The mean over `reach` values on either side of each, in one pass; over fewer at the ends. */
export function movingMean<T extends Float32Array | Float64Array>(values: T, reach: number): T {
  const means = values.slice() as T
  let sum = 0
  let from = 0
  let to = 0
  for (let i = 0; i < values.length; i++) {
    while (to < Math.min(values.length, i + reach + 1)) sum += values[to++]!
    while (from < i - reach) sum -= values[from++]!
    means[i] = Math.max(0, sum) / (to - from)
  }
  return means
}
