// The convolution with SIMD, in AssemblyScript: the same sums in the same order as in the plain
// reference of the tests, so that every bit is the same. A lane is another output, never a part of a
// sum.
// `npm run build:wasm` compiles it into simd-module.ts.

/** Bytes of a number, of a vector of four, and of the outputs that are made together. */
const F: usize = 4
const V: usize = 16
const GROUP: usize = 2 * V

// @ts-ignore: a decorator of the compiler
@inline
function plus(sum: v128, a: v128, b: v128): v128 {
  return f32x4.add(sum, f32x4.mul(a, b))
}

// @ts-ignore: a decorator of the compiler
@inline
function keep(at: usize, sum: v128, added: bool): void {
  v128.store(
    at,
    added ? f32x4.add(v128.load(at), sum) : f32x4.max(sum, f32x4.splat(0)),
  )
}

/** See Convolution in kernel.ts. Addresses are in bytes. */
export function convolve(
  input: usize,
  output: usize,
  weights: usize,
  bias: usize,
  frames: usize,
  inputs: usize,
  outputs: usize,
  taps: usize,
  dilation: usize,
  added: bool,
): void {
  const inputRow = F * inputs
  const outputRow = F * outputs
  const first = input - (taps >> 1) * dilation * inputRow
  const step = dilation * inputRow
  for (let group: usize = 0; group < outputRow; group += GROUP) {
    const b0 = v128.load(bias + group)
    const b1 = v128.load(bias + group, V)
    let frame: usize = 0
    for (; frame + 4 <= frames; frame += 4) {
      let s00 = b0
      let s01 = b1
      let s10 = b0
      let s11 = b1
      let s20 = b0
      let s21 = b1
      let s30 = b0
      let s31 = b1
      let weight = weights + group
      let from = first + frame * inputRow
      for (let tap: usize = 0; tap < taps; tap++) {
        for (let x = from, end = from + inputRow; x < end; x += F) {
          const w0 = v128.load(weight)
          const w1 = v128.load(weight, V)
          const x0 = v128.load32_splat(x)
          const x1 = v128.load32_splat(x + inputRow)
          const x2 = v128.load32_splat(x + 2 * inputRow)
          const x3 = v128.load32_splat(x + 3 * inputRow)
          s00 = plus(s00, x0, w0)
          s01 = plus(s01, x0, w1)
          s10 = plus(s10, x1, w0)
          s11 = plus(s11, x1, w1)
          s20 = plus(s20, x2, w0)
          s21 = plus(s21, x2, w1)
          s30 = plus(s30, x3, w0)
          s31 = plus(s31, x3, w1)
          weight += outputRow
        }
        from += step
      }
      let at = output + frame * outputRow + group
      keep(at, s00, added)
      keep(at + V, s01, added)
      at += outputRow
      keep(at, s10, added)
      keep(at + V, s11, added)
      at += outputRow
      keep(at, s20, added)
      keep(at + V, s21, added)
      at += outputRow
      keep(at, s30, added)
      keep(at + V, s31, added)
    }
    for (; frame < frames; frame++) {
      let s0 = b0
      let s1 = b1
      let weight = weights + group
      let from = first + frame * inputRow
      for (let tap: usize = 0; tap < taps; tap++) {
        for (let x = from, end = from + inputRow; x < end; x += F) {
          const value = v128.load32_splat(x)
          s0 = plus(s0, value, v128.load(weight))
          s1 = plus(s1, value, v128.load(weight, V))
          weight += outputRow
        }
        from += step
      }
      const at = output + frame * outputRow + group
      keep(at, s0, added)
      keep(at + V, s1, added)
    }
  }
}
