// The kernel with SIMD, in AssemblyScript: each sum in the order that kernel.ts states, so that every
// bit is that of the original. A lane is another lag, another sample or another band, never a part of a sum.
// `npm run build:wasm` compiles it into simd-module.ts; the numbers are those of kernel.ts.

const ORDER: usize = 40
const BLOCK: usize = 10000
const HOP: usize = 8
const WINDOW: usize = 128
const FOLDED: usize = 16
const STEP: usize = 4
const SMOOTHED: usize = 8
const BANDS: usize = 8
const WHITENED_CARRY: usize = WINDOW + HOP
const POWERS_CARRY: usize = SMOOTHED
const FRAMES: usize = POWERS_CARRY + (WHITENED_CARRY + BLOCK) / HOP
const SPARE: usize = 16
/** Bytes of a number, and of a vector of four. */
const F: usize = 4
const V: usize = 16
/** Bytes of all bands of a frame. */
const ROW: usize = BANDS * F

// Where the buffers lie: nothing else is in the memory. Sizes in numbers, rounded up to vectors.
export const samples: usize = 1024
export const correlation: usize = samples + F * (ORDER + BLOCK + SPARE)
export const predictor: usize = correlation + F * (ORDER + 4)
export const whitened: usize = predictor + F * (ORDER + 4)
export const powers: usize = whitened + F * (WHITENED_CARRY + BLOCK + SPARE)
export const envelopes: usize = powers + ROW * FRAMES
export const window: usize = envelopes + ROW * (FRAMES / STEP + 1)
export const modulation: usize = window + F * WINDOW
export const smoothing: usize = modulation + F * FOLDED * BANDS
const folded: usize = smoothing + F * SMOOTHED
export const end: usize = folded + 2 * F * FOLDED

// @ts-ignore: a decorator of the compiler
@inline
function plus(sum: v128, a: v128, b: v128): v128 {
  return f32x4.add(sum, f32x4.mul(a, b))
}

// @ts-ignore: a decorator of the compiler
@inline
function minus(sum: v128, a: v128, b: v128): v128 {
  return f32x4.sub(sum, f32x4.mul(a, b))
}

/** Lanes: lags. The newest of four samples belongs to the smallest lag, so lags lie backwards. */
export function correlate(length: usize): void {
  const first = samples + F * ORDER
  const head = first + F * min(length, ORDER)
  for (let lag: usize = 0; lag <= ORDER; lag++) {
    let sum: f32 = 0
    for (let x = first + F * lag; x < head; x += F) sum += load<f32>(x) * load<f32>(x - F * lag)
    store<f32>(correlation + F * (ORDER - lag), sum)
  }
  // Lags 40 … 37, 36 … 33, …, 4 … 1 and 0.
  let s0 = v128.load(correlation)
  let s1 = v128.load(correlation, V)
  let s2 = v128.load(correlation, 2 * V)
  let s3 = v128.load(correlation, 3 * V)
  let s4 = v128.load(correlation, 4 * V)
  let s5 = v128.load(correlation, 5 * V)
  let s6 = v128.load(correlation, 6 * V)
  let s7 = v128.load(correlation, 7 * V)
  let s8 = v128.load(correlation, 8 * V)
  let s9 = v128.load(correlation, 9 * V)
  let last = load<f32>(correlation, 10 * V)
  const stop = first + F * length
  for (let x = head; x < stop; x += F) {
    const v = v128.load32_splat(x)
    const past = x - F * ORDER
    s0 = plus(s0, v, v128.load(past))
    s1 = plus(s1, v, v128.load(past, V))
    s2 = plus(s2, v, v128.load(past, 2 * V))
    s3 = plus(s3, v, v128.load(past, 3 * V))
    s4 = plus(s4, v, v128.load(past, 4 * V))
    s5 = plus(s5, v, v128.load(past, 5 * V))
    s6 = plus(s6, v, v128.load(past, 6 * V))
    s7 = plus(s7, v, v128.load(past, 7 * V))
    s8 = plus(s8, v, v128.load(past, 8 * V))
    s9 = plus(s9, v, v128.load(past, 9 * V))
    last += load<f32>(x) * load<f32>(x)
  }
  v128.store(correlation, s0)
  v128.store(correlation, s1, V)
  v128.store(correlation, s2, 2 * V)
  v128.store(correlation, s3, 3 * V)
  v128.store(correlation, s4, 4 * V)
  v128.store(correlation, s5, 5 * V)
  v128.store(correlation, s6, 6 * V)
  v128.store(correlation, s7, 7 * V)
  v128.store(correlation, s8, 8 * V)
  v128.store(correlation, s9, 9 * V)
  store<f32>(correlation, last, 10 * V)
  for (let lag: usize = 0; lag < ORDER / 2; lag++) {
    const low = correlation + F * lag
    const high = correlation + F * (ORDER - lag)
    const value = load<f32>(low)
    store<f32>(low, load<f32>(high))
    store<f32>(high, value)
  }
}

/** Lanes: samples, four vectors of them at a time. */
export function predict(length: usize): void {
  const first = samples + F * ORDER
  const out = whitened + F * WHITENED_CARRY
  const head = min(length, ORDER)
  for (let i: usize = 0; i < head; i++) {
    const x = first + F * i
    let rest = load<f32>(x)
    for (let j = i + 1; j <= ORDER; j++) rest -= load<f32>(predictor + F * j) * load<f32>(x - F * j)
    for (let j: usize = 1; j <= i; j++) rest -= load<f32>(predictor + F * j) * load<f32>(x - F * j)
    store<f32>(out + F * i, rest)
  }
  for (let i = head; i < length; i += 16) {
    const x = first + F * i
    let r0 = v128.load(x)
    let r1 = v128.load(x, V)
    let r2 = v128.load(x, 2 * V)
    let r3 = v128.load(x, 3 * V)
    for (let j = F; j <= F * ORDER; j += F) {
      const a = v128.load32_splat(predictor + j)
      const past = x - j
      r0 = minus(r0, a, v128.load(past))
      r1 = minus(r1, a, v128.load(past, V))
      r2 = minus(r2, a, v128.load(past, 2 * V))
      r3 = minus(r3, a, v128.load(past, 3 * V))
    }
    v128.store(out + F * i, r0)
    v128.store(out + F * i, r1, V)
    v128.store(out + F * i, r2, 2 * V)
    v128.store(out + F * i, r3, 3 * V)
  }
}

/** Folds the samples from `x` on. Lanes: folded samples. */
// @ts-ignore: a decorator of the compiler
@inline
function fold(x: usize, out: usize): void {
  for (let k: usize = 0; k < F * FOLDED; k += V) {
    let sum = f32x4.mul(v128.load(x + k), v128.load(window + k))
    for (let n = k + F * FOLDED; n < F * WINDOW; n += F * FOLDED) {
      sum = plus(sum, v128.load(x + n), v128.load(window + n))
    }
    v128.store(out + k, sum)
  }
}

/** Lanes: bands 0 … 3, or 7 … 4. Two frames at a time; the last may be one too many. */
export function subbands(from: usize, count: usize): void {
  let x = whitened + F * from
  let out = powers + ROW * POWERS_CARRY
  for (let t: usize = 0; t < count; t += 2) {
    fold(x, folded)
    fold(x + F * HOP, folded + F * FOLDED)
    let re0 = f32x4.splat(0)
    let re7 = re0
    let im0 = re0
    let im7 = re0
    let next0 = re0
    let next7 = re0
    let jm0 = re0
    let jm7 = re0
    let m = modulation
    for (let k: usize = folded; k < folded + F * FOLDED; k += 2 * F) {
      let cosine = v128.load(m)
      let sine = v128.load(m, V)
      let v = v128.load32_splat(k)
      let c = f32x4.mul(v, cosine)
      let s = f32x4.mul(v, sine)
      re0 = f32x4.add(re0, c)
      re7 = f32x4.add(re7, c)
      im0 = f32x4.add(im0, s)
      im7 = f32x4.sub(im7, s)
      v = v128.load32_splat(k, F * FOLDED)
      c = f32x4.mul(v, cosine)
      s = f32x4.mul(v, sine)
      next0 = f32x4.add(next0, c)
      next7 = f32x4.add(next7, c)
      jm0 = f32x4.add(jm0, s)
      jm7 = f32x4.sub(jm7, s)
      cosine = v128.load(m, 2 * V)
      sine = v128.load(m, 3 * V)
      v = v128.load32_splat(k, F)
      c = f32x4.mul(v, cosine)
      s = f32x4.mul(v, sine)
      re0 = f32x4.add(re0, c)
      re7 = f32x4.sub(re7, c)
      im0 = f32x4.add(im0, s)
      im7 = f32x4.add(im7, s)
      v = v128.load32_splat(k, F * FOLDED + F)
      c = f32x4.mul(v, cosine)
      s = f32x4.mul(v, sine)
      next0 = f32x4.add(next0, c)
      next7 = f32x4.sub(next7, c)
      jm0 = f32x4.add(jm0, s)
      jm7 = f32x4.add(jm7, s)
      m += 4 * V
    }
    power(re0, im0, re7, im7, out)
    power(next0, jm0, next7, jm7, out + ROW)
    x += 2 * F * HOP
    out += 2 * ROW
  }
}

// @ts-ignore: a decorator of the compiler
@inline
function power(re0: v128, im0: v128, re7: v128, im7: v128, out: usize): void {
  v128.store(out, f32x4.add(f32x4.mul(re0, re0), f32x4.mul(im0, im0)))
  const upper = f32x4.add(f32x4.mul(re7, re7), f32x4.mul(im7, im7))
  v128.store(out, i32x4.shuffle(upper, upper, 3, 2, 1, 0), V)
}

/** Lanes: bands. */
export function smooth(from: usize, count: usize): void {
  let x = powers + ROW * from
  let out = envelopes
  for (let i: usize = 0; i < count; i++) {
    let low = f32x4.splat(0)
    let high = low
    for (let k: usize = 0; k < SMOOTHED; k++) {
      const weight = v128.load32_splat(smoothing + F * k)
      low = plus(low, v128.load(x + ROW * k), weight)
      high = plus(high, v128.load(x + ROW * k, V), weight)
    }
    v128.store(out, f32x4.sqrt(low))
    v128.store(out, f32x4.sqrt(high), V)
    x += ROW * STEP
    out += ROW
  }
}
