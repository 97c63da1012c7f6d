import {
  ANALYSIS_WINDOW,
  BUFFER_SIZES,
  type EchoprintKernel,
  ENVELOPE_STEP,
  FILTER_HOP,
  FOLDED_SAMPLES,
  MODULATION_TABLE,
  POWERS_CARRY,
  PREDICTION_ORDER,
  SMOOTHED_FRAMES,
  SMOOTHING_WINDOW,
  WHITENED_CARRY,
} from '../../src/recognition/systems/echoprint/kernel.ts'
import { ECHOPRINT_SYSTEM } from '../../src/recognition/systems/version.ts'

const { bands: BANDS } = ECHOPRINT_SYSTEM
/** Bands whose modulation is stated. */
const HALF = BANDS / 2
const { fround } = Math

/**
 * The kernel of Echoprint in plain TypeScript: the reference for the one in WebAssembly.
 *
 * Each loop makes several sums at a time, so that a value is loaded once for all of them and no
 * addition waits for the one before. What the loops read lies in double precision, though its values
 * are of single precision, as every load would convert them.
 */
export function plainKernel(): EchoprintKernel {
  const samples = new Float32Array(BUFFER_SIZES.samples)
  const correlation = new Float32Array(BUFFER_SIZES.correlation)
  const predictor = new Float32Array(BUFFER_SIZES.predictor)
  const whitened = new Float32Array(BUFFER_SIZES.whitened)
  const powers = new Float32Array(BUFFER_SIZES.powers)
  const envelopes = new Float32Array(BUFFER_SIZES.envelopes)
  const wide = new Float64Array(Math.max(BUFFER_SIZES.samples, BUFFER_SIZES.whitened))
  const coefficients = new Float64Array(BUFFER_SIZES.predictor)
  return {
    samples,
    correlation,
    predictor,
    whitened,
    powers,
    envelopes,
    correlate(length) {
      wide.set(samples)
      correlate(wide, length, correlation)
    },
    predict(length) {
      wide.set(samples)
      coefficients.set(predictor)
      predict(wide, coefficients, length, whitened)
    },
    subbands(from, count) {
      wide.set(whitened)
      subbands(wide, from, count, powers)
    },
    smooth: (from, count) => smooth(powers, from, count, envelopes),
  }
}

function correlate(x: Float64Array, length: number, out: Float32Array): void {
  const end = PREDICTION_ORDER + length
  for (let lag = 0; lag <= PREDICTION_ORDER; lag++) {
    let sum = 0
    for (let j = PREDICTION_ORDER + lag; j < Math.min(end, 2 * PREDICTION_ORDER); j++) {
      sum = fround(sum + fround(x[j]! * x[j - lag]!))
    }
    out[lag] = sum
  }
  for (let lag = 0; lag < PREDICTION_ORDER; lag += 8) {
    let s0 = out[lag]!
    let s1 = out[lag + 1]!
    let s2 = out[lag + 2]!
    let s3 = out[lag + 3]!
    let s4 = out[lag + 4]!
    let s5 = out[lag + 5]!
    let s6 = out[lag + 6]!
    let s7 = out[lag + 7]!
    for (let j = 2 * PREDICTION_ORDER, i = j - lag; j < end; j++, i++) {
      const v = x[j]!
      s0 = fround(s0 + fround(v * x[i]!))
      s1 = fround(s1 + fround(v * x[i - 1]!))
      s2 = fround(s2 + fround(v * x[i - 2]!))
      s3 = fround(s3 + fround(v * x[i - 3]!))
      s4 = fround(s4 + fround(v * x[i - 4]!))
      s5 = fround(s5 + fround(v * x[i - 5]!))
      s6 = fround(s6 + fround(v * x[i - 6]!))
      s7 = fround(s7 + fround(v * x[i - 7]!))
    }
    out[lag] = s0
    out[lag + 1] = s1
    out[lag + 2] = s2
    out[lag + 3] = s3
    out[lag + 4] = s4
    out[lag + 5] = s5
    out[lag + 6] = s6
    out[lag + 7] = s7
  }
  let last = out[PREDICTION_ORDER]!
  for (let j = 2 * PREDICTION_ORDER; j < end; j++)
    last = fround(last + fround(x[j]! * x[j - PREDICTION_ORDER]!))
  out[PREDICTION_ORDER] = last
}

function predict(x: Float64Array, a: Float64Array, length: number, out: Float32Array): void {
  const head = Math.min(PREDICTION_ORDER, length)
  for (let i = 0; i < head; i++) {
    const at = PREDICTION_ORDER + i
    let rest = x[at]!
    for (let j = i + 1; j <= PREDICTION_ORDER; j++) rest = fround(rest - fround(a[j]! * x[at - j]!))
    for (let j = 1; j <= i; j++) rest = fround(rest - fround(a[j]! * x[at - j]!))
    out[WHITENED_CARRY + i] = rest
  }
  // The last group may reach beyond the block, into spare room on both sides.
  for (let i = head; i < length; i += 8) {
    const at = PREDICTION_ORDER + i
    let r0 = x[at]!
    let r1 = x[at + 1]!
    let r2 = x[at + 2]!
    let r3 = x[at + 3]!
    let r4 = x[at + 4]!
    let r5 = x[at + 5]!
    let r6 = x[at + 6]!
    let r7 = x[at + 7]!
    for (let j = 1, k = at - 1; j < a.length; j++, k--) {
      const c = a[j]!
      r0 = fround(r0 - fround(c * x[k]!))
      r1 = fround(r1 - fround(c * x[k + 1]!))
      r2 = fround(r2 - fround(c * x[k + 2]!))
      r3 = fround(r3 - fround(c * x[k + 3]!))
      r4 = fround(r4 - fround(c * x[k + 4]!))
      r5 = fround(r5 - fround(c * x[k + 5]!))
      r6 = fround(r6 - fround(c * x[k + 6]!))
      r7 = fround(r7 - fround(c * x[k + 7]!))
    }
    const to = WHITENED_CARRY + i
    out[to] = r0
    out[to + 1] = r1
    out[to + 2] = r2
    out[to + 3] = r3
    out[to + 4] = r4
    out[to + 5] = r5
    out[to + 6] = r6
    out[to + 7] = r7
  }
}

const window = Float64Array.from(ANALYSIS_WINDOW)
const modulation = Float64Array.from(MODULATION_TABLE)
const folded = new Float64Array(FOLDED_SAMPLES)

function subbands(x: Float64Array, from: number, count: number, out: Float32Array): void {
  for (
    let t = 0, at = from, to = POWERS_CARRY * BANDS;
    t < count;
    t++, at += FILTER_HOP, to += BANDS
  ) {
    for (let k = 0; k < folded.length; k += 4) {
      let s0 = 0
      let s1 = 0
      let s2 = 0
      let s3 = 0
      for (let n = k, i = at + k; n < window.length; n += folded.length, i += folded.length) {
        s0 = fround(s0 + fround(x[i]! * window[n]!))
        s1 = fround(s1 + fround(x[i + 1]! * window[n + 1]!))
        s2 = fround(s2 + fround(x[i + 2]! * window[n + 2]!))
        s3 = fround(s3 + fround(x[i + 3]! * window[n + 3]!))
      }
      folded[k] = s0
      folded[k + 1] = s1
      folded[k + 2] = s2
      folded[k + 3] = s3
    }
    modulate(0, out, to)
    modulate(2, out, to)
  }
}

/** Writes the powers of `band`, the next one and their counterparts in the upper half. */
function modulate(band: number, out: Float32Array, to: number): void {
  let re0 = 0
  let re1 = 0
  let re6 = 0
  let re7 = 0
  let im0 = 0
  let im1 = 0
  let im6 = 0
  let im7 = 0
  for (let k = 0, m = band; k < folded.length; k += 2, m += 4 * HALF) {
    const even = folded[k]!
    const c0 = fround(even * modulation[m]!)
    const c1 = fround(even * modulation[m + 1]!)
    const s0 = fround(even * modulation[m + HALF]!)
    const s1 = fround(even * modulation[m + HALF + 1]!)
    const odd = folded[k + 1]!
    const d0 = fround(odd * modulation[m + 2 * HALF]!)
    const d1 = fround(odd * modulation[m + 2 * HALF + 1]!)
    const t0 = fround(odd * modulation[m + 3 * HALF]!)
    const t1 = fround(odd * modulation[m + 3 * HALF + 1]!)
    re0 = fround(fround(re0 + c0) + d0)
    re1 = fround(fround(re1 + c1) + d1)
    re6 = fround(fround(re6 + c1) - d1)
    re7 = fround(fround(re7 + c0) - d0)
    im0 = fround(fround(im0 + s0) + t0)
    im1 = fround(fround(im1 + s1) + t1)
    im6 = fround(fround(im6 - s1) + t1)
    im7 = fround(fround(im7 - s0) + t0)
  }
  out[to + band] = fround(re0 * re0) + fround(im0 * im0)
  out[to + band + 1] = fround(re1 * re1) + fround(im1 * im1)
  out[to + 6 - band] = fround(re6 * re6) + fround(im6 * im6)
  out[to + 7 - band] = fround(re7 * re7) + fround(im7 * im7)
}

function smooth(powers: Float32Array, from: number, count: number, out: Float32Array): void {
  for (let i = 0; i < count * BANDS; i++) {
    const at = (from + ENVELOPE_STEP * Math.floor(i / BANDS)) * BANDS + (i % BANDS)
    let sum = 0
    for (let k = 0; k < SMOOTHED_FRAMES; k++) {
      sum = fround(sum + fround(powers[at + k * BANDS]! * SMOOTHING_WINDOW[k]!))
    }
    out[i] = Math.sqrt(sum)
  }
}
