import {
  instantiateModule,
  oncePerThread,
  reserveMemory,
  type WasmMemory,
} from '../audio/web-assembly.ts'
import { STATE_SPACE_MODULE } from './state-space/simd-module.ts'

/**
 * The bar pointer (Whiteley, Cemgil & Godsill 2006) in the form and with the constants of Krebs,
 * Böck & Widmer (ISMIR 2015, 2016).
 */
export const STATE_SPACE = Object.freeze({
  /** BPM. */
  slowest: 55,
  fastest: 215,
  /** Cost of a change of tempo, in nats per natural logarithm of the ratio. */
  lambda: 100,
  /** The first part of a beat is observed as a beat, the others as no beat. */
  parts: 16,
})

/** Frames whose changes of length are kept before the older half is decided. */
const DECISION_WINDOW = 32_768
/** Few, as engines put optimized code in place between calls. */
const FRAMES_PER_CALL = 1_024
/** Places of bars that the kernel moves together. */
const STATE_LANES = 8
const DOUBLE_BYTES = 8

interface StateSpaceKernel {
  readonly memory: WasmMemory
  /** kernel.as names the arguments. */
  advance(...values: number[]): void
}

const stateSpaceOfThread = oncePerThread(() =>
  instantiateModule<StateSpaceKernel>(STATE_SPACE_MODULE),
)

/** Logarithms of odds against no beat. */
export interface Activations {
  fps: number
  /** For a beat that is not the first of its bar. */
  beat: Float32Array
  /** For the first beat of a bar. */
  down: Float32Array
}

export interface BarPath {
  /** The middles of the parts that are observed as a beat, ascending. */
  frames: Int32Array
  /** From 0. */
  places: Uint8Array
  /** Log likelihood ratio against music without beats. */
  score: number
}

/**
 * A state is a beat length and a position in the bar. Costs are linear, so that changes of length
 * are two sweeps; paths are decided in a window, so that memory does not grow.
 *
 * @param metres - one number or two, each 2 or more, together {@link STATE_LANES} or less
 */
export function viterbiPaths(
  { fps, beat, down }: Activations,
  metres: readonly number[],
): BarPath[] {
  const { shortest, longest, observed: observedFrameCounts } = beatLengths(fps)
  const lengths = observedFrameCounts.length
  const bias = Math.log(STATE_SPACE.parts - 1)
  const total = beat.length
  const window = Math.min(total, DECISION_WINDOW)
  const row = STATE_LANES * (lengths + 1)

  const { memory, advance } = stateSpaceOfThread()
  const tablesEnd =
    DOUBLE_BYTES * (2 * FRAMES_PER_CALL + STATE_LANES * longest + row * (longest + 2))
  const changesSize = 2 * lengths * window
  const buffer = reserveMemory(memory, tablesEnd + changesSize)
  let free = 0
  const reserveTable = (length: number): Float64Array => {
    const zeros = new Float64Array(buffer, free, length).fill(0)
    free += zeros.byteLength
    return zeros
  }
  const odds = reserveTable(2 * FRAMES_PER_CALL)
  const scores = reserveTable(STATE_LANES * lengths)
  // Before the first frame all states are as likely, and nothing is observed.
  const past = reserveTable(STATE_LANES * longest)
  const arrivals = reserveTable(row * longest)
  const leaving = reserveTable(lengths)
  const steps = reserveTable(lengths + 1)
  const observed = reserveTable(lengths)
  const changes = new Uint8Array(buffer, tablesEnd, changesSize)
  const costs = changeCosts(shortest, lengths)
  leaving.set(costs.leaving)
  steps.set(costs.steps)
  observed.set(observedFrameCounts)
  const tables = [odds, scores, past, arrivals, leaving, steps, observed]
  const places = tables.map(({ byteOffset }) => byteOffset)

  /** The best score at `frame`, and the beat that it is in. */
  const bestAt = (frame: number, metre: number, lane: number) => {
    const best = { score: -Infinity, length: 0, place: 0, at: frame }
    for (let length = 0; length < lengths; length++)
      for (let place = 0; place < metre; place++) {
        const cell = STATE_LANES * (lengths - 1 - length) + lane + ((place + 1) % metre)
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

  /** Of the best path to a beat of `length` that begins at frame `at`. */
  const previousLength = (at: number, length: number, lane: number): number => {
    const changeRow = (at % window) * 2 * lengths
    let from = length
    while ((changes[changeRow + lengths + from]! >> lane) & 1) from++
    while ((changes[changeRow + from]! >> lane) & 1) from--
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
  const decideBeats = (frame: number, end: number): void => {
    for (const path of paths) {
      const { metre, lane, frames, places } = path
      const best = bestAt(frame, metre, lane)
      path.score = best.score
      let { length, place, at } = best
      const pathBeats: { frame: number; place: number }[] = []
      while (at >= decidedTo && at > frame - window) {
        if (at < end)
          pathBeats.push({ frame: Math.min(total - 1, at + (observed[length]! >> 1)), place })
        length = previousLength(at, length, lane + place)
        at -= shortest + length
        place = place === 0 ? metre - 1 : place - 1
      }
      const previous = frames.at(-1) ?? -Infinity
      for (const beat of pathBeats.reverse())
        if (beat.frame - previous >= shortest / 2) {
          frames.push(beat.frame)
          places.push(beat.place)
        }
    }
    decidedTo = end
  }

  for (let frame = 0; frame < total; ) {
    if (frame - decidedTo >= window) decideBeats(frame - 1, decidedTo + (window >> 1))
    const count = Math.min(FRAMES_PER_CALL, total - frame, decidedTo + window - frame)
    for (let i = 0; i < count; i++) {
      odds[2 * i] = bias + beat[frame + i]!
      odds[2 * i + 1] = bias + down[frame + i]!
    }
    const change = tablesEnd + 2 * lengths * (frame % window)
    advance(count, shortest, lengths, first, second, ...places, frame % longest, change)
    frame += count
  }
  if (total > 0) decideBeats(total - 1, total)
  return paths.map(({ frames, places, score }) => ({
    frames: Int32Array.from(frames),
    places: Uint8Array.from(places),
    score,
  }))
}

export function observedFrames(length: number): number {
  return Math.ceil(length / STATE_SPACE.parts)
}

/** In frames, with how many of them are observed as a beat. */
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

/** In nats: the step from the length before, and the cost of leaving a length. */
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
