/**
 * The first rows by ascending key, from `start` on; rows of equal keys in the order they are given.
 * Rows that cannot be among them are looked at once.
 *
 * @param rows - row numbers
 * @param keys - the key of each, at the same place; Infinity for those that come last
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
  // Of many rows few are wanted: those that cannot be among them any more are passed over.
  const most = Math.max(2 * wanted, 512)
  let chosen: number[] = []
  let bound = Number.NaN
  for (let i = 0; i < rows.length; i++) {
    // Among equals those that came before have the place; before there is a bound all are taken.
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
