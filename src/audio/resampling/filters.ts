/** Linear interpolation errs by about −106 dB. */
export const TABLE_PHASES = 512

const STOP_BAND_DECIBELS = 104
/** Of the lower Nyquist frequency; its mirror image is the stop band. */
const PASSBAND_SHARE = 0.85

/** Half the length of a filter in input samples (Kaiser's estimate). */
export function halfLength(low: number): number {
  const transition = 2 * (1 - PASSBAND_SHARE) * Math.PI * low
  return (STOP_BAND_DECIBELS - 8) / (2.285 * transition) / 2
}

/** Row p is the impulse response for phase p/phases; with `closed`, one more row for phase 1. */
export function filterBank(
  phases: number,
  reach: number,
  low: number,
  closed: boolean,
): Float64Array {
  const width = 2 * reach
  const rows = phases + (closed ? 1 : 0)
  const taps = new Float64Array(rows * width)
  for (let p = 0; p < rows; p++) {
    let sum = 0
    for (let k = 0; k < width; k++) {
      const value = filterResponse(k - reach + 1 - p / phases, reach, low)
      taps[p * width + k] = value
      sum += value
    }
    // Each phase passes a constant unchanged, or a constant would come out as a tone.
    for (let k = 0; k < width; k++) taps[p * width + k]! /= sum
  }
  return taps
}

/** `taps` holds the centre, then those at ±1, ±3 … ±`reach`; the others are 0. */
export const HALF_BAND = (() => {
  const reach = Math.ceil((halfLength(0.5) + 1) / 4) * 4 - 1
  const pairs = (reach + 1) / 2
  const taps = new Float64Array(1 + pairs)
  taps[0] = 0.5
  let sum = 0
  for (let i = 1; i <= pairs; i++) {
    taps[i] = filterResponse(2 * i - 1, reach + 1, 0.5)
    sum += 2 * taps[i]!
  }
  for (let i = 1; i <= pairs; i++) taps[i]! *= 0.5 / sum
  return Object.freeze({ reach, pairs, taps })
})()

/** An ideal low-pass under a Kaiser window of ±reach samples. */
function filterResponse(t: number, reach: number, low: number): number {
  const edge = t / reach
  if (Math.abs(edge) >= 1) return 0
  const beta = 0.1102 * (STOP_BAND_DECIBELS - 8.7)
  const sinc = t === 0 ? low : Math.sin(Math.PI * low * t) / (Math.PI * t)
  return (sinc * bessel0(beta * Math.sqrt(1 - edge * edge))) / bessel0(beta)
}

/** The modified Bessel function of the first kind and order 0, by its power series. */
function bessel0(x: number): number {
  let sum = 1
  let term = 1
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}
