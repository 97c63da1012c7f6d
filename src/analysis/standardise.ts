/**
 * Brings each column of a row-major table to mean 0 and standard deviation 1, in place.
 *
 * @param floor  added to the deviation, so that rounding does not make a constant column vary
 */
export function standardise(
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
