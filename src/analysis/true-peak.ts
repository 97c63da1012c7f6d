/**
 * Two of the four phases of the interpolator of ITU-R BS.1770-4, annex 2; the other two are their
 * mirror images.
 */
const OUTER = Float64Array.of(
  ...[0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125],
  ...[-0.0594482421875, 0.1373291015625, 0.97216796875, -0.102294921875],
  ...[0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125],
)
const INNER = Float64Array.of(
  ...[-0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125],
  ...[-0.16650390625, 0.465087890625, 0.77978515625, -0.2003173828125],
  ...[0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375],
)
const TAPS = OUTER.length
/** Samples before a sample that its interpolated values depend on. */
const PAST = TAPS - 1
/** The places of the two samples between which a window is interpolated. */
const [LEFT, RIGHT] = [TAPS / 2 - 1, TAPS / 2] as const

/**
 * Bounds of the interpolated values: at most `gain` times the largest sample of the window; and at
 * most `centre` times the larger of the two middle samples, plus `slope` times the largest
 * difference between neighbours. The second holds because each other sample is a middle one plus
 * as many differences as it is away from it.
 */
const BOUNDS = [OUTER, INNER].reduce(
  (bounds, taps) => {
    const away = (k: number) => (k < LEFT ? LEFT - k : k > RIGHT ? k - RIGHT : 0)
    const total = (part: (tap: number, k: number) => number) =>
      taps.reduce((sum, tap, k) => sum + part(tap, k), 0)
    const side = (isSide: (k: number) => boolean) => total((tap, k) => (isSide(k) ? tap : 0))
    return {
      gain: Math.max(bounds.gain, total(Math.abs)),
      centre: Math.max(
        bounds.centre,
        Math.abs(side((k) => k <= LEFT)) + Math.abs(side((k) => k >= RIGHT)),
      ),
      slope: Math.max(
        bounds.slope,
        total((tap, k) => Math.abs(tap) * away(k)),
      ),
    }
  },
  { gain: 0, centre: 0, slope: 0 },
)

/** Samples that are bounded together. */
const CHUNK = 32
/** The bits of a float without its sign. */
const MAGNITUDE = 0x7fffffff
const VALUE = new Float32Array(1)
const BITS = new Int32Array(VALUE.buffer)

/**
 * The true peak of all channels (ITU-R BS.1770-4, annex 2), streaming: the largest magnitude of the
 * samples and of four values interpolated around each.
 *
 * Only what may exceed the peak so far is interpolated; the bounds are exact, so the result is that
 * of interpolating everything.
 */
export class TruePeakMeter {
  #peak = 0
  /** The bits of the magnitude up to which samples cannot lead to a new peak. */
  #enough = 0
  /** The last samples of each channel. */
  readonly #past: readonly Float32Array[]
  readonly #window = new Float32Array(PAST + CHUNK)
  readonly #windowBits = new Int32Array(this.#window.buffer)
  /** The differences between neighbours in the window. */
  readonly #steps = new Float32Array(PAST + CHUNK)
  readonly #stepBits = new Int32Array(this.#steps.buffer)

  constructor(channels: number) {
    this.#past = Array.from({ length: channels }, () => new Float32Array(PAST))
  }

  /** Takes the next samples of all channels. */
  push(channels: readonly Float32Array[]): void {
    for (let c = 0; c < channels.length; c++) this.#take(channels[c]!, this.#past[c]!)
  }

  /** The largest magnitude; full scale is 1. */
  finish(): number {
    const silence = new Float32Array(PAST)
    for (const past of this.#past) this.#take(silence, past)
    return this.#peak
  }

  #take(samples: Float32Array, past: Float32Array): void {
    const { length } = samples
    const bits = new Int32Array(samples.buffer, samples.byteOffset, length)
    // Only the last chunk is shorter than what a window reaches back.
    let isLoudBefore = true
    for (let from = 0; from < length; from += CHUNK) {
      const to = Math.min(length, from + CHUNK)
      const isLoud = hasAbove(bits, from, to, this.#enough)
      if (isLoud || isLoudBefore) this.#examine(samples, past, from, to)
      isLoudBefore = isLoud
    }
    const kept = Math.max(0, PAST - length)
    past.copyWithin(0, PAST - kept)
    past.set(samples.subarray(length - PAST + kept), kept)
  }

  #examine(samples: Float32Array, past: Float32Array, from: number, to: number): void {
    const window = this.#window
    const steps = this.#steps
    const windowBits = this.#windowBits
    const stepBits = this.#stepBits
    // The largest magnitude and the largest difference.
    let aroundBits = 0
    let slopeBits = 0
    const end = PAST + to - from
    let at = from - PAST
    let last = at < 0 ? past[PAST + at]! : samples[at]!
    for (let i = 0; i < end; i++, at++) {
      const x = at < 0 ? past[PAST + at]! : samples[at]!
      window[i] = x
      steps[i] = x - last
      last = x
      const lacking = aroundBits - (windowBits[i]! & MAGNITUDE)
      aroundBits -= lacking & (lacking >> 31)
      const less = slopeBits - (stepBits[i]! & MAGNITUDE)
      slopeBits -= less & (less >> 31)
    }
    const around = floatOf(aroundBits)
    const slope = floatOf(slopeBits)
    if (around > this.#peak) this.#raise(around)
    // A little more: the differences were rounded.
    const rest = BOUNDS.slope * slope * (1 + 1e-6)
    if (BOUNDS.centre * around + rest <= this.#peak) return
    // Middle samples up to this magnitude cannot lead to a new peak.
    const enough = (this.#peak - rest) / BOUNDS.centre
    for (let first = 0; first + PAST < end; first++) {
      if (Math.abs(window[first + LEFT]!) > enough || Math.abs(window[first + RIGHT]!) > enough)
        this.#interpolate(first)
    }
  }

  #interpolate(first: number): void {
    const window = this.#window
    let a = 0
    let b = 0
    let c = 0
    let d = 0
    for (let k = 0, back = PAST; k < TAPS; k++, back--) {
      const x = window[first + k]!
      a += OUTER[k]! * x
      b += INNER[k]! * x
      c += INNER[back]! * x
      d += OUTER[back]! * x
    }
    const most = Math.max(Math.abs(a), Math.abs(b), Math.abs(c), Math.abs(d))
    if (most > this.#peak) this.#raise(most)
  }

  #raise(peak: number): void {
    this.#peak = peak
    VALUE[0] = peak / BOUNDS.gain
    // One less: the float may have been rounded up.
    this.#enough = Math.max(0, BITS[0]! - 1)
  }
}

// The bits of floats without the sign are in the order of their magnitudes, and integers are compared
// without branches, of which the processor would guess many wrong.

/** Whether a magnitude is above one, given as bits. */
function hasAbove(bits: Int32Array, from: number, to: number, enough: number): boolean {
  let signs = 0
  let i = from
  for (; i + 3 < to; i += 4)
    signs |=
      (enough - (bits[i]! & MAGNITUDE)) |
      (enough - (bits[i + 1]! & MAGNITUDE)) |
      (enough - (bits[i + 2]! & MAGNITUDE)) |
      (enough - (bits[i + 3]! & MAGNITUDE))
  for (; i < to; i++) signs |= enough - (bits[i]! & MAGNITUDE)
  return signs < 0
}

function floatOf(bits: number): number {
  BITS[0] = bits
  return VALUE[0]!
}
