/** The share of a beat, from its start, in which evidence counts (Krebs, Böck & Widmer 2015). */
export const BEAT_ZONE = 1 / 16
/** What a change of tempo costs, in nats per natural logarithm of the ratio: their lambda. */
export const STIFFNESS = 100
/** Frames of arrivals kept before the older half is decided: 5.5 minutes. */
const WINDOW = 32_768

/** The likeliest sequence of beats. */
interface BeatPath {
  /** Frames of the beats, rising. */
  frames: Int32Array
  /** Log likelihood ratio a frame against music without beats. */
  gain: number
}

/**
 * The likeliest beats of a log-odds curve under the beat pointer model (Whiteley, Cemgil &
 * Godsill 2006, in the state space of Krebs, Böck & Widmer, ISMIR 2015).
 *
 * A state is a beat length in whole frames and a position within the beat. The pointer moves one
 * position a frame; at the end of a beat the length may change, at a cost of `STIFFNESS` per
 * natural logarithm of the ratio. In the first sixteenth of a beat a frame counts its log-odds.
 *
 * Three things keep this fast. Each length's positions are a ring that turns under the pointer, so
 * moving costs nothing. A cost that is linear in the logarithm makes the best of all changes a
 * distance transform: two sweeps over the lengths, not a matrix. Only arrivals at a beat are stored,
 * one byte each, in a window of some minutes; when it is full its older half is decided, long after
 * all likely paths have met, so memory does not grow with the music.
 *
 * @param logOdds  for each frame, log p(beat | frame) / p(no beat | frame)
 * @param shortest, longest  beat lengths to consider, in frames
 */
export function followBeats(logOdds: Float32Array, shortest: number, longest: number): BeatPath {
  const lengths = longest - shortest + 1
  const total = logOdds.length
  const ringStart = new Int32Array(lengths + 1)
  for (let i = 0; i < lengths; i++) ringStart[i + 1] = ringStart[i]! + shortest + i
  const ring = new Float64Array(ringStart[lengths]!)
  /** Where in its ring each length's beat begins. */
  const head = new Int32Array(lengths)
  const zone = Int32Array.from({ length: lengths }, (_, i) =>
    Math.max(1, Math.round((shortest + i) * BEAT_ZONE)),
  )
  const leaving = leavingCosts(shortest, lengths)
  /** Cost of the step from length i - 1 to length i. */
  const step = Float64Array.from({ length: lengths }, (_, i) =>
    i === 0 ? 0 : STIFFNESS * Math.log((shortest + i) / (shortest + i - 1)),
  )

  const window = Math.max(4 * longest, Math.min(total, WINDOW))
  const origin = new Int8Array(window * lengths)
  const score = new Float64Array(lengths)
  const from = new Int32Array(lengths)
  const decided: number[] = []
  let decidedTo = 0

  /** Follows the best path back from `frame` and keeps its beats before `end`. */
  const decide = (frame: number, end: number): number => {
    let best = -Infinity
    let length = 0
    let position = 0
    for (let i = 0; i < lengths; i++) {
      const size = shortest + i
      for (let p = 0; p < size; p++) {
        const value = ring[ringStart[i]! + ((head[i]! + p) % size)]!
        if (value > best) {
          best = value
          length = i
          position = p
        }
      }
    }
    const found: number[] = []
    let beat = frame - position
    while (beat >= decidedTo && beat > frame - window) {
      if (beat < end) found.push(beat)
      length -= origin[(beat % window) * lengths + length]!
      beat -= shortest + length
    }
    found.reverse()
    const previous = decided.at(-1) ?? -Infinity
    for (const at of found) if (at - previous >= shortest / 2) decided.push(at)
    decidedTo = end
    return best
  }

  for (let frame = 0; frame < total; frame++) {
    if (frame - decidedTo >= window) decide(frame - 1, decidedTo + (window >> 1))
    for (let i = 0; i < lengths; i++) {
      // The pointer's last position becomes the first: the same cell of the ring.
      const size = shortest + i
      const at = head[i] === 0 ? size - 1 : head[i]! - 1
      head[i] = at
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
    const odds = logOdds[frame]!
    const row = (frame % window) * lengths
    for (let i = 0; i < lengths; i++) {
      const start = ringStart[i]!
      const end = start + shortest + i
      let cell = start + head[i]!
      ring[cell] = score[i]!
      origin[row + i] = i - from[i]!
      for (let p = zone[i]!; p > 0; p--) {
        ring[cell] = ring[cell]! + odds
        if (++cell === end) cell = start
      }
    }
  }
  const best = total > 0 ? decide(total - 1, total) : 0
  return { frames: Int32Array.from(decided), gain: total > 0 ? best / total : 0 }
}

/** Log of the sum of the change weights of each length, so that they are probabilities. */
function leavingCosts(shortest: number, lengths: number): Float64Array {
  const costs = new Float64Array(lengths)
  for (let i = 0; i < lengths; i++) {
    let sum = 0
    for (let j = 0; j < lengths; j++)
      sum += Math.exp(-STIFFNESS * Math.abs(Math.log((shortest + j) / (shortest + i))))
    costs[i] = Math.log(sum)
  }
  return costs
}
