import { beatLengths, changeCosts, STATE_SPACE } from './state-space.ts'

export interface MusicPassage {
  /** The chance that beats begin at a frame without beats. */
  entering: number
  /** The chance that beats end with a beat. */
  leaving: number
  /** Without beats, the chance of a frame to be like a beat. */
  stray: number
  /** Nats by which a beat in bars of five, six or seven is less likely. */
  unusual: number
}

/** By the frames from now to where it begins. */
export interface NextBeat {
  chance: Float64Array
  /** The part of the chance in which it is a downbeat. */
  down: Float64Array
  /** The chance times the length of the beat before it, in frames. */
  length: Float64Array
  /** The chance times the frames in which such a beat is observed. */
  observed: Float64Array
}

/** Beyond this the weights are scaled anew. */
const LARGEST_WEIGHT = 1e100

/**
 * The forward algorithm over the states of `viterbiPaths` and one without beats (Böck, Krebs &
 * Widmer, ISMIR 2014; Heydari et al., ISMIR 2021).
 */
export class ForwardPass {
  readonly longest: number
  readonly next: NextBeat
  /** The chance that there are beats. */
  beats = 0
  readonly #metres: readonly number[]
  readonly #passage: MusicPassage
  readonly #shortest: number
  readonly #observed: Int32Array
  readonly #steps: Float64Array
  readonly #staying: Float64Array
  /** By length and lane: how music begins. A lane is a place in the bars of a metre. */
  readonly #beginning: Float64Array
  readonly #following: Int32Array
  readonly #isDown: Uint8Array
  /** By lane: what a beat is worth for its metre. */
  readonly #worth: Float64Array
  /** By frame modulo the longest beat: the odds of a beat, and of a downbeat. */
  readonly #odds: Float64Array
  /** By frame modulo the longest beat, length and lane: the weight of beats that begin then. */
  readonly #arrivals: Float64Array
  /** Summed over lanes: of other beats, of downbeats, of beats before a downbeat. */
  readonly #sums: Float64Array
  /** By length and lane: the weight of beats that end now. */
  readonly #ending: Float64Array
  readonly #shorter: Float64Array
  #withoutBeats = 1
  #frame = 0

  /** @param metres - numbers of beats in a bar */
  constructor(fps: number, metres: readonly number[], passage: MusicPassage) {
    const { shortest, longest, observed } = beatLengths(fps)
    const lengths = observed.length
    const { steps, leaving } = changeCosts(shortest, lengths)
    this.longest = longest
    this.#metres = metres
    this.#passage = passage
    this.#shortest = shortest
    this.#observed = observed
    this.#steps = steps.map((cost) => Math.exp(-cost))
    this.#staying = leaving.map((cost) => Math.exp(-cost))
    const lanes = metres.flatMap((metre) =>
      Array.from({ length: metre }, (_, place) => ({ metre, place })),
    )
    this.#isDown = Uint8Array.from(lanes, ({ place }) => Number(place === 0))
    this.#following = Int32Array.from(lanes, ({ metre, place }, lane) =>
      place + 1 === metre ? lane - place : lane + 1,
    )
    this.#worth = Float64Array.from(lanes, ({ metre }) =>
      metre > 4 ? Math.exp(-passage.unusual) : 1,
    )
    // In any short time, beats of all lengths are as likely to begin.
    const rates = Float64Array.from(observed, (_, i) => 1 / (shortest + i))
    const totalRate = rates.reduce((sum, rate) => sum + rate, 0) * metres.length
    this.#beginning = new Float64Array(lengths * lanes.length)
    for (let cell = 0; cell < this.#beginning.length; cell++) {
      const { metre } = lanes[cell % lanes.length]!
      this.#beginning[cell] = rates[Math.floor(cell / lanes.length)]! / totalRate / metre
    }
    this.#odds = new Float64Array(2 * longest)
    this.#arrivals = new Float64Array(longest * lengths * lanes.length)
    this.#sums = new Float64Array(longest * lengths * 3)
    this.#ending = new Float64Array(lengths * lanes.length)
    this.#shorter = new Float64Array(lengths)
    const lengthTable = () => new Float64Array(longest + 1)
    this.next = {
      chance: lengthTable(),
      down: lengthTable(),
      length: lengthTable(),
      observed: lengthTable(),
    }
  }

  reset(): void {
    this.#odds.fill(0)
    this.#arrivals.fill(0)
    this.#sums.fill(0)
    this.#withoutBeats = 1
    this.#frame = 0
    this.beats = 0
  }

  /** Activations are logarithms of odds against no beat. */
  advance(beat: number, down: number): void {
    const bias = Math.log(STATE_SPACE.parts - 1)
    const { stray } = this.#passage
    const row = this.#frame % this.longest
    this.#odds[2 * row] = Math.exp(bias + beat)
    this.#odds[2 * row + 1] = Math.exp(bias + down)
    this.#endBeats()
    this.#changeLengths()
    this.#withoutBeats *= stray * Math.exp(bias + Math.max(beat, down)) + 1 - stray
    this.#beginBeats(row)
    this.#lookAhead(row)
    this.#frame++
  }

  /** Among the beats that have begun within the longest beat. */
  metreChances(chances: Float64Array): void {
    chances.fill(0)
    let cell = 0
    let total = 0
    while (cell < this.#arrivals.length)
      for (let m = 0; m < this.#metres.length; m++)
        for (let place = 0; place < this.#metres[m]!; place++) {
          chances[m]! += this.#arrivals[cell]!
          total += this.#arrivals[cell++]!
        }
    for (let m = 0; m < chances.length; m++) chances[m]! /= total || 1
  }

  /** What beats that end now have gained since they began. */
  #endBeats(): void {
    const { longest } = this
    const odds = this.#odds
    const lanes = this.#isDown.length
    const lengths = this.#observed.length
    for (let i = 0; i < lengths; i++) {
      const began = (this.#frame + longest - this.#shortest - i) % longest
      let beat = this.#staying[i]!
      let down = beat
      for (let k = 0; k < this.#observed[i]!; k++) {
        const odd = 2 * ((began + k) % longest)
        beat *= odds[odd]!
        down *= odds[odd + 1]!
      }
      const firstArrival = (began * lengths + i) * lanes
      for (let lane = 0; lane < lanes; lane++) {
        const gained = this.#worth[lane]! * (this.#isDown[lane] ? down : beat)
        this.#ending[i * lanes + lane] = this.#arrivals[firstArrival + lane]! * gained
      }
    }
  }

  #changeLengths(): void {
    const lanes = this.#isDown.length
    const lengths = this.#observed.length
    const ending = this.#ending
    for (let lane = 0; lane < lanes; lane++) {
      let shorter = 0
      for (let i = 0; i < lengths; i++) {
        shorter *= this.#steps[i]!
        this.#shorter[i] = shorter
        shorter += ending[i * lanes + lane]!
      }
      let longer = 0
      for (let i = lengths - 1; i >= 0; i--) {
        const weight = ending[i * lanes + lane]!
        ending[i * lanes + lane] = weight + longer + this.#shorter[i]!
        longer = (longer + weight) * this.#steps[i]!
      }
    }
  }

  /** At the end of others, and where there were none. */
  #beginBeats(row: number): void {
    const { entering, leaving } = this.#passage
    const lanes = this.#isDown.length
    const lengths = this.#observed.length
    const entered = this.#withoutBeats * entering
    let ended = 0
    for (let i = 0; i < lengths; i++) {
      const firstArrival = (row * lengths + i) * lanes
      let others = 0
      let downs = 0
      let lasts = 0
      for (let lane = 0; lane < lanes; lane++) {
        const nextLane = this.#following[lane]!
        const weight = this.#ending[i * lanes + lane]!
        const beginning = (1 - leaving) * weight + entered * this.#beginning[i * lanes + nextLane]!
        ended += weight
        this.#arrivals[firstArrival + nextLane] = beginning
        if (this.#isDown[nextLane]) downs += beginning
        else others += beginning
        if (this.#isDown[this.#following[nextLane]!]) lasts += beginning
      }
      const sum = 3 * (row * lengths + i)
      this.#sums[sum] = others
      this.#sums[sum + 1] = downs
      this.#sums[sum + 2] = lasts
    }
    this.#withoutBeats += leaving * ended - entered
  }

  /** The chances of the next beat, and of no beats. */
  #lookAhead(row: number): void {
    const { longest, next } = this
    const lengths = this.#observed.length
    clearChances(next)
    let total = 0
    for (let i = 0; i < lengths; i++) {
      const length = this.#shortest + i
      const observed = this.#observed[i]!
      for (let age = 0; age < length; age++) {
        const began = (row + longest - age) % longest
        let beat = 1
        let down = 1
        for (let k = 0; k <= age && k < observed; k++) {
          const odd = 2 * ((began + k) % longest)
          beat *= this.#odds[odd]!
          down *= this.#odds[odd + 1]!
        }
        const sum = 3 * (began * lengths + i)
        const weight = this.#sums[sum]! * beat + this.#sums[sum + 1]! * down
        const frames = length - age
        total += weight
        next.chance[frames]! += weight
        next.down[frames]! += this.#sums[sum + 2]! * beat
        next.length[frames]! += weight * length
        next.observed[frames]! += weight * observed
      }
    }
    const scaledTotal = total + this.#withoutBeats
    this.beats = total / scaledTotal
    scaleValues(next.chance, 1 / scaledTotal)
    scaleValues(next.down, 1 / scaledTotal)
    scaleValues(next.length, 1 / scaledTotal)
    scaleValues(next.observed, 1 / scaledTotal)
    if (scaledTotal > 1 / LARGEST_WEIGHT && scaledTotal < LARGEST_WEIGHT) return
    scaleValues(this.#arrivals, 1 / scaledTotal)
    scaleValues(this.#sums, 1 / scaledTotal)
    this.#withoutBeats /= scaledTotal
  }
}

function clearChances({ chance, down, length, observed }: NextBeat): void {
  chance.fill(0)
  down.fill(0)
  length.fill(0)
  observed.fill(0)
}

function scaleValues(values: Float64Array, factor: number): void {
  for (let i = 0; i < values.length; i++) values[i]! *= factor
}
