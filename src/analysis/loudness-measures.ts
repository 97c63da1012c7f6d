/** ITU-R BS.1770-4, EBU R 128, EBU Tech 3341 and 3342. */
export const LOUDNESS = Object.freeze({
  /** Blocks quieter than this do not count, LUFS. */
  absoluteGate: -70,
  /** Blocks this far below the mean of the others do not count either, LU. */
  relativeGate: -10,
  /** The same for the loudness range. */
  rangeGate: -20,
  /** The shares of the short-term values below the two ends of the loudness range. */
  rangeEnds: [0.1, 0.95],
  /** Offset that makes a full-scale 997 Hz sine in one channel read -3.01 LUFS. */
  offset: -0.691,
  /** The published documents' floor for every loudness, dB. */
  floor: -60,
})

/**
 * Seconds of a step. Tech 3341 tests the highest momentary loudness with tones of 400 ms that begin
 * at multiples of 20 ms, and no coarser step finds it.
 */
export const STEP = 0.02
/** Steps from one gated value to the next: ten values a second. */
const HOP = 5
/** Momentary loudness, and the block of BS.1770: 400 ms. */
const MOMENTARY = 20
/** Seconds of a block: no shorter sound has a loudness. */
export const BLOCK = MOMENTARY * STEP
/** Short-term loudness: 3 s. */
const SHORT_TERM = 150

/** The loudness of a recording of 400 ms or more. */
export interface Loudness {
  /** LUFS; -Infinity when every block is gated. */
  integrated: number
  /** The loudness range, LU; 0 where fewer than two short-term values remain. */
  range: number
  /** The highest loudness of 400 ms, LUFS. */
  maxMomentary: number
  /** The highest loudness of 3 s, LUFS; of less sound, that of the whole. */
  maxShortTerm: number
  /** Its blocks of 400 ms, as {@link integratedLoudness} takes them. */
  blocks: Uint32Array
}

/**
 * The loudness of at least one block of 400 ms.
 *
 * @param steps - the weighted sum of squares of each step of 20 ms
 * @param length - samples in a step
 * @param rest - the step that is not complete
 */
export function measureLoudness(
  steps: Float64Array,
  length: number,
  rest: { sum: number; length: number },
): Loudness {
  const sums = new Float64Array(steps.length + 1)
  for (let i = 0; i < steps.length; i++) sums[i + 1] = sums[i]! + steps[i]!
  const total = steps.length * length + rest.length
  const whole = (sums[steps.length]! + rest.sum) / Math.max(1, total)
  // Steps of whole samples may leave a sound of 400 ms, or one below 3 s, without a full window.
  const powers = (window: number, hop: number): number[] => {
    const found: number[] = []
    for (let end = window; end <= steps.length; end += hop)
      found.push(Math.max(0, sums[end]! - sums[end - window]!) / (window * length))
    return found.length > 0 ? found : [whole]
  }
  const blocks = powers(MOMENTARY, HOP)
  return {
    integrated: decibels(gatedMean(blocks, LOUDNESS.relativeGate)),
    range: rangeOf(steps.length < SHORT_TERM ? [] : powers(SHORT_TERM, HOP)),
    maxMomentary: decibels(highest(powers(MOMENTARY, 1))),
    maxShortTerm: decibels(highest(powers(SHORT_TERM, 1))),
    blocks: countBlocks(blocks),
  }
}

/** EBU Tech 3342: from the 10th to the 95th percentile of the gated short-term loudness, LU. */
function rangeOf(powers: readonly number[]): number {
  const gate = gateOf(powers, LOUDNESS.rangeGate)
  const heard = powers.filter((power) => power >= gate).sort((a, b) => a - b)
  if (heard.length < 2) return 0
  const [low, high] = LOUDNESS.rangeEnds.map((share) =>
    decibels(heard[Math.max(1, Math.round(heard.length * share)) - 1]!),
  ) as [number, number]
  return high - low
}

/** The mean of the powers above both gates. */
function gatedMean(powers: readonly number[], relative: number): number {
  return meanFrom(powers, gateOf(powers, relative))
}

/** The higher of the two gates: the absolute one, and the one relative to what is above that. */
function gateOf(powers: readonly number[], relative: number): number {
  const absolute = powerOf(LOUDNESS.absoluteGate)
  return Math.max(absolute, meanFrom(powers, absolute) * 10 ** (relative / 10))
}

function meanFrom(powers: readonly number[], gate: number): number {
  let sum = 0
  let count = 0
  for (const power of powers) {
    if (power <= gate) continue
    sum += power
    count++
  }
  return count > 0 ? sum / count : 0
}

function highest(powers: readonly number[]): number {
  let most = 0
  for (const power of powers) if (power > most) most = power
  return most
}

function powerOf(loudness: number): number {
  return 10 ** ((loudness - LOUDNESS.offset) / 10)
}

function decibels(power: number): number {
  return LOUDNESS.offset + 10 * Math.log10(power)
}

/** Counts of blocks are kept by tenths of a LU from the absolute gate on. */
const BINS_PER_UNIT = 10
/** Up to 30 LUFS: full scale in eight channels is below 10. */
const BINS = 1_000

/** Counts blocks by their loudness: pairs of a number of tenths above the gate, and a count. */
function countBlocks(powers: readonly number[]): Uint32Array {
  const counts = new Uint32Array(BINS)
  for (const power of powers) {
    const bin = Math.floor((decibels(power) - LOUDNESS.absoluteGate) * BINS_PER_UNIT)
    if (bin >= 0) counts[Math.min(bin, BINS - 1)]!++
  }
  return Uint32Array.from([...counts].flatMap((count, bin) => (count > 0 ? [bin, count] : [])))
}

/**
 * The integrated loudness of recordings that are played one after the other, from the blocks of
 * each: LUFS, within 0.05 LU; -Infinity when every block is gated.
 */
export function integratedLoudness(recordings: readonly Uint32Array[]): number {
  const counts = new Float64Array(BINS)
  for (const blocks of recordings)
    for (let i = 0; i + 1 < blocks.length; i += 2) counts[blocks[i]!]! += blocks[i + 1]!
  const levels = Float64Array.from(counts, (_, bin) =>
    powerOf(LOUDNESS.absoluteGate + (bin + 0.5) / BINS_PER_UNIT),
  )
  const mean = (gate: number) => {
    let sum = 0
    let count = 0
    for (let bin = 0; bin < BINS; bin++) {
      if (levels[bin]! < gate) continue
      sum += counts[bin]! * levels[bin]!
      count += counts[bin]!
    }
    return count > 0 ? sum / count : 0
  }
  return decibels(mean(mean(0) * 10 ** (LOUDNESS.relativeGate / 10)))
}

/** The loudness at which a gain plays a recording, LUFS. */
const REFERENCES = {
  /** ReplayGain 2.0: the tags `REPLAYGAIN_TRACK_GAIN` and `REPLAYGAIN_ALBUM_GAIN`. */
  replayGain: -18,
  /** EBU R 128: the tags `R128_TRACK_GAIN` and `R128_ALBUM_GAIN` of Opus files. */
  r128: -23,
} as const

/** What a gain refers to: `replayGain` plays at -18 LUFS, `r128` at -23 LUFS. */
export type GainReference = keyof typeof REFERENCES

/**
 * The gain that brings a recording of some loudness to a reference.
 *
 * The tags of Opus files hold it as a whole number of 1/256 dB: `Math.round(256 * gain)`.
 *
 * @param loudness - integrated loudness, LUFS
 * @param reference - default `replayGain`
 * @returns dB
 *
 * @example
 * ```ts
 * import { gainOf } from 'audile/analysis'
 *
 * gainOf(-9.5) // -8.5
 * gainOf(-9.5, 'r128') // -13.5
 * ```
 */
export function gainOf(loudness: number, reference: GainReference = 'replayGain'): number {
  return REFERENCES[reference] - loudness
}
