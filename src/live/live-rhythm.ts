import { LiveNetwork } from '../analysis/activation/live-network.ts'
import { SCORES } from '../analysis/activation/network.ts'
import { ACTIVATION } from '../analysis/activation/network-weights.ts'
import { invalidParameter } from '../values/errors.ts'
import { BeatTracker, type LiveBeat } from './beat-tracker.ts'
import { LiveFront } from './live-front.ts'

/** The tempo from a moment of a stream on. */
export interface LiveTempo {
  /** Seconds of the stream. */
  time: number
  /** BPM; 0 where the beats end. */
  tempo: number
  /** Of the beat that told it, 0 to 1. */
  confidence: number
}

/** What a {@link LiveRhythm} listens to, and whom it tells. */
export interface LiveOptions {
  /** Hz, a whole number of 8,000 to 192,000. */
  sampleRate: number
  /** Receives each beat once, some 60 ms before it sounds. */
  onBeat?: (beat: LiveBeat) => void
  /** Receives the tempo when it is first heard, when it changes by 2 % or more, and when the beats end. */
  onTempo?: (tempo: LiveTempo) => void
}

/** Blocks of samples, each a list of channels. */
export type LiveStream =
  | AsyncIterable<readonly Float32Array[]>
  | Iterable<readonly Float32Array[]>
  | ReadableStream<readonly Float32Array[]>

/** Frames of 20 ms that the network hears beyond a frame: beats are then surer than with none. */
const WAITING = 2
/** A change of tempo that is told. */
const TOLD = 0.02

/**
 * Beats, downbeats and tempo of music while it plays, each beat announced before it sounds: from a
 * microphone, a stream or an AudioWorklet.
 *
 * The network of the analysis hears it with the future cut off; the forward algorithm over the state
 * space of the analysis predicts the next beat (Böck, Krebs & Widmer, ISMIR 2014; Heydari, Cwitkowitz &
 * Duan, ISMIR 2021). How the samples are cut into blocks changes nothing. Where no music plays there are no
 * beats.
 *
 * @example
 * ```ts
 * import { LiveRhythm } from 'audile/live'
 *
 * const live = new LiveRhythm({
 *   sampleRate: 44100,
 *   onBeat: ({ time, downbeat, tempo, ahead }) => console.log(time, downbeat, tempo, ahead),
 * })
 * live.push([left, right]) // block after block
 * console.log(live.tempo, live.timeSignature, live.confidence)
 * ```
 */
export class LiveRhythm {
  readonly #options: LiveOptions
  readonly #network = new LiveNetwork(ACTIVATION.form, ACTIVATION.weights, WAITING)
  readonly #scores = new Float32Array(SCORES.count)
  /** What is not told yet. */
  #beats: LiveBeat[] = []
  #tempos: LiveTempo[] = []
  #front!: LiveFront
  #tracker!: BeatTracker
  #toldTempo = 0
  #lastBeat = 0

  /** @throws {ParameterError} when the rate is out of range */
  constructor(options: LiveOptions) {
    const { sampleRate } = options
    if (!Number.isSafeInteger(sampleRate) || sampleRate < 8_000 || sampleRate > 192_000)
      throw invalidParameter(
        'sampleRate',
        `${sampleRate} is not a whole number of hertz, 8000 to 192000.`,
      )
    this.#options = options
    this.reset()
  }

  /** BPM of the last beats; 0 while no beats are heard. */
  get tempo(): number {
    return this.#tracker.tempo
  }

  /** Of the last beat, 0 to 1; 0 while no beats are heard. */
  get confidence(): number {
    return this.#tracker.confidence
  }

  /** Beats in a bar, 2 to 7; 0 while no beats are heard. */
  get timeSignature(): number {
    return this.#tracker.timeSignature
  }

  /**
   * Takes the next samples of every channel, of any number; they are neither kept nor changed. Samples that are
   * not finite count as 0. The listeners are called before it returns; what one of them throws, it throws, and
   * tells the rest at the next call.
   *
   * @throws {ParameterError} when there is no channel, or lengths differ
   * @example
   * ```ts
   * import { LiveRhythm } from 'audile/live'
   *
   * const live = new LiveRhythm({ sampleRate: 44100, onTempo: ({ tempo }) => console.log(tempo) })
   * live.push([left, right])
   * ```
   */
  push(channels: readonly Float32Array[]): void {
    const length = channels[0]?.length
    if (length === undefined)
      throw invalidParameter('channels', 'there are none; give a Float32Array for each channel.')
    for (let c = 1; c < channels.length; c++)
      if (channels[c]!.length !== length)
        throw invalidParameter(
          'channels',
          `channel ${c} has ${channels[c]!.length} samples, the first ${length}; give as many of each.`,
        )
    this.#front.push(channels)
    const { onBeat, onTempo } = this.#options
    for (let tempo = this.#tempos.shift(); tempo; tempo = this.#tempos.shift()) onTempo?.(tempo)
    for (let beat = this.#beats.shift(); beat; beat = this.#beats.shift()) onBeat?.(beat)
  }

  /**
   * Forgets all that it heard: the next sample is at 0 s, of other music.
   *
   * @example
   * ```ts
   * import { LiveRhythm } from 'audile/live'
   *
   * const live = new LiveRhythm({ sampleRate: 44100 })
   * live.push([left, right])
   * live.reset()
   * ```
   */
  reset(): void {
    this.#network.reset()
    this.#front = new LiveFront(this.#options.sampleRate, (levels) => this.#listen(levels))
    this.#tracker = new BeatTracker(this.#front.delay, WAITING)
    this.#beats = []
    this.#tempos = []
    this.#toldTempo = this.#lastBeat = 0
  }

  /**
   * The beats of a stream, as they are announced; `onBeat` and `onTempo` are called too. It ends with the
   * stream, and does not reset.
   *
   * @example
   * ```ts
   * import { LiveRhythm } from 'audile/live'
   *
   * const live = new LiveRhythm({ sampleRate: 44100 })
   * const stream = new ReadableStream<Float32Array[]>()
   * for await (const beat of live.beats(stream)) console.log(beat.time, beat.downbeat)
   * ```
   */
  async *beats(stream: LiveStream): AsyncGenerator<LiveBeat, void, undefined> {
    for await (const channels of blocksOf(stream)) {
      const announced: LiveBeat[] = []
      this.#alsoTold = announced
      try {
        this.push(channels)
      } finally {
        this.#alsoTold = undefined
      }
      yield* announced
    }
  }
  #alsoTold: LiveBeat[] | undefined

  #listen(levels: Float64Array): void {
    if (!this.#network.scoreFrame(levels, this.#scores)) return
    const none = this.#scores[SCORES.none]!
    const beat = this.#scores[SCORES.beat]! - none
    const announced = this.#tracker.hear(beat, this.#scores[SCORES.down]! - none)
    if (announced) {
      this.#beats.push(announced)
      this.#alsoTold?.push(announced)
      this.#lastBeat = announced.time
    }
    const { tempo, confidence } = this.#tracker
    const isChanged = Math.abs(tempo - this.#toldTempo) > TOLD * this.#toldTempo
    if (tempo === this.#toldTempo || !isChanged) return
    this.#toldTempo = tempo
    this.#tempos.push({ time: this.#lastBeat, tempo, confidence })
  }
}

/** The blocks of a stream, also in browsers whose streams cannot be iterated. */
async function* blocksOf(stream: LiveStream): AsyncGenerator<readonly Float32Array[]> {
  if (!('getReader' in stream) || Symbol.asyncIterator in stream) {
    yield* stream as Exclude<LiveStream, ReadableStream>
    return
  }
  const reader = (stream as ReadableStream<readonly Float32Array[]>).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}
