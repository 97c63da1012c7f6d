// One track on its way through Web Audio: when it sounds, how fast, and how loud.

/** A moment that never comes. */
const NEVER = 1e9
/** Points of a fade: as many as keep it smooth over half a minute. */
const CURVE = 64

/** A moment of the context, where the track is then, and how fast it goes on from there. */
/** @typedef {{ at: number, position: number, rate: number }} Mark */

export class Voice {
  track
  #context
  #buffer
  #gain
  #source
  #level
  /** @type {Mark[]} */
  #marks = []

  /**
   * @param {BaseAudioContext} context
   * @param {AudioNode} out
   * @param {{ id: string }} track
   * @param {AudioBuffer} buffer
   * @param {number} level - the gain at which it plays
   */
  constructor(context, out, track, buffer, level = 1) {
    this.#context = context
    this.track = track
    this.#buffer = buffer
    this.#level = level
    this.#gain = new GainNode(context, { gain: level })
    this.#gain.connect(out)
  }

  get duration() {
    return this.#buffer.duration
  }

  get level() {
    return this.#level
  }

  /**
   * Plays from the first mark on, each at its speed until the next one.
   *
   * @param {readonly Mark[]} marks - the first is where it starts
   */
  start(marks) {
    this.#marks = [...marks]
    this.#source?.stop()
    this.#source = new AudioBufferSourceNode(this.#context, { buffer: this.#buffer })
    this.#source.connect(this.#gain)
    for (const { at, rate } of marks) this.#source.playbackRate.setValueAtTime(rate, at)
    this.#source.start(marks[0].at, marks[0].position)
  }

  /** Where the track is at a moment of the context, in seconds. */
  positionAt(time) {
    const { at, position, rate } = this.#marks.findLast((mark) => mark.at <= time) ?? this.#marks[0]
    return Math.min(this.duration, position + Math.max(0, time - at) * rate)
  }

  /** When the track is at a position. */
  timeOf(seconds) {
    const { at, position, rate } =
      this.#marks.findLast((mark) => mark.position <= seconds) ?? this.#marks[0]
    return at + (seconds - position) / rate
  }

  get end() {
    return this.timeOf(this.duration)
  }

  /** Fades in or out with equal power: two tracks that cross stay as loud as one. */
  fade(way, at, seconds) {
    const turn = (i) => ((i / (CURVE - 1)) * Math.PI) / 2
    const shape = way === 'in' ? Math.sin : Math.cos
    const curve = Float32Array.from({ length: CURVE }, (_, i) => this.#level * shape(turn(i)))
    this.#gain.gain.cancelScheduledValues(at)
    if (way === 'in') this.#gain.gain.setValueAtTime(0, this.#context.currentTime)
    this.#gain.gain.setValueCurveAtTime(curve, at, seconds)
  }

  /** Plays on as loud as it was, whatever was to come. */
  unfade() {
    this.#source?.stop(NEVER)
    this.#gain.gain.cancelScheduledValues(0)
    this.#gain.gain.value = this.#level
  }

  /** Ends it, at once or at a moment to come. */
  stop(at = 0) {
    this.#source?.stop(at)
  }
}
