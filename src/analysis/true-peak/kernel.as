// The true peak of ITU-R BS.1770-4, annex 2, with SIMD, in AssemblyScript. Only windows whose bounds
// exceed the peak so far are interpolated; the bounds are exact, so the result is that of
// interpolating everything.
// `npm run build:wasm` compiles it into simd-module.ts. Addresses are in bytes.

/** Bytes of a sample and of a vector. */
const F: usize = 4
const V: usize = 16
/** Samples of a window, and the places of the two between which it is interpolated. */
const TAPS: usize = 12
const LEFT: usize = 5
const RIGHT: usize = 6
/** Windows that are bounded together, and the vectors of samples that they cover. */
const CHUNK: usize = 32
const VECTORS: usize = 11

// @ts-ignore: a decorator of the compiler
@inline
function largest(values: v128): f64 {
  const pair = f32x4.max(values, i32x4.shuffle(values, values, 2, 3, 0, 1))
  return <f64>Mathf.max(f32x4.extract_lane(pair, 0), f32x4.extract_lane(pair, 1))
}

/** The larger of the peak and the magnitudes of the four phases of a window. */
// @ts-ignore: a decorator of the compiler
@inline
function interpolated(x: usize, taps: usize, peak: f64): f64 {
  let one = f64x2.splat(0)
  let two = one
  for (let k: usize = 0; k < TAPS; k++, taps += 2 * V) {
    const sample = f64x2.splat(<f64>load<f32>(x + F * k))
    one = f64x2.add(one, f64x2.mul(v128.load(taps), sample))
    two = f64x2.add(two, f64x2.mul(v128.load(taps, V), sample))
  }
  const most = f64x2.max(f64x2.abs(one), f64x2.abs(two))
  return Math.max(peak, Math.max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1)))
}

/**
 * The peak after `n` windows, of which the first begins at `x`. Four samples behind the last window
 * are read too.
 *
 * @param taps - of the four phases, tap by tap
 * @param gain, centre, slope - the bounds, as true-peak.ts states them
 * @param peak - so far
 */
export function truePeak(
  x: usize,
  n: usize,
  taps: usize,
  gain: f64,
  centre: f64,
  slope: f64,
  peak: f64,
): f64 {
  for (const end = x + F * n; x < end; x += F * CHUNK) {
    let magnitudes = f32x4.splat(0)
    let steps = magnitudes
    for (let i: usize = 0; i < VECTORS * V; i += V) {
      const values = v128.load(x + i)
      magnitudes = f32x4.max(magnitudes, f32x4.abs(values))
      steps = f32x4.max(steps, f32x4.abs(f32x4.sub(v128.load(x + i, F), values)))
    }
    const around = largest(magnitudes)
    if (around * gain <= peak) continue
    // A little more: the differences were rounded.
    const rest = slope * largest(steps) * (1 + 1e-6)
    if (around <= peak && centre * around + rest <= peak) continue
    const last = min(end, x + F * CHUNK)
    for (let window = x; window < last; window += F) {
      const newest = Mathf.abs(load<f32>(window + F * (TAPS - 1)))
      if (<f64>newest > peak) peak = <f64>newest
      const middle = Mathf.max(
        Mathf.abs(load<f32>(window + F * LEFT)),
        Mathf.abs(load<f32>(window + F * RIGHT)),
      )
      if (centre * <f64>middle + rest > peak) peak = interpolated(window, taps, peak)
    }
  }
  return peak
}
