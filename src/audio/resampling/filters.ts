/** Rows of the interpolated table: linear interpolation errs by about π²/8/512², −106 dB. */
export const TABLE_PHASES = 512

/** Stop-band attenuation the filters are designed for, dB. */
const ATTENUATION = 104
/** Flat up to this part of the lower of the two Nyquist frequencies; its mirror image is the stop band. */
const PASSBAND = 0.85

/**
 * Half the length of a filter, in input samples, that is flat to 0.85 and closed from 1.15 of the
 * lower Nyquist frequency (Kaiser's estimate). @param low that frequency over the input's own
 */
export function halfLength(low: number): number {
  const transition = 2 * (1 - PASSBAND) * Math.PI * low
  return (ATTENUATION - 8) / (2.285 * transition) / 2
}

/**
 * Rows of 2·reach taps, one for each phase p/phases of an input sample: row p holds the impulse
 * response at −reach + 1 − p/phases … With `closed`, one more row for phase 1.
 */
export function bank(phases: number, reach: number, low: number, closed: boolean): Float64Array {
  const width = 2 * reach
  const rows = phases + (closed ? 1 : 0)
  const taps = new Float64Array(rows * width)
  for (let p = 0; p < rows; p++) {
    let sum = 0
    for (let k = 0; k < width; k++) {
      const value = response(k - reach + 1 - p / phases, reach, low)
      taps[p * width + k] = value
      sum += value
    }
    // Each phase passes a constant unchanged, or a constant would come out as a tone.
    for (let k = 0; k < width; k++) taps[p * width + k]! /= sum
  }
  return taps
}

/**
 * The filter that halves a rate. Every second tap is 0 and the rest is symmetric: `taps` holds the
 * centre, then those at ±1, ±3, ±5 … ±`reach`, whose number `pairs` is even.
 */
export const HALF_BAND = (() => {
  const reach = Math.ceil((halfLength(0.5) + 1) / 4) * 4 - 1
  const pairs = (reach + 1) / 2
  const taps = new Float64Array(1 + pairs)
  taps[0] = 0.5
  let sum = 0
  for (let i = 1; i <= pairs; i++) {
    taps[i] = response(2 * i - 1, reach + 1, 0.5)
    sum += 2 * taps[i]!
  }
  for (let i = 1; i <= pairs; i++) taps[i]! *= 0.5 / sum
  return Object.freeze({ reach, pairs, taps })
})()

/** Ideal low-pass at `low` times the input's Nyquist frequency under a Kaiser window of ±reach samples. */
function response(t: number, reach: number, low: number): number {
  const edge = t / reach
  if (Math.abs(edge) >= 1) return 0
  const beta = 0.1102 * (ATTENUATION - 8.7)
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
