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

/** Makes `n` samples with the phases of `bank`, from `first` and `phase` on. */
export function convolve(
  x: Float64Array,
  first: number,
  taps: Float64Array,
  width: number,
  up: number,
  down: number,
  phase: number,
  out: Float32Array,
  n: number,
) {
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
export function interpolate(
  x: Float64Array,
  first: number,
  taps: Float64Array,
  width: number,
  up: number,
  down: number,
  phase: number,
  out: Float32Array,
  n: number,
) {
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
