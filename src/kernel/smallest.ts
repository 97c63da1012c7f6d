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
  const first = new Smallest(wanted)
  for (let i = 0; i < rows.length; i++) first.add(rows[i]!, keys[i]!)
  return first.rows().slice(start)
}
