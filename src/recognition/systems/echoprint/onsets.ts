import { grown } from '../../../audio/samples.ts'
import { ECHOPRINT_SYSTEM } from '../version.ts'

const { bands: BAND_COUNT } = ECHOPRINT_SYSTEM

/** Weights of the differences between values 6, 4 and 2 apart, the newest first. */
const RISE_WEIGHTS = [0.1883, 0.423, 0.3392] as const
const FILTER_LEAK = 0.98
/** How far the threshold is set above a value that reaches it. */
const THRESHOLD_OVERSHOOT = 1.1
/** A later onset within 0.37 s takes the place of an earlier one. */
const DEAD_FRAMES = 128
/** Frames between onsets at which the threshold aims. */
const AIMED_FRAMES = 345
/** Decay of the threshold per frame by its time constant in frames. */
const DECAYS = Float64Array.from({ length: 4096 }, (_, tau) => Math.exp(-1 / tau))

const { fround } = Math

/**
 * Moments at which a rising envelope falls below a threshold; the threshold decays more slowly
 * after many onsets.
 */
export class BandOnsets {
  #frames = new Uint32Array(256)
  #count = 0
  #frame = 0
  /** The envelope's last six values, the newest first. */
  readonly #pastValues = new Float32Array(6)
  #filtered = 0
  #threshold = 0
  /** Time constant of the threshold, frames. */
  #tau = 1
  /** Frames since the last onset. */
  #framesSinceOnset = 0
  #isAbove = false

  constructor(private readonly band: number) {}

  passEnvelopes(envelopes: Float32Array, count: number): void {
    const past = this.#pastValues
    let [s1, s2, s3, s4, s5, s6] = past as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    let { filtered, threshold, tau, since, contact } = {
      filtered: this.#filtered,
      threshold: this.#threshold,
      tau: this.#tau,
      since: this.#framesSinceOnset,
      contact: this.#isAbove,
    }
    const first = this.#frame
    if (first === 0) threshold = envelopes[this.band] ?? 0
    for (let i = 0, index = this.band; i < count; i++, index += BAND_COUNT) {
      const s = envelopes[index]!
      const rise =
        first + i >= 6
          ? RISE_WEIGHTS[0] * fround(s - s6) +
            RISE_WEIGHTS[1] * fround(s1 - s5) +
            RISE_WEIGHTS[2] * fround(s2 - s4)
          : 0
      filtered = rise + FILTER_LEAK * filtered
      const wasAbove = contact
      contact = filtered > threshold
      if (contact) threshold = filtered * THRESHOLD_OVERSHOOT
      else {
        threshold *= DECAYS[tau] ?? Math.exp(-1 / tau)
        if (wasAbove) {
          this.#addOnset(first + i)
          since = 0
        }
      }
      since++
      if (since > AIMED_FRAMES) tau = Math.max(1, tau - 1)
      else tau++
      s6 = s5
      s5 = s4
      s4 = s3
      s3 = s2
      s2 = s1
      s1 = s
    }
    past.set([s1, s2, s3, s4, s5, s6])
    this.#filtered = filtered
    this.#threshold = threshold
    this.#tau = tau
    this.#framesSinceOnset = since
    this.#isAbove = contact
    this.#frame = first + count
  }

  /** The frames of the onsets, ascending. */
  finish(): Uint32Array {
    return this.#frames.slice(0, this.#count)
  }

  #addOnset(frame: number): void {
    const last = this.#frames[this.#count - 1]
    if (last !== undefined && last > frame - DEAD_FRAMES) this.#count--
    this.#frames = grown(this.#frames, this.#count + 1)
    this.#frames[this.#count++] = frame
  }
}
