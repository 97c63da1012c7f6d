import { grown } from '../../../audio/samples.ts'
import { ECHOPRINT } from '../version.ts'

const { bands: BANDS } = ECHOPRINT

/** Weights of the differences between values 6, 4 and 2 apart, the newest first. */
const RISE = [0.1883, 0.423, 0.3392] as const
/** How much of a filtered value stays in the next one. */
const LEAK = 0.98
/** How far the threshold is set above a value that reaches it. */
const OVERSHOOT = 1.1
/** Frames (0.37 s) within which a later onset takes the place of an earlier one. */
const DEAD = 128
/** Frames (1 s) between onsets at which the threshold aims. */
const AIM = 345
/** Decay of the threshold per frame by its time constant in frames. */
const DECAY = Float64Array.from({ length: 4096 }, (_, tau) => Math.exp(-1 / tau))

const { fround } = Math

/**
 * The onsets of one band: the moments at which its rising envelope falls back below a threshold that
 * decays, more slowly the more onsets it let through.
 */
export class BandOnsets {
  #frames = new Uint32Array(256)
  #count = 0
  /** The next frame. */
  #frame = 0
  /** The envelope's last six values, the newest first. */
  readonly #past = new Float32Array(6)
  #filtered = 0
  #threshold = 0
  /** Time constant of the threshold, frames. */
  #tau = 1
  /** Frames since the last onset. */
  #since = 0
  #contact = false

  constructor(private readonly band: number) {}

  /** Takes the next `count` values of the envelopes, `[step][band]`. */
  pass(envelopes: Float32Array, count: number): void {
    const past = this.#past
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
      since: this.#since,
      contact: this.#contact,
    }
    const first = this.#frame
    if (first === 0) threshold = envelopes[this.band] ?? 0
    for (let i = 0, at = this.band; i < count; i++, at += BANDS) {
      const s = envelopes[at]!
      const rise =
        first + i >= 6
          ? RISE[0] * fround(s - s6) + RISE[1] * fround(s1 - s5) + RISE[2] * fround(s2 - s4)
          : 0
      filtered = rise + LEAK * filtered
      const before = contact
      contact = filtered > threshold
      if (contact) threshold = filtered * OVERSHOOT
      else {
        threshold *= DECAY[tau] ?? Math.exp(-1 / tau)
        if (before) {
          this.#add(first + i)
          since = 0
        }
      }
      since++
      if (since > AIM) tau = Math.max(1, tau - 1)
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
    this.#since = since
    this.#contact = contact
    this.#frame = first + count
  }

  /** The frames of the onsets, ascending. */
  finish(): Uint32Array {
    return this.#frames.slice(0, this.#count)
  }

  #add(frame: number): void {
    const last = this.#frames[this.#count - 1]
    if (last !== undefined && last > frame - DEAD) this.#count--
    this.#frames = grown(this.#frames, this.#count + 1)
    this.#frames[this.#count++] = frame
  }
}
