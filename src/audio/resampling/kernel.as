// The loops of the resampler with SIMD, in AssemblyScript. Samples are single precision, taps and sums
// double, and a sum is always taken in one order, whatever the cut of the input.
// `npm run build:wasm` compiles it into simd-module.ts. Addresses are in bytes.

/** Bytes of a sample, of a tap, and of a vector. */
const F: usize = 4
const D: usize = 8
const V: usize = 16

// @ts-ignore: a decorator of the compiler
@inline
function pair(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at))
}

/** Writes `n` samples in double precision, rounded up to an even number. */
export function widen(x: usize, out: usize, n: usize): void {
  for (const end = x + F * n; x < end; x += 2 * F, out += V) v128.store(out, pair(x))
}

/**
 * The samples at even places from `x` on and those at odd ones, in double precision; `n` of each,
 * rounded up to a multiple of 4.
 */
function separate(x: usize, even: usize, odd: usize, n: usize): void {
  for (let i: usize = 0; i < D * n; i += 2 * V, x += 2 * V) {
    const a = v128.load(x)
    const b = v128.load(x, V)
    const e = i32x4.shuffle(a, b, 0, 2, 4, 6)
    const o = i32x4.shuffle(a, b, 1, 3, 5, 7)
    v128.store(even + i, f64x2.promote_low_f32x4(e))
    v128.store(even + i, f64x2.promote_low_f32x4(i32x4.shuffle(e, e, 2, 3, 2, 3)), V)
    v128.store(odd + i, f64x2.promote_low_f32x4(o))
    v128.store(odd + i, f64x2.promote_low_f32x4(i32x4.shuffle(o, o, 2, 3, 2, 3)), V)
  }
}

/** One term of a half-band filter, for two outputs: the two samples that share a tap. */
// @ts-ignore: a decorator of the compiler
@inline
function term(sum: v128, tap: v128, before: usize, after: usize, offset: usize): v128 {
  const both = f64x2.add(v128.load(before + offset), v128.load(after + offset))
  return f64x2.add(sum, f64x2.mul(tap, both))
}

// @ts-ignore: a decorator of the compiler
@inline
function narrow(low: v128, high: v128): v128 {
  const a = f32x4.demote_f64x2_zero(low)
  return i32x4.shuffle(a, f32x4.demote_f64x2_zero(high), 0, 1, 4, 5)
}

/**
 * Filters with a half-band filter and keeps every second sample. Lanes: outputs, eight at a time, so
 * that up to seven too many are made.
 *
 * @param x - the sample under the first tap of the first output
 * @param taps - the centre, then those at ±1, ±3, ±5 …
 * @param pairs - how many those are, an even number
 * @param scratch - room for 2·(n + 2·pairs + 12) samples in double precision
 */
export function decimate(
  x: usize,
  taps: usize,
  pairs: usize,
  scratch: usize,
  out: usize,
  n: usize,
): void {
  const length = (n + 2 * pairs + 11) & ~3
  const even = scratch
  const odd = scratch + D * length
  // The first tap lies on an even place, as all but the centre do.
  separate(x, even, odd, length)
  const centre = v128.load64_splat(taps)
  for (let i: usize = 0; i < n; i += 8, out += 2 * V) {
    const middle = odd + D * (i + pairs - 1)
    let a0 = f64x2.mul(centre, v128.load(middle))
    let a1 = f64x2.mul(centre, v128.load(middle, V))
    let a2 = f64x2.mul(centre, v128.load(middle, 2 * V))
    let a3 = f64x2.mul(centre, v128.load(middle, 3 * V))
    let b0 = f64x2.splat(0)
    let b1 = b0
    let b2 = b0
    let b3 = b0
    let before = even + D * (i + pairs - 1)
    let after = before + D
    for (let tap = taps + D, end = tap + D * pairs; tap < end; tap += 2 * D) {
      let weight = v128.load64_splat(tap)
      a0 = term(a0, weight, before, after, 0)
      a1 = term(a1, weight, before, after, V)
      a2 = term(a2, weight, before, after, 2 * V)
      a3 = term(a3, weight, before, after, 3 * V)
      weight = v128.load64_splat(tap, D)
      before -= D
      after += D
      b0 = term(b0, weight, before, after, 0)
      b1 = term(b1, weight, before, after, V)
      b2 = term(b2, weight, before, after, 2 * V)
      b3 = term(b3, weight, before, after, 3 * V)
      before -= D
      after += D
    }
    v128.store(out, narrow(f64x2.add(a0, b0), f64x2.add(a1, b1)))
    v128.store(out, narrow(f64x2.add(a2, b2), f64x2.add(a3, b3)), V)
  }
}

/**
 * Makes `n` samples with the phases of a bank. Lanes: every fourth tap of an output.
 *
 * @param x - the samples in double precision, from the first of the first output on
 * @param width - taps of a phase, a multiple of 4
 */
export function convolve(
  x: usize,
  taps: usize,
  width: usize,
  up: usize,
  down: usize,
  phase: usize,
  out: usize,
  n: usize,
): void {
  const whole = down / up
  const part = down % up
  for (const end = out + F * n; out < end; out += F) {
    let a = f64x2.splat(0)
    let b = a
    let tap = taps + D * phase * width
    for (let at = x, last = x + D * width; at < last; at += 2 * V, tap += 2 * V) {
      a = f64x2.add(a, f64x2.mul(v128.load(tap), v128.load(at)))
      b = f64x2.add(b, f64x2.mul(v128.load(tap, V), v128.load(at, V)))
    }
    const first = f64x2.extract_lane(a, 0) + f64x2.extract_lane(a, 1)
    const second = f64x2.extract_lane(b, 0) + f64x2.extract_lane(b, 1)
    store<f32>(out, <f32>(first + second))
    x += D * whole
    phase += part
    if (phase >= up) {
      phase -= up
      x += D
    }
  }
}

/** The same with a table of `rows` phases and one more, interpolated linearly between two. */
export function interpolate(
  x: usize,
  taps: usize,
  width: usize,
  up: usize,
  down: usize,
  phase: usize,
  out: usize,
  n: usize,
  rows: f64,
): void {
  const whole = down / up
  const part = down % up
  for (const end = out + F * n; out < end; out += F) {
    const row = (<f64>phase * rows) / <f64>up
    const below = Math.floor(row)
    let a: f64 = 0
    let b: f64 = 0
    let tap = taps + D * <usize>below * width
    for (let at = x, last = x + D * width; at < last; at += V, tap += V) {
      const next = tap + D * width
      a += load<f64>(tap) * load<f64>(at) + load<f64>(tap, D) * load<f64>(at, D)
      b += load<f64>(next) * load<f64>(at) + load<f64>(next, D) * load<f64>(at, D)
    }
    store<f32>(out, <f32>(a + (row - below) * (b - a)))
    x += D * whole
    phase += part
    if (phase >= up) {
      phase -= up
      x += D
    }
  }
}
