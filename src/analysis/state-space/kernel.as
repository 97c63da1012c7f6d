// The recursion of the bar pointer with SIMD, in AssemblyScript: the same sums in the same order as in
// the plain reference of the tests, so that every bit is the same. Lanes are places of bars: eight of
// them, of one metre or two, go through the sweeps over lengths side by side.
// `npm run build:wasm` compiles it into simd-module.ts. Addresses are in bytes.

/** Bytes of a number, of a vector of two, and of all lanes. Numbers are of double precision. */
const D: usize = 8
const V: usize = 16
const LANES: usize = 64

/** In which lanes a change wins over staying, a bit each. */
// @ts-ignore: a decorator of the compiler
@inline
function wins(c0: v128, c1: v128, c2: v128, c3: v128, s0: v128, s1: v128, s2: v128, s3: v128): i32 {
  const low = i32x4.shuffle(f64x2.gt(c0, s0), f64x2.gt(c1, s1), 0, 2, 4, 6)
  const high = i32x4.shuffle(f64x2.gt(c2, s2), f64x2.gt(c3, s3), 0, 2, 4, 6)
  const all = i16x8.narrow_i32x4_s(low, high)
  return i8x16.bitmask(i8x16.narrow_i16x8_s(all, all))
}

// @ts-ignore: a decorator of the compiler
@inline
function put(at: usize, s0: v128, s1: v128, s2: v128, s3: v128): void {
  v128.store(at, s0)
  v128.store(at, s1, V)
  v128.store(at, s2, 2 * V)
  v128.store(at, s3, 3 * V)
}

/**
 * Moves the pointer on by `frames` frames. Scores are computed where beats begin; what a beat gains is
 * added when it has ended. There are `lengths` lengths of beats, of `shortest` frames and more; bars
 * have `metre` beats in the first lanes and `other` in the next ones (or none: 0).
 *
 * @param odds - of a beat and of a downbeat, two numbers a frame
 * @param scores - memory of LANES a length
 * @param past - LANES a frame of the longest beat: the odds of each lane. A lane has those of the
 *   place before its own, from which the pointer comes
 * @param arrivals - a row a frame of the longest beat: the scores of those that arrived then, LANES a
 *   length, the longest first, and LANES more. The lanes are those of `past`
 * @param leaving - of each length, the cost of leaving it
 * @param steps - of each length, the cost of the step from the one before; and one more number. Those
 *   at the ends lead nowhere
 * @param observed - of each length, how many of its frames count
 * @param row - of the first frame, in `past` and `arrivals`
 * @param changes - of each frame, a byte a length for the sweep up, then a byte a length for the sweep
 *   down: a bit a lane where the neighbour won
 */
export function advance(
  frames: usize,
  shortest: usize,
  lengths: usize,
  metre: usize,
  other: usize,
  odds: usize,
  scores: usize,
  past: usize,
  arrivals: usize,
  leaving: usize,
  steps: usize,
  observed: usize,
  row: usize,
  changes: usize,
): void {
  const rows = shortest + lengths - 1
  const rowBytes = LANES * (lengths + 1)
  const pastEnd = past + LANES * rows
  const arrivalsBytes = rowBytes * rows
  const last = metre * D
  const lastOther = last + other * D
  const none = f64x2.splat(-Infinity)
  for (const end = odds + 2 * D * frames; odds < end; odds += 2 * D) {
    const start = (row + rows - shortest) % rows
    let counted = past + LANES * start
    let from = arrivals + rowBytes * start + LANES * (lengths - 1)
    let p0 = none
    let p1 = none
    let p2 = none
    let p3 = none
    let score = scores
    for (let i: usize = 0; i < lengths; i++) {
      let s0 = v128.load(from)
      let s1 = v128.load(from, V)
      let s2 = v128.load(from, 2 * V)
      let s3 = v128.load(from, 3 * V)
      let at = counted
      for (let left = <i32>f64.load(observed + D * i); left > 0; left--) {
        s0 = f64x2.add(s0, v128.load(at))
        s1 = f64x2.add(s1, v128.load(at, V))
        s2 = f64x2.add(s2, v128.load(at, 2 * V))
        s3 = f64x2.add(s3, v128.load(at, 3 * V))
        at += LANES
        if (at === pastEnd) at = past
      }
      const cost = v128.load64_splat(leaving + D * i)
      s0 = f64x2.sub(s0, cost)
      s1 = f64x2.sub(s1, cost)
      s2 = f64x2.sub(s2, cost)
      s3 = f64x2.sub(s3, cost)
      const step = v128.load64_splat(steps + D * i)
      const c0 = f64x2.sub(p0, step)
      const c1 = f64x2.sub(p1, step)
      const c2 = f64x2.sub(p2, step)
      const c3 = f64x2.sub(p3, step)
      store<u8>(changes + i, wins(c0, c1, c2, c3, s0, s1, s2, s3))
      p0 = f64x2.pmax(s0, c0)
      p1 = f64x2.pmax(s1, c1)
      p2 = f64x2.pmax(s2, c2)
      p3 = f64x2.pmax(s3, c3)
      put(score, p0, p1, p2, p3)
      score += LANES
      counted -= LANES
      if (counted < past) counted = pastEnd - LANES
      from -= rowBytes + LANES
      if (from < arrivals) from += arrivalsBytes
    }
    changes += lengths

    let to = arrivals + rowBytes * row
    p0 = none
    p1 = none
    p2 = none
    p3 = none
    for (let i = lengths; i-- > 0; ) {
      const step = v128.load64_splat(steps + D * i, D)
      score -= LANES
      const s0 = v128.load(score)
      const s1 = v128.load(score, V)
      const s2 = v128.load(score, 2 * V)
      const s3 = v128.load(score, 3 * V)
      const c0 = f64x2.sub(p0, step)
      const c1 = f64x2.sub(p1, step)
      const c2 = f64x2.sub(p2, step)
      const c3 = f64x2.sub(p3, step)
      store<u8>(changes + i, wins(c0, c1, c2, c3, s0, s1, s2, s3))
      p0 = f64x2.pmax(s0, c0)
      p1 = f64x2.pmax(s1, c1)
      p2 = f64x2.pmax(s2, c2)
      p3 = f64x2.pmax(s3, c3)
      // One lane on, as the next place comes from it; the last place of a bar leads to the first. The
      // number beyond the last lane is one that the next length writes.
      put(to + D, p0, p1, p2, p3)
      const ofLast = f64.load(to + last)
      f64.store(to + last, f64.load(to + lastOther))
      f64.store(to, ofLast)
      to += LANES
    }
    changes += lengths

    const beat = v128.load64_splat(odds)
    const now = past + LANES * row
    put(now, beat, beat, beat, beat)
    const down = f64.load(odds, D)
    f64.store(now, down, D)
    if (other > 0) f64.store(now + last + D, down)
    if (++row === rows) row = 0
  }
}
