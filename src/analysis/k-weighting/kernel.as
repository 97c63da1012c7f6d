// The two filters of K-weighting (ITU-R BS.1770-4) over two channels side by side, with SIMD, in
// AssemblyScript. Each sample waits for the one before, so one channel would take as long as two.
// `npm run build:wasm` compiles it into simd-module.ts. Addresses are in bytes.

/** Bytes of a sample and of a vector. */
const F: usize = 4
const V: usize = 16
/** Less than this is 0: denormal numbers after the music has stopped would slow every operation tenfold. */
const LEAST: f64 = 1e-30

// @ts-ignore: a decorator of the compiler
@inline
function flushed(values: v128): v128 {
  return v128.and(values, f64x2.ge(f64x2.abs(values), f64x2.splat(LEAST)))
}

/**
 * The sum of the squares of both channels after the filters.
 *
 * @param memory - of the filters: four pairs of numbers, which are replaced
 * @param n - samples of each channel
 * @param b0, b1, b2, a1, a2 - of the shelf; c1 and c2 are a1 and a2 of the high pass, whose b are 1, -2, 1
 */
export function power(
  memory: usize,
  left: usize,
  right: usize,
  n: usize,
  b0: f64,
  b1: f64,
  b2: f64,
  a1: f64,
  a2: f64,
  c1: f64,
  c2: f64,
): f64 {
  let s1 = v128.load(memory)
  let s2 = v128.load(memory, V)
  let p1 = v128.load(memory, 2 * V)
  let p2 = v128.load(memory, 3 * V)
  let sum = f64x2.splat(0)
  for (const end = left + F * n; left < end; left += F, right += F) {
    const x = f64x2.replace_lane(f64x2.splat(<f64>load<f32>(left)), 1, <f64>load<f32>(right))
    const y = f64x2.add(f64x2.mul(f64x2.splat(b0), x), s1)
    s1 = f64x2.mul(f64x2.splat(b1), x)
    s1 = f64x2.add(f64x2.sub(s1, f64x2.mul(f64x2.splat(a1), y)), s2)
    s2 = f64x2.sub(f64x2.mul(f64x2.splat(b2), x), f64x2.mul(f64x2.splat(a2), y))
    const z = f64x2.add(y, p1)
    p1 = f64x2.sub(f64x2.mul(f64x2.splat(-2), y), f64x2.mul(f64x2.splat(c1), z))
    p1 = f64x2.add(p1, p2)
    p2 = f64x2.sub(y, f64x2.mul(f64x2.splat(c2), z))
    sum = f64x2.add(sum, f64x2.mul(z, z))
  }
  v128.store(memory, flushed(s1))
  v128.store(memory, flushed(s2), V)
  v128.store(memory, flushed(p1), 2 * V)
  v128.store(memory, flushed(p2), 3 * V)
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
}
