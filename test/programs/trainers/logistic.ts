import type { Logit } from '../../../src/analysis/statistics.ts'
import type { Case } from './isotonic.ts'

/** Newton's method has settled long before. */
const STEPS = 60
/** Raw values are divided by their spread, so that both numbers are of one size. */
const LEAST_SPREAD = 1e-9

/** The likeliest logistic function of the raw certainties of cases, by Newton's method. */
export function logisticFit(cases: readonly Case[]): Logit {
  const shares = cases.reduce((sum, { share }) => sum + share, 0)
  const scale = Math.max(
    LEAST_SPREAD,
    Math.sqrt(cases.reduce((sum, { raw, share }) => sum + share * raw * raw, 0) / shares),
  )
  let [offset, slope] = [0, 1]
  for (let step = 0; step < STEPS; step++) {
    let [rise, tilt] = [0, 0]
    let [a, b, c] = [LEAST_SPREAD, 0, LEAST_SPREAD]
    for (const { raw, right, share } of cases) {
      const x = raw / scale
      const chance = 1 / (1 + Math.exp(-offset - slope * x))
      const [off, bend] = [share * (right - chance), share * chance * (1 - chance)]
      rise += off
      tilt += off * x
      a += bend
      b += bend * x
      c += bend * x * x
    }
    const determinant = a * c - b * b
    offset += (c * rise - b * tilt) / determinant
    slope += (a * tilt - b * rise) / determinant
  }
  return [Number(offset.toFixed(4)), Number((slope / scale).toFixed(4))]
}
