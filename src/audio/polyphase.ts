/** Rows of the interpolated table: linear interpolation errs by about π²/8/512², −106 dB. */
export const TABLE_PHASES = 512

/** Filters `x` with the taps of `halfBand` and keeps every second sample, from `at` on. */
export function decimate(
  x: Float64Array,
  at: number,
  taps: Float64Array,
  out: Float32Array,
  n: number,
) {
  // taps[0] is the centre, taps[i] belongs to ±(2i − 1). Two sums, because in a single chain each
  // addition would wait for the one before.
  const end = taps.length
  const centre = taps[0]!
  for (let i = 0, c = at; i < n; i++, c += 2) {
    let a = centre * x[c]!
    let b = 0
    for (let k = 1, d = 1; k < end; k += 2, d += 4) {
      a += taps[k]! * (x[c - d]! + x[c + d]!)
      b += taps[k + 1]! * (x[c - d - 2]! + x[c + d + 2]!)
    }
    out[i] = a + b
  }
}

type Kernel = (
  x: Float64Array,
  first: number,
  taps: Float64Array,
  width: number,
  up: number,
  down: number,
  phase: number,
  out: Float32Array,
  n: number,
) => void

/** Makes `n` samples with the phases of `bank`, from `first` and `phase` on. */
export const convolve: Kernel = (x, first, taps, width, up, down, phase, out, n) => {
  const whole = Math.floor(down / up)
  const part = down % up
  for (let i = 0, from = first, p = phase; i < n; i++) {
    let a = 0
    let b = 0
    let c = 0
    let d = 0
    for (let k = p * width, end = k + width, j = from; k < end; k += 4, j += 4) {
      a += taps[k]! * x[j]!
      b += taps[k + 1]! * x[j + 1]!
      c += taps[k + 2]! * x[j + 2]!
      d += taps[k + 3]! * x[j + 3]!
    }
    out[i] = a + b + (c + d)
    from += whole
    p += part
    if (p >= up) {
      p -= up
      from++
    }
  }
}

/** The same with a table of {@link TABLE_PHASES} + 1 phases, interpolated linearly between two. */
export const interpolate: Kernel = (x, first, taps, width, up, down, phase, out, n) => {
  const whole = Math.floor(down / up)
  const part = down % up
  for (let i = 0, from = first, p = phase; i < n; i++) {
    const row = (p * TABLE_PHASES) / up
    const below = Math.floor(row)
    let a = 0
    let b = 0
    for (let k = below * width, end = k + width, j = from; k < end; k += 2, j += 2) {
      a += taps[k]! * x[j]! + taps[k + 1]! * x[j + 1]!
      b += taps[k + width]! * x[j]! + taps[k + width + 1]! * x[j + 1]!
    }
    out[i] = a + (row - below) * (b - a)
    from += whole
    p += part
    if (p >= up) {
      p -= up
      from++
    }
  }
}

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

/** The centre tap and those at 1, 3, 5 … reach. */
export function halfBand(reach: number): Float64Array {
  const pairs = (reach + 1) / 2
  const taps = new Float64Array(1 + pairs)
  taps[0] = 0.5
  let sum = 0
  for (let i = 1; i <= pairs; i++) {
    taps[i] = response(2 * i - 1, reach + 1, 0.5)
    sum += 2 * taps[i]!
  }
  for (let i = 1; i <= pairs; i++) taps[i]! *= 0.5 / sum
  return taps
}

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
