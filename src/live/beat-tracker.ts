import { ForwardPass } from '../analysis/forward-pass.ts'
import { SPECTRUM } from '../analysis/novelty.ts'
import { LEAST_ODDS } from '../analysis/rhythm-confidence.ts'
import { FRAME_RATE } from '../analysis/spectra.ts'
import { paceOf } from './beat-pace.ts'

/** How beats are announced; the constants were chosen on made music (test/programs/evaluate/README.md). */
export const TRACKING = Object.freeze({
  metres: [2, 3, 4, 5, 6, 7],
  passage: { entering: 3e-4, leaving: 5e-4, stray: 0.13, unusual: 0.5 },
  /** Frames before a beat begins in which it is announced. */
  lead: 4,
  /** The chance that the next beat begins by then from which it is announced, and frames after it that count too. */
  enough: 0.4,
  spread: 3,
  /** Beats are this share of their length apart at least. */
  nearest: 0.6,
  /** Chances of beats at which music is heard to begin and to end. */
  begins: 0.5,
  ends: 0.02,
})

/** A beat of a stream, announced ahead of time. */
export interface LiveBeat {
  /** Seconds of the stream, from the first sample on. */
  time: number
  /** Whether it is the first of a bar. */
  downbeat: boolean
  /** BPM. */
  tempo: number
  /** Beats in a bar, 2 to 7. */
  timeSignature: number
  /** The chance that there is a beat near this time, 0 to 1. */
  confidence: number
  /**
   * Seconds of the stream from the sample that decided this beat to the beat; negative if it is late. The rest of that
   * block, and what a program or a device holds back, come on top.
   */
  ahead: number
}

const FPS = FRAME_RATE / 2

/** Announces beats by the chances of a forward pass. */
export class BeatTracker {
  readonly #pass = new ForwardPass(FPS, TRACKING.metres, TRACKING.passage)
  readonly #metreChances = new Float64Array(TRACKING.metres.length)
  /** Times of the last beats, the newest last. */
  #times: number[] = []
  #isPlaying = false
  #confidence = 0
  #tempo = 0
  #timeSignature = 0
  #frame = 0

  /**
   * @param delay - seconds from the middle of a frame to the sample that completes it
   * @param waiting - frames that a frame waits for before its activations are known
   */
  constructor(
    private readonly delay: number,
    private readonly waiting: number,
  ) {}

  /** BPM; 0 while no beats are heard. */
  get tempo(): number {
    return this.#tempo
  }

  /** Of the last beat; 0 while no beats are heard. */
  get confidence(): number {
    return this.#confidence
  }

  /** Beats in a bar; 0 while no beats are heard. */
  get timeSignature(): number {
    return this.#timeSignature
  }

  /**
   * Takes the activations of the next frame, as logarithms of odds against no beat.
   *
   * @returns the beat that it announces
   */
  hear(beat: number, down: number): LiveBeat | undefined {
    this.#pass.advance(Math.max(LEAST_ODDS, beat), Math.max(LEAST_ODDS, down))
    const frame = this.#frame++
    const { beats } = this.#pass
    if (beats >= TRACKING.begins) this.#isPlaying = true
    else if (beats <= TRACKING.ends && this.#isPlaying) this.#stop()
    return this.#isPlaying ? this.#nextBeat(frame) : undefined
  }

  #stop(): void {
    this.#isPlaying = false
    this.#times = []
    this.#tempo = this.#confidence = this.#timeSignature = 0
  }

  #nextBeat(frame: number): LiveBeat | undefined {
    const { next, beats } = this.#pass
    const lead = TRACKING.lead + this.waiting
    let near = 0
    for (let frames = 1; frames <= lead; frames++) near += next.chance[frames]!
    if (near < TRACKING.enough * beats) return undefined
    let [chance, down, distance, length, observed] = [0, 0, 0, 0, 0]
    for (let frames = 1; frames <= lead + TRACKING.spread; frames++) {
      chance += next.chance[frames]!
      down += next.down[frames]!
      distance += frames * next.chance[frames]!
      length += next.length[frames]!
      observed += next.observed[frames]!
    }
    // A beat is in the middle of the frames that are observed of it.
    const middle = distance / chance + (observed / chance - 1) / 2
    const time = (frame + middle) / FPS + SPECTRUM.late
    const gap = length / chance / FPS
    const before = this.#times.at(-1) ?? -Infinity
    if (time < Math.max(0, before + TRACKING.nearest * gap)) return undefined
    this.#times.push(time)
    const { tempo, counted } = paceOf(this.#times, gap)
    this.#times = this.#times.slice(-counted)
    this.#tempo = tempo
    this.#confidence = Math.min(1, chance)
    this.#timeSignature = this.#likeliestMetre()
    return {
      time,
      downbeat: 2 * down > chance,
      tempo,
      timeSignature: this.#timeSignature,
      confidence: this.#confidence,
      ahead: time - ((frame + this.waiting) / FPS + SPECTRUM.late + this.delay),
    }
  }

  #likeliestMetre(): number {
    const chances = this.#metreChances
    this.#pass.metreChances(chances)
    let best = 0
    for (let m = 1; m < chances.length; m++) if (chances[m]! > chances[best]!) best = m
    return TRACKING.metres[best]!
  }
}
