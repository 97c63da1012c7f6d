/**
 * The first rows by ascending key, from `start` on; rows with equal keys in the given order. Each
 * row is read once, unless it is among the first.
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
  const byKey = (a: number, b: number) => (keys[a] as number) - (keys[b] as number) || a - b
  // Few of many rows are wanted, so rows that cannot be among them are skipped.
  const most = Math.max(2 * wanted, 512)
  let chosen: number[] = []
  let bound = Number.NaN
  for (let i = 0; i < rows.length; i++) {
    // Among equals the earlier row comes first. NaN, at the beginning, bounds nothing.
    if ((keys[i] as number) >= bound) continue
    chosen.push(i)
    if (chosen.length < most) continue
    chosen = chosen.sort(byKey).slice(0, wanted)
    bound = keys[chosen.at(-1) as number] as number
  }
  return chosen
    .sort(byKey)
    .slice(start, wanted)
    .map((i) => rows[i] as number)
}
