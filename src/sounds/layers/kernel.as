// The layers of a network with activations of 16 bits and weights of 8, in AssemblyScript. Sums are
// whole numbers; then each product, sum and rounding is of single precision, so that all runtimes
// make the same bits.
// `npm run build:wasm` compiles it into simd-module.ts.

/** Outputs that are made together, and positions. */
const GROUP: usize = 8
const TILE: usize = 6

// @ts-ignore: a decorator of the compiler
@inline
function scaled(sum: v128, scale: v128, bias: v128): v128 {
  return f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(sum), scale), bias)
}

/** Whole activations, 0 to the highest. */
// @ts-ignore: a decorator of the compiler
@inline
function activated(value: v128, top: v128): v128 {
  const limited = f32x4.min(f32x4.max(value, f32x4.splat(0)), top)
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(limited))
}

// @ts-ignore: a decorator of the compiler
@inline
function keep(at: usize, a: v128, b: v128, scales: usize, biases: usize, top: v128, whole: bool): void {
  const low = scaled(a, v128.load(scales), v128.load(biases))
  const high = scaled(b, v128.load(scales, 16), v128.load(biases, 16))
  if (whole) {
    v128.store(at, i16x8.narrow_i32x4_s(activated(low, top), activated(high, top)))
  } else {
    v128.store(at, low)
    v128.store(at, high, 16)
  }
}

// @ts-ignore: a decorator of the compiler
@inline
function plus(sum: v128, x: v128, w: v128): v128 {
  return i32x4.add(sum, i32x4.dot_i16x8_s(x, w))
}

/** See LayerKernel in layer-kernel.ts. Addresses are in bytes. */
export function pointwise(
  input: usize,
  output: usize,
  weights: usize,
  scales: usize,
  biases: usize,
  positions: usize,
  inputs: usize,
  outputs: usize,
  top: f32,
  whole: bool,
): void {
  const inputRow = 2 * inputs
  const size: usize = whole ? 2 : 4
  const outputRow = size * outputs
  const highest = f32x4.splat(top)
  for (let group: usize = 0; group < outputs; group += GROUP) {
    const ownWeights = weights + group * inputs
    const ownScales = scales + 4 * group
    const ownBiases = biases + 4 * group
    let position: usize = 0
    for (; position + TILE <= positions; position += TILE) {
      let a0 = i32x4.splat(0)
      let a1 = a0
      let a2 = a0
      let a3 = a0
      let a4 = a0
      let a5 = a0
      let b0 = a0
      let b1 = a0
      let b2 = a0
      let b3 = a0
      let b4 = a0
      let b5 = a0
      let weight = ownWeights
      let x = input + position * inputRow
      for (const end = x + inputRow; x < end; x += 4) {
        const w = v128.load(weight)
        const u = i16x8.extend_low_i8x16_s(w)
        const v = i16x8.extend_high_i8x16_s(w)
        const x0 = v128.load32_splat(x)
        a0 = plus(a0, x0, u)
        b0 = plus(b0, x0, v)
        const x1 = v128.load32_splat(x + inputRow)
        a1 = plus(a1, x1, u)
        b1 = plus(b1, x1, v)
        const x2 = v128.load32_splat(x + 2 * inputRow)
        a2 = plus(a2, x2, u)
        b2 = plus(b2, x2, v)
        const x3 = v128.load32_splat(x + 3 * inputRow)
        a3 = plus(a3, x3, u)
        b3 = plus(b3, x3, v)
        const x4 = v128.load32_splat(x + 4 * inputRow)
        a4 = plus(a4, x4, u)
        b4 = plus(b4, x4, v)
        const x5 = v128.load32_splat(x + 5 * inputRow)
        a5 = plus(a5, x5, u)
        b5 = plus(b5, x5, v)
        weight += 16
      }
      let at = output + position * outputRow + size * group
      keep(at, a0, b0, ownScales, ownBiases, highest, whole)
      at += outputRow
      keep(at, a1, b1, ownScales, ownBiases, highest, whole)
      at += outputRow
      keep(at, a2, b2, ownScales, ownBiases, highest, whole)
      at += outputRow
      keep(at, a3, b3, ownScales, ownBiases, highest, whole)
      at += outputRow
      keep(at, a4, b4, ownScales, ownBiases, highest, whole)
      at += outputRow
      keep(at, a5, b5, ownScales, ownBiases, highest, whole)
    }
    for (; position < positions; position++) {
      let a = i32x4.splat(0)
      let b = a
      let weight = ownWeights
      let x = input + position * inputRow
      for (const end = x + inputRow; x < end; x += 4) {
        const w = v128.load(weight)
        const value = v128.load32_splat(x)
        a = plus(a, value, i16x8.extend_low_i8x16_s(w))
        b = plus(b, value, i16x8.extend_high_i8x16_s(w))
        weight += 16
      }
      keep(output + position * outputRow + size * group, a, b, ownScales, ownBiases, highest, whole)
    }
  }
}

/** See LayerKernel in layer-kernel.ts. Addresses are in bytes. */
export function depthwise(
  input: usize,
  output: usize,
  weights: usize,
  scales: usize,
  biases: usize,
  height: i32,
  width: i32,
  channels: i32,
  outputHeight: i32,
  outputWidth: i32,
  stride: i32,
  above: i32,
  before: i32,
  top: f32,
): void {
  const highest = f32x4.splat(top)
  const row = 2 * channels
  for (let y: i32 = 0; y < outputHeight; y++) {
    const firstY = y * stride - above
    for (let x: i32 = 0; x < outputWidth; x++) {
      const firstX = x * stride - before
      for (let channel: i32 = 0; channel < channels; channel += 8) {
        let a = i32x4.splat(0)
        let b = a
        for (let tap: i32 = 0; tap < 9; tap++) {
          const fromY = firstY + tap / 3
          const fromX = firstX + (tap % 3)
          if (<u32>fromY >= <u32>height || <u32>fromX >= <u32>width) continue
          const value = v128.load(input + (fromY * width + fromX) * row + 2 * channel)
          const w = v128.load64_zero(weights + tap * channels + channel)
          const weight = i16x8.extend_low_i8x16_s(w)
          a = i32x4.add(a, i32x4.extmul_low_i16x8_s(value, weight))
          b = i32x4.add(b, i32x4.extmul_high_i16x8_s(value, weight))
        }
        const at = output + (y * outputWidth + x) * row + 2 * channel
        keep(at, a, b, scales + 4 * channel, biases + 4 * channel, highest, true)
      }
    }
  }
}
