/** Points (raw value, share right) of a rising piecewise linear map; raw values rise. */
export type CalibrationTable = readonly (readonly [number, number])[]

/** The share of cases with this raw value that were right; the end values hold beyond the ends. */
export function calibrated(raw: number, table: CalibrationTable): number {
  const first = table[0]!
  if (raw <= first[0]) return first[1]
  for (let i = 1; i < table.length; i++) {
    const [x0, y0] = table[i - 1]!
    const [x1, y1] = table[i]!
    if (raw <= x1) return y0 + ((y1 - y0) * (raw - x0)) / (x1 - x0)
  }
  return table.at(-1)![1]
}
