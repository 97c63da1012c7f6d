// The mean of two channels with SIMD, in AssemblyScript.
// `npm run build:wasm` compiles it into simd-module.ts. Addresses are in bytes.

/** Bytes of a sample and of a vector. */
const F: usize = 4
const V: usize = 16

/**
 * Writes the mean of `n` samples of two channels, rounded up to a multiple of 4.
 *
 * @param cancels - whether the left channel is added to it
 * @param most - the largest magnitude that is valid
 * @returns whether every value is valid
 */
export function mean(
  left: usize,
  right: usize,
  out: usize,
  n: usize,
  cancels: bool,
  most: f32,
): bool {
  const half = f32x4.splat(0.5)
  const limit = f32x4.splat(most)
  let valid = i32x4.splat(-1)
  for (const end = out + F * n; out < end; out += V, left += V, right += V) {
    const one = v128.load(left)
    let mono = f32x4.mul(f32x4.add(one, v128.load(right)), half)
    if (cancels) mono = f32x4.add(mono, one)
    valid = v128.and(valid, f32x4.le(f32x4.abs(mono), limit))
    v128.store(out, mono)
  }
  return i32x4.all_true(valid)
}
