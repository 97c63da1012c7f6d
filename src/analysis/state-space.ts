import {
  instantiateModule,
  oncePerThread,
  reserveMemory,
  type WasmMemory,
} from '../audio/web-assembly.ts'
import { SIMD_MODULE } from './state-space/simd-module.ts'

/**
 * The joint state space of tempo, metre and position in the bar (the bar pointer of Whiteley, Cemgil &
 * Godsill 2006) of Krebs, Böck & Widmer (ISMIR 2015), with the observation model of Böck, Krebs &
 * Widmer (ISMIR 2016) and the constants that both publish.
 */
export const STATE_SPACE = Object.freeze({
  /** Slowest and fastest beats, BPM. */
  slowest: 55,
  fastest: 215,
  /** What a change of tempo costs, in nats per natural logarithm of the ratio. */
  lambda: 100,
  /** A beat has this many parts: the first is observed as a beat, the others as no beat. */
  parts: 16,
})

/** Frames whose changes of length are kept before the older half is decided. */
const WINDOW = 32_768
/** Frames a call of the kernel: few, as engines put optimized code in place between calls. */
const CHUNK = 1_024
/** Places of bars that the kernel moves together, and bytes of a number. */
const LANES = 8
const NUMBER = 8

interface Kernel {
  readonly memory: WasmMemory
  /** kernel.as names the arguments. */
  advance(...values: number[]): void
}

const kernelOfThread = oncePerThread(() => instantiateModule<Kernel>(SIMD_MODULE))

/** Activations of each frame, as logarithms of odds against no beat. */
export interface Activations {
  /** Frames a second. */
  fps: number
  /** For a beat that is not the first of its bar. */
  beat: Float32Array
  /** For the first beat of a bar. */
  down: Float32Array
}

/** The likeliest beats of one metre. */
export interface BarPath {
  /** Frames of the beats, ascending: the middles of the parts that are observed as a beat. */
  frames: Int32Array
  /** The place of each beat in its bar, from 0. */
  places: Uint8Array
  /** Log likelihood ratio of the path against music without beats. */
  score: number
}

/**
 * The Viterbi paths of bars of each number of beats that is given.
 *
 * A state is a beat length in whole frames and a position within a bar. The pointer moves one
 * position a frame; at the end of a beat the length may change, at a cost of `lambda` per natural
 * logarithm of the ratio. Only the first sixteenth of a beat counts its activations: every tempo
 * then has as many frames that count, so that likelihoods are comparable.
 *
 * Four things keep this fast. Only arrivals at a beat are computed, from those a beat earlier. A cost
 * that is linear in the logarithm makes the best of all changes a distance transform: two sweeps over
 * the lengths, not a matrix. All places of the bars go through the sweeps side by side (kernel.as).
 * Of an arrival two bits are stored, in a window of some minutes; when it is full its older half is
 * decided, long after all likely paths have met, so memory does not grow with the music.
 *
 * @param metres - one number or two, each 2 or more, together {@link LANES} or less
 */
export function viterbiPaths(
  { fps, beat, down }: Activations,
  metres: readonly number[],
): BarPath[] {
  const { shortest, longest, observed: observedOf } = beatLengths(fps)
  const lengths = observedOf.length
  const bias = Math.log(STATE_SPACE.parts - 1)
  const total = beat.length
  const window = Math.min(total, WINDOW)
  const row = LANES * (lengths + 1)

  const { memory, advance } = kernelOfThread()
  // The scores and what is known of lengths take less than two rows.
  const tablesEnd = NUMBER * (2 * CHUNK + LANES * longest + row * (longest + 2))
  const changesSize = 2 * lengths * window
  const buffer = reserveMemory(memory, tablesEnd + changesSize)
  let free = 0
  const table = (length: number): Float64Array => {
    const zeros = new Float64Array(buffer, free, length).fill(0)
    free += zeros.byteLength
    return zeros
  }
  const odds = table(2 * CHUNK)
  const scores = table(LANES * lengths)
  // Before the first frame all states are as likely, and nothing is observed.
  const past = table(LANES * longest)
  const arrivals = table(row * longest)
  const leaving = table(lengths)
  const steps = table(lengths + 1)
  const observed = table(lengths)
  const changes = new Uint8Array(buffer, tablesEnd, changesSize)
  const costs = changeCosts(shortest, lengths)
  leaving.set(costs.leaving)
  steps.set(costs.steps)
  observed.set(observedOf)
  const tables = [odds, scores, past, arrivals, leaving, steps, observed]
  const places = tables.map(({ byteOffset }) => byteOffset)

  /** The best score of a path of `metre` beats a bar at `frame`, and the beat that it is in. */
  const bestAt = (frame: number, metre: number, lane: number) => {
    const best = { score: -Infinity, length: 0, place: 0, at: frame }
    for (let length = 0; length < lengths; length++)
      for (let place = 0; place < metre; place++) {
        const cell = LANES * (lengths - 1 - length) + lane + ((place + 1) % metre)
        const kind = place === 0 ? down : beat
        for (let at = frame; at > frame - shortest - length; at--) {
          let score = arrivals[((at + longest) % longest) * row + cell]!
          const last = Math.min(frame, at + observed[length]! - 1)
          for (let t = Math.max(0, at); t <= last; t++) score += bias + kind[t]!
          if (score > best.score) Object.assign(best, { score, length, place, at })
        }
      }
    return best
  }

  /** The length from which the best path came to a beat of `length` that begins at frame `at`. */
  const origin = (at: number, length: number, lane: number): number => {
    const up = (at % window) * 2 * lengths
    let from = length
    while ((changes[up + lengths + from]! >> lane) & 1) from++
    while ((changes[up + from]! >> lane) & 1) from--
    return from
  }

  const [first = 0, second = 0] = metres
  const paths = metres.map((metre, i) => ({
    metre,
    lane: i === 0 ? 0 : first,
    frames: [] as number[],
    places: [] as number[],
    score: 0,
  }))
  let decidedTo = 0
  /** Follows the best paths back from `frame` and keeps their beats before `end`. */
  const decide = (frame: number, end: number): void => {
    for (const path of paths) {
      const { metre, lane, frames, places } = path
      const best = bestAt(frame, metre, lane)
      path.score = best.score
      let { length, place, at } = best
      const found: { frame: number; place: number }[] = []
      while (at >= decidedTo && at > frame - window) {
        if (at < end)
          found.push({ frame: Math.min(total - 1, at + (observed[length]! >> 1)), place })
        length = origin(at, length, lane + place)
        at -= shortest + length
        place = place === 0 ? metre - 1 : place - 1
      }
      const previous = frames.at(-1) ?? -Infinity
      for (const beat of found.reverse())
        if (beat.frame - previous >= shortest / 2) {
          frames.push(beat.frame)
          places.push(beat.place)
        }
    }
    decidedTo = end
  }

  for (let frame = 0; frame < total; ) {
    if (frame - decidedTo >= window) decide(frame - 1, decidedTo + (window >> 1))
    const count = Math.min(CHUNK, total - frame, decidedTo + window - frame)
    for (let i = 0; i < count; i++) {
      odds[2 * i] = bias + beat[frame + i]!
      odds[2 * i + 1] = bias + down[frame + i]!
    }
    const change = tablesEnd + 2 * lengths * (frame % window)
    advance(count, shortest, lengths, first, second, ...places, frame % longest, change)
    frame += count
  }
  if (total > 0) decide(total - 1, total)
  return paths.map(({ frames, places, score }) => ({
    frames: Int32Array.from(frames),
    places: Uint8Array.from(places),
    score,
  }))
}

/** How many frames of a beat of `length` frames are observed as a beat. */
export function observedFrames(length: number): number {
  return Math.ceil(length / STATE_SPACE.parts)
}

/** The lengths of beats in frames, and how many frames of each are observed as a beat. */
export function beatLengths(fps: number): {
  shortest: number
  longest: number
  observed: Int32Array
} {
  const shortest = Math.round((60 * fps) / STATE_SPACE.fastest)
  const longest = Math.round((60 * fps) / STATE_SPACE.slowest)
  const lengths = longest - shortest + 1
  const observed = Int32Array.from({ length: lengths }, (_, i) => observedFrames(shortest + i))
  return { shortest, longest, observed }
}

/** In nats: of each length the step from the one before, and the cost of leaving it, so that all changes are probabilities. */
export function changeCosts(
  shortest: number,
  lengths: number,
): { steps: Float64Array; leaving: Float64Array } {
  const { lambda } = STATE_SPACE
  const steps = new Float64Array(lengths)
  const leaving = new Float64Array(lengths)
  for (let i = 0; i < lengths; i++) {
    steps[i] = lambda * Math.log((shortest + i) / (shortest + i - 1))
    let sum = 0
    for (let j = 0; j < lengths; j++)
      sum += Math.exp(-lambda * Math.abs(Math.log((shortest + j) / (shortest + i))))
    leaving[i] = Math.log(sum)
  }
  return { steps, leaving }
}
