// The distances of many vectors of 48 small numbers from one, with SIMD, in AssemblyScript.
// `npm run build:wasm` compiles it into simd-module.ts.

/** Bytes of a vector, and rows that are compared in one call. */
const LENGTH: usize = 48
const SCANNED: usize = 65536

/** Where the query, the distances, and the rows lie in the memory. */
export const query: usize = 1024
export const sums: usize = 2048
export const rows: usize = 2048 + 4 * SCANNED

// @ts-ignore: a decorator of the compiler
@inline
function squares(sum: v128, row: v128, low: v128, high: v128): v128 {
  const a = i16x8.sub(i16x8.extend_low_i8x16_s(row), low)
  const b = i16x8.sub(i16x8.extend_high_i8x16_s(row), high)
  return i32x4.add(sum, i32x4.add(i32x4.dot_i16x8_s(a, a), i32x4.dot_i16x8_s(b, b)))
}

/** See Exports in vectors.ts. */
export function scan(first: i32, count: i32): void {
  const q0 = v128.load(query)
  const q1 = v128.load(query, 16)
  const q2 = v128.load(query, 32)
  const l0 = i16x8.extend_low_i8x16_s(q0)
  const h0 = i16x8.extend_high_i8x16_s(q0)
  const l1 = i16x8.extend_low_i8x16_s(q1)
  const h1 = i16x8.extend_high_i8x16_s(q1)
  const l2 = i16x8.extend_low_i8x16_s(q2)
  const h2 = i16x8.extend_high_i8x16_s(q2)
  let row = rows + LENGTH * <usize>first
  for (let at = sums, end = sums + 4 * <usize>count; at < end; at += 4, row += LENGTH) {
    let sum = squares(i32x4.splat(0), v128.load(row), l0, h0)
    sum = squares(sum, v128.load(row, 16), l1, h1)
    sum = squares(sum, v128.load(row, 32), l2, h2)
    const whole =
      i32x4.extract_lane(sum, 0) +
      i32x4.extract_lane(sum, 1) +
      i32x4.extract_lane(sum, 2) +
      i32x4.extract_lane(sum, 3)
    // The last number of a row without a vector is 0.
    store<i32>(at, load<u8>(row, 47) == 0 ? i32.MAX_VALUE : whole)
  }
}
