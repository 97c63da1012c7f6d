import {
  type Activations,
  type BarPath,
  observedFrames,
  STATE_SPACE,
} from '../../src/analysis/state-space.ts'

/** Frames of arrivals kept before the older half is decided. */
const WINDOW = 32_768

/**
 * The Viterbi path of bars of `metre` beats in plain TypeScript: the reference for the kernel in
 * WebAssembly. The positions of each length are a ring that turns under the pointer, and each frame
 * adds its odds to all states that it is observed in.
 */
export function plainPath({ fps, beat, down }: Activations, metre: number): BarPath {
  const shortest = Math.round((60 * fps) / STATE_SPACE.fastest)
  const longest = Math.round((60 * fps) / STATE_SPACE.slowest)
  const lengths = longest - shortest + 1
  const observed = Int32Array.from({ length: lengths }, (_, i) => observedFrames(shortest + i))
  const bias = Math.log(STATE_SPACE.parts - 1)
  const total = beat.length
  const places = metre * lengths
  const ringStart = new Int32Array(lengths + 1)
  for (let i = 0; i < lengths; i++) ringStart[i + 1] = ringStart[i]! + metre * (shortest + i)
  const ring = new Float64Array(ringStart[lengths]!)
  /** Where in its ring the bar of each length begins. */
  const head = new Int32Array(lengths)
  const leaving = leavingCosts(shortest, lengths)
  /** Cost of the step from length i - 1 to length i. */
  const step = Float64Array.from({ length: lengths }, (_, i) =>
    i === 0 ? 0 : STATE_SPACE.lambda * Math.log((shortest + i) / (shortest + i - 1)),
  )
  const window = Math.max(4 * longest, Math.min(total, WINDOW))
  const origin = new Int8Array(window * places)
  const score = new Float64Array(lengths)
  const from = new Int32Array(lengths)
  const decided: number[] = []
  const decidedPlaces: number[] = []
  let decidedTo = 0

  /** Follows the best path back from `frame` and keeps its beats before `end`. */
  const decide = (frame: number, end: number): number => {
    let best = -Infinity
    let length = 0
    let position = 0
    for (let i = 0; i < lengths; i++) {
      const size = metre * (shortest + i)
      for (let p = 0; p < size; p++) {
        const value = ring[ringStart[i]! + ((head[i]! + p) % size)]!
        if (value > best) {
          best = value
          length = i
          position = p
        }
      }
    }
    let place = Math.floor(position / (shortest + length))
    let at = frame - (position - place * (shortest + length))
    const found: number[] = []
    const foundPlaces: number[] = []
    while (at >= decidedTo && at > frame - window) {
      if (at < end) {
        found.push(Math.min(total - 1, at + (observed[length]! >> 1)))
        foundPlaces.push(place)
      }
      length -= origin[(at % window) * places + place * lengths + length]!
      at -= shortest + length
      place = place === 0 ? metre - 1 : place - 1
    }
    const previous = decided.at(-1) ?? -Infinity
    for (let i = found.length - 1; i >= 0; i--)
      if (found[i]! - previous >= shortest / 2) {
        decided.push(found[i]!)
        decidedPlaces.push(foundPlaces[i]!)
      }
    decidedTo = end
    return best
  }

  for (let frame = 0; frame < total; frame++) {
    if (frame - decidedTo >= window) decide(frame - 1, decidedTo + (window >> 1))
    for (let i = 0; i < lengths; i++) {
      // The last position of the bar becomes the first: the same cell of the ring.
      head[i] = head[i] === 0 ? metre * (shortest + i) - 1 : head[i]! - 1
    }
    const row = (frame % window) * places
    for (let place = 0; place < metre; place++) {
      for (let i = 0; i < lengths; i++) {
        const size = shortest + i
        let at = head[i]! + place * size
        if (at >= metre * size) at -= metre * size
        score[i] = ring[ringStart[i]! + at]! - leaving[i]!
        from[i] = i
      }
      for (let i = 1; i < lengths; i++) {
        const slower = score[i - 1]! - step[i]!
        if (slower > score[i]!) {
          score[i] = slower
          from[i] = from[i - 1]!
        }
      }
      for (let i = lengths - 2; i >= 0; i--) {
        const faster = score[i + 1]! - step[i + 1]!
        if (faster > score[i]!) {
          score[i] = faster
          from[i] = from[i + 1]!
        }
      }
      const odds = bias + (place === 0 ? down[frame]! : beat[frame]!)
      const arrivals = row + place * lengths
      for (let i = 0; i < lengths; i++) {
        const size = shortest + i
        const start = ringStart[i]!
        const end = start + metre * size
        let cell = start + head[i]! + place * size
        if (cell >= end) cell -= metre * size
        ring[cell] = score[i]!
        origin[arrivals + i] = i - from[i]!
        for (let p = observed[i]!; p > 0; p--) {
          ring[cell] = ring[cell]! + odds
          if (++cell === end) cell = start
        }
      }
    }
  }
  const best = total > 0 ? decide(total - 1, total) : 0
  return { frames: Int32Array.from(decided), places: Uint8Array.from(decidedPlaces), score: best }
}

/** Log of the sum of the change weights of each length, so that they are probabilities. */
function leavingCosts(shortest: number, lengths: number): Float64Array {
  const costs = new Float64Array(lengths)
  for (let i = 0; i < lengths; i++) {
    let sum = 0
    for (let j = 0; j < lengths; j++)
      sum += Math.exp(-STATE_SPACE.lambda * Math.abs(Math.log((shortest + j) / (shortest + i))))
    costs[i] = Math.log(sum)
  }
  return costs
}
