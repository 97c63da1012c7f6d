import { TEMPO } from './rhythm-constants.ts'

/**
 * The tempo of a list of beats in BPM, 0 for fewer than three.
 *
 * The median interval says what the tempo is; a least-squares line over the longest run of
 * intervals close to it says it precisely. A single beat is known to about 10 ms, so the line
 * over a minute of steady music is good to 0.05 BPM, where the median alone is off by up to 1.
 */
export function tempoOfBeats(starts: ArrayLike<number>): number {
  if (starts.length < 3) return 0
  const intervals = Float64Array.from(
    { length: starts.length - 1 },
    (_, i) => starts[i + 1]! - starts[i]!,
  )
  const median = medianOf(intervals)
  const [from, to] = longestSteadyRun(starts, median)
  const period = to - from < TEMPO.shortestRun ? median : slope(starts, from, to)
  return 60 / (Math.abs(period / median - 1) < TEMPO.agreement ? period : median)
}

/**
 * First and last beat of the longest stretch in which every interval is near the median and the
 * beats never leave a straight grid by more than a little.
 */
function longestSteadyRun(starts: ArrayLike<number>, median: number): [number, number] {
  let best: [number, number] = [0, 0]
  let from = 0
  for (let i = 1; i < starts.length; i++) {
    const away = Math.abs((starts[i]! - starts[i - 1]!) / median - 1)
    if (away > TEMPO.steadiness) from = i
    if (i - from > best[1] - best[0]) best = [from, i]
  }
  return best
}

/** Seconds a beat: the slope of the least-squares line through beats `from` … `to`. */
function slope(starts: ArrayLike<number>, from: number, to: number): number {
  const count = to - from + 1
  const centre = (count - 1) / 2
  let product = 0
  let square = 0
  for (let i = 0; i < count; i++) {
    product += (i - centre) * (starts[from + i]! - starts[from]!)
    square += (i - centre) ** 2
  }
  return product / square
}

export function medianOf(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort()
  if (sorted.length === 0) return 0
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
