// Magnitude spectra with SIMD, in AssemblyScript: a Fourier transform of a real signal in double
// precision. Lanes: two frames, so that no number has to change its lane on the way.
// `npm run build:wasm` compiles it into simd-module.ts. Addresses are in bytes.

/** Bytes of a magnitude or sample, of a root of unity or vector, and of a complex number of both lanes. */
const F: usize = 4
const V: usize = 16
const Z: usize = 32

/** The numbers that are transformed. */
const values: usize = 1024
/** What of the memory is taken: up to 1,024 complex numbers. */
export const end: usize = values + Z * 1024

// @ts-ignore: a decorator of the compiler
@inline
function put(at: usize, re: v128, im: v128): void {
  v128.store(at, re)
  v128.store(at, im, V)
}

/** Stores a complex number times a root of unity. */
// @ts-ignore: a decorator of the compiler
@inline
function turned(at: usize, re: v128, im: v128, root: usize): void {
  const c = v128.load64_splat(root)
  const s = v128.load64_splat(root, 8)
  put(
    at,
    f64x2.sub(f64x2.mul(re, c), f64x2.mul(im, s)),
    f64x2.add(f64x2.mul(re, s), f64x2.mul(im, c)),
  )
}

// @ts-ignore: a decorator of the compiler
@inline
function windowed(x: usize, window: usize): v128 {
  return f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(x)), v128.load(window))
}

/** Pairs of samples become complex numbers. */
function enter(x: usize, y: usize, window: usize, count: usize): void {
  for (let z = values, last = z + Z * count; z < last; z += Z, x += 2 * F, y += 2 * F, window += V) {
    const a = windowed(x, window)
    const b = windowed(y, window)
    put(z, i64x2.shuffle(a, b, 0, 2), i64x2.shuffle(a, b, 1, 3))
  }
}

/** One pass of radix 2 over all numbers. */
function halve(roots: usize, count: usize): void {
  const half = (Z * count) >> 1
  for (let z = values, last = z + half, root = roots; z < last; z += Z, root += 2 * V) {
    const ar = v128.load(z)
    const ai = v128.load(z, V)
    const br = v128.load(z + half)
    const bi = v128.load(z + half, V)
    put(z, f64x2.add(ar, br), f64x2.add(ai, bi))
    turned(z + half, f64x2.sub(ar, br), f64x2.sub(ai, bi), root)
  }
}

/** One pass of radix 4 over groups of `length` numbers. @param step - bytes from one root to the next */
function quarter(roots: usize, count: usize, length: usize, step: usize): void {
  const part = (Z * length) >> 2
  const last = values + Z * count
  for (let j: usize = 0, turn: usize = 0; j < part; j += Z, turn += step) {
    for (let z = values + j; z < last; z += Z * length) {
      const b = z + part
      const c = b + part
      const d = c + part
      const evenRe = f64x2.add(v128.load(z), v128.load(c))
      const evenIm = f64x2.add(v128.load(z, V), v128.load(c, V))
      const oddRe = f64x2.sub(v128.load(z), v128.load(c))
      const oddIm = f64x2.sub(v128.load(z, V), v128.load(c, V))
      const sumRe = f64x2.add(v128.load(b), v128.load(d))
      const sumIm = f64x2.add(v128.load(b, V), v128.load(d, V))
      const restRe = f64x2.sub(v128.load(b), v128.load(d))
      const restIm = f64x2.sub(v128.load(b, V), v128.load(d, V))
      put(z, f64x2.add(evenRe, sumRe), f64x2.add(evenIm, sumIm))
      const oneRe = f64x2.add(oddRe, restIm)
      const oneIm = f64x2.sub(oddIm, restRe)
      const twoRe = f64x2.sub(evenRe, sumRe)
      const twoIm = f64x2.sub(evenIm, sumIm)
      const threeRe = f64x2.sub(oddRe, restIm)
      const threeIm = f64x2.add(oddIm, restRe)
      if (turn == 0) {
        put(b, oneRe, oneIm)
        put(c, twoRe, twoIm)
        put(d, threeRe, threeIm)
      } else {
        turned(b, oneRe, oneIm, roots + turn)
        turned(c, twoRe, twoIm, roots + 2 * turn)
        turned(d, threeRe, threeIm, roots + 3 * turn)
      }
    }
  }
}

/** The magnitude of a bin, for each frame to its own row. */
// @ts-ignore: a decorator of the compiler
@inline
function leave(re: v128, im: v128, row: usize, other: usize): void {
  const power = f64x2.add(f64x2.mul(re, re), f64x2.mul(im, im))
  const magnitude = f32x4.demote_f64x2_zero(f64x2.sqrt(power))
  v128.store32_lane(row, magnitude, 0)
  v128.store32_lane(other, magnitude, 1)
}

/**
 * The magnitudes of bins 0…size/2 of two frames.
 *
 * @param x - the first sample of one frame
 * @param y - that of the other
 * @param roots - e^(−2πi·k/size) for k = 0 … 3·size/4, as pairs
 * @param places - where the passes leave each of size/2 numbers, in bytes from the first
 * @param size - a power of two, 8 to 2,048
 * @param row - the magnitudes of one frame
 * @param other - those of the other
 */
export function transform(
  x: usize,
  y: usize,
  window: usize,
  roots: usize,
  places: usize,
  size: usize,
  row: usize,
  other: usize,
): void {
  const count = size >> 1
  enter(x, y, window, count)
  let length = count
  if (ctz(count) & 1) {
    halve(roots, count)
    length >>= 1
  }
  for (; length >= 4; length >>= 2) quarter(roots, count, length, V * (size / length))
  const re = v128.load(values)
  const im = v128.load(values, V)
  const none = f64x2.splat(0)
  leave(f64x2.add(re, im), none, row, other)
  leave(f64x2.sub(re, im), none, row + F * count, other + F * count)
  // The spectra of even and odd samples are apart by the symmetry of those of real signals.
  const half = f64x2.splat(0.5)
  for (let k: usize = 1, last = count >> 1; k <= last; k++) {
    const low = values + load<u32>(places + F * k)
    const high = values + load<u32>(places + F * (count - k))
    const evenRe = f64x2.mul(half, f64x2.add(v128.load(low), v128.load(high)))
    const evenIm = f64x2.mul(half, f64x2.sub(v128.load(low, V), v128.load(high, V)))
    const oddRe = f64x2.mul(half, f64x2.add(v128.load(low, V), v128.load(high, V)))
    const oddIm = f64x2.mul(half, f64x2.sub(v128.load(high), v128.load(low)))
    const c = v128.load64_splat(roots + V * k)
    const s = v128.load64_splat(roots + V * k, 8)
    const re = f64x2.sub(f64x2.mul(c, oddRe), f64x2.mul(s, oddIm))
    const im = f64x2.add(f64x2.mul(c, oddIm), f64x2.mul(s, oddRe))
    leave(f64x2.add(evenRe, re), f64x2.add(evenIm, im), row + F * k, other + F * k)
    const mirrored = F * (count - k)
    leave(f64x2.sub(evenRe, re), f64x2.sub(evenIm, im), row + mirrored, other + mirrored)
  }
}

/** Magnitudes of both frames, a pair each, or their squares, for sums(). */
export function gather(row: usize, other: usize, size: usize, squared: bool): void {
  for (let at = values, last = at + (V * size) / 2; at <= last; at += 4 * V, row += V, other += V) {
    let a = v128.load(row)
    let b = v128.load(other)
    for (let i: usize = 0; i < 4 * V; i += 2 * V) {
      const pairs = i32x4.shuffle(a, b, 0, 4, 1, 5)
      const low = f64x2.promote_low_f32x4(pairs)
      const high = f64x2.promote_low_f32x4(i32x4.shuffle(pairs, pairs, 2, 3, 2, 3))
      v128.store(at + i, squared ? f64x2.mul(low, low) : low)
      v128.store(at + i, squared ? f64x2.mul(high, high) : high, V)
      a = i32x4.shuffle(a, a, 2, 3, 2, 3)
      b = i32x4.shuffle(b, b, 2, 3, 2, 3)
    }
  }
}

/**
 * Weighted sums over bands of bins.
 *
 * @param bands - of each band the first bin and how many there are
 * @param weights - of all bins of the first band, then of the second …
 * @param row - the sums of one frame
 * @param other - those of the other
 */
export function sums(bands: usize, weights: usize, count: usize, row: usize, other: usize): void {
  for (const last = bands + 8 * count; bands < last; bands += 8, row += 8, other += 8) {
    let sum = f64x2.splat(0)
    let at = values + V * load<u32>(bands)
    for (const end = at + V * load<u32>(bands, 4); at < end; at += V, weights += 8) {
      sum = f64x2.add(sum, f64x2.mul(v128.load64_splat(weights), v128.load(at)))
    }
    v128.store64_lane(row, sum, 0)
    v128.store64_lane(other, sum, 1)
  }
}
