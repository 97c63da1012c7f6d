/**
 * The first rows by ascending key, from `start` on; rows of equal keys in the order they are given.
 * In time linear in the rows, however deep `start` is.
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
  const bound = nthSmallest(keys.slice(), wanted - 1)
  const chosen: number[] = []
  const level: number[] = []
  for (let i = 0; i < rows.length; i++) {
    const key = keys[i] as number
    if (key < bound) chosen.push(i)
    else if (key === bound) level.push(i)
  }
  chosen.sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b)
  for (const i of level.slice(0, wanted - chosen.length)) chosen.push(i)
  return chosen.slice(start, wanted).map((i) => rows[i] as number)
}

/** The value that would stand at a place were all sorted (Hoare's quickselect); mixes `values` up. */
function nthSmallest(values: Float64Array, place: number): number {
  let from = 0
  let to = values.length - 1
  while (from < to) {
    const pivot = median(
      values[from] as number,
      values[(from + to) >> 1] as number,
      values[to] as number,
    )
    let i = from
    let j = to
    while (i <= j) {
      while ((values[i] as number) < pivot) i++
      while ((values[j] as number) > pivot) j--
      if (i > j) break
      const swapped = values[i] as number
      values[i++] = values[j] as number
      values[j--] = swapped
    }
    if (place <= j) to = j
    else if (place >= i) from = i
    else break
  }
  return values[place] as number
}

function median(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
