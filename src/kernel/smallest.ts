/**
 * Collects the rows with the smallest keys, among equal keys the earlier ones. Each row is looked at
 * once, unless it is among the first.
 */
export class Smallest {
  readonly #wanted: number
  #found: { row: number; key: number }[] = []
  /** Rows with this key or a larger one are not wanted. */
  bound = Number.NaN

  /** @param wanted  how many rows; 0 or more */
  constructor(wanted: number) {
    this.#wanted = wanted
  }

  add(row: number, key: number): void {
    // NaN, the initial bound, excludes nothing.
    if (key >= this.bound) return
    this.#found.push({ row, key })
    if (this.#found.length < Math.max(2 * this.#wanted, 512)) return
    this.#sort()
    this.bound = this.#found.at(-1)?.key ?? -Infinity
  }

  /** The rows by ascending key. */
  rows(): number[] {
    this.#sort()
    return this.#found.map(({ row }) => row)
  }

  #sort(): void {
    this.#found = this.#found
      // Equal infinities differ by NaN, which sorts as 0.
      .sort((a, b) => a.key - b.key || 0)
      .slice(0, this.#wanted)
  }
}

/** Up to so many rows are compared with each other; more are divided by their keys first. */
const COMPARED_ROWS = 4096
const MAX_BUCKETS = 65_536

/**
 * The first rows by ascending key, from `start` on; rows with equal keys in the given order.
 *
 * @param rows - row numbers
 * @param keys - the key of each row, at its index; Infinity for the last rows
 */
export function firstByKey(
  rows: Int32Array,
  keys: Float64Array,
  start: number,
  results: number,
): number[] {
  const wanted = Math.min(start + results, rows.length)
  if (wanted <= start) return []
  if (rows.length > COMPARED_ROWS) {
    return Array.from(rankedPlaces(keys, start, wanted), (place) => rows[place]!)
  }
  const first = new Smallest(wanted)
  for (let i = 0; i < rows.length; i++) first.add(rows[i]!, keys[i]!)
  return first.rows().slice(start)
}

/**
 * The places of the keys that come from `start` to before `end` in order. Keys are counted in
 * buckets of equal width, and only those in the buckets of the wanted ones are compared.
 */
function rankedPlaces(keys: Float64Array, start: number, end: number): Int32Array {
  const { low, high } = finiteRange(keys)
  // All are equal, or infinite; or their range is no number.
  if (!(high > low) || !Number.isFinite(high - low)) return comparedPlaces(keys).slice(start, end)
  const buckets = Math.min(MAX_BUCKETS, Math.ceil(keys.length / 4))
  const scale = (buckets - 1) / (high - low)
  // The infinities have buckets of their own.
  const bucketOf = (key: number) =>
    key > high ? buckets + 1 : key < low ? 0 : (1 + (key - low) * scale) | 0
  const counts = new Uint32Array(buckets + 2)
  for (let i = 0; i < keys.length; i++) counts[bucketOf(keys[i]!)]!++
  let first = 0
  let before = 0
  while (before + counts[first]! <= start) before += counts[first++]!
  let last = first
  let count = counts[last]!
  while (before + count < end) count += counts[++last]!
  const places = new Int32Array(count)
  let at = 0
  for (let i = 0; i < keys.length; i++) {
    const bucket = bucketOf(keys[i]!)
    if (bucket >= first && bucket <= last) places[at++] = i
  }
  const theirs = new Float64Array(count)
  for (let i = 0; i < count; i++) theirs[i] = keys[places[i]!]!
  const [from, to] = [start - before, end - before]
  const ranked =
    count > COMPARED_ROWS && count < keys.length
      ? rankedPlaces(theirs, from, to)
      : comparedPlaces(theirs).slice(from, to)
  return ranked.map((place) => places[place]!)
}

function finiteRange(keys: Float64Array): { low: number; high: number } {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    if (key < low && key !== Number.NEGATIVE_INFINITY) low = key
    if (key > high && key !== Number.POSITIVE_INFINITY) high = key
  }
  return { low, high }
}

/** The places of all keys in order, equal keys as they come. */
function comparedPlaces(keys: Float64Array): Int32Array {
  const places = new Int32Array(keys.length)
  let sorted = true
  for (let i = 0; i < places.length; i++) {
    places[i] = i
    if (keys[i]! < keys[i - 1]!) sorted = false
  }
  // Equal infinities differ by NaN, which sorts as 0. Keys of one bucket are often equal.
  return sorted ? places : places.sort((a, b) => keys[a]! - keys[b]! || a - b)
}
