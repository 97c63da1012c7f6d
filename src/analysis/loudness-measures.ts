/** ITU-R BS.1770-4, EBU R 128, EBU Tech 3341 and 3342. */
export const LOUDNESS = Object.freeze({
  /** LUFS below which blocks do not count. */
  absoluteGate: -70,
  /** LU below the mean of the others at which blocks do not count either. */
  relativeGate: -10,
  /** The same for the loudness range. */
  rangeGate: -20,
  /** The percentiles of the loudness range. */
  rangeEnds: [0.1, 0.95],
  /** Offset that makes a full-scale 997 Hz sine in one channel read -3.01 LUFS. */
  offset: -0.691,
  /** The published documents' floor for every loudness, dB. */
  floor: -60,
})

/**
 * Seconds; coarser steps miss the tones with which Tech 3341 tests the highest momentary loudness.
 */
export const LOUDNESS_STEP = 0.02
/** Ten gated values a second. */
const BLOCK_HOP = 5
/** 400 ms: momentary loudness, and the block of BS.1770. */
const MOMENTARY_STEPS = 20
/** Seconds; no shorter sound has a loudness. */
export const LOUDNESS_BLOCK = MOMENTARY_STEPS * LOUDNESS_STEP
/** 3 s. */
const SHORT_TERM_STEPS = 150

/** Of a recording of 400 ms or more. */
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
 * @param steps - the weighted sum of squares of each step of 20 ms @param length - samples in a
 * step
 */
export function measureLoudness(
  steps: Float64Array,
  length: number,
  incompleteStep: { sum: number; length: number },
): Loudness {
  const sums = new Float64Array(steps.length + 1)
  for (let i = 0; i < steps.length; i++) sums[i + 1] = sums[i]! + steps[i]!
  const total = steps.length * length + incompleteStep.length
  const wholePower = (sums[steps.length]! + incompleteStep.sum) / Math.max(1, total)
  // A sound of 400 ms, or one below 3 s, may have no full window.
  const powersOfWindows = (window: number, hop: number): number[] => {
    const windowPowers: number[] = []
    for (let end = window; end <= steps.length; end += hop)
      windowPowers.push(Math.max(0, sums[end]! - sums[end - window]!) / (window * length))
    return windowPowers.length > 0 ? windowPowers : [wholePower]
  }
  const blocks = powersOfWindows(MOMENTARY_STEPS, BLOCK_HOP)
  return {
    integrated: loudnessOfPower(gatedMean(blocks, LOUDNESS.relativeGate)),
    range: loudnessRange(
      steps.length < SHORT_TERM_STEPS ? [] : powersOfWindows(SHORT_TERM_STEPS, BLOCK_HOP),
    ),
    maxMomentary: loudnessOfPower(highestPower(powersOfWindows(MOMENTARY_STEPS, 1))),
    maxShortTerm: loudnessOfPower(highestPower(powersOfWindows(SHORT_TERM_STEPS, 1))),
    blocks: countBlocks(blocks),
  }
}

function loudnessRange(powers: readonly number[]): number {
  const gate = gateOf(powers, LOUDNESS.rangeGate)
  const heard = powers.filter((power) => power >= gate).sort((a, b) => a - b)
  if (heard.length < 2) return 0
  const [low, high] = LOUDNESS.rangeEnds.map((share) =>
    loudnessOfPower(heard[Math.max(1, Math.round(heard.length * share)) - 1]!),
  ) as [number, number]
  return high - low
}

function gatedMean(powers: readonly number[], relative: number): number {
  return meanFrom(powers, gateOf(powers, relative))
}

/** The higher of the absolute and the relative gate. */
function gateOf(powers: readonly number[], relative: number): number {
  const absolute = powerOfLoudness(LOUDNESS.absoluteGate)
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

function highestPower(powers: readonly number[]): number {
  let highestSoFar = 0
  for (const power of powers) if (power > highestSoFar) highestSoFar = power
  return highestSoFar
}

function powerOfLoudness(loudness: number): number {
  return 10 ** ((loudness - LOUDNESS.offset) / 10)
}

function loudnessOfPower(power: number): number {
  return LOUDNESS.offset + 10 * Math.log10(power)
}

/** From the absolute gate on. */
const BINS_PER_UNIT = 10
/** Up to 30 LUFS: full scale in eight channels is below 10. */
const BINS = 1_000

function countBlocks(powers: readonly number[]): Uint32Array {
  const counts = new Uint32Array(BINS)
  for (const power of powers) {
    const bin = Math.floor((loudnessOfPower(power) - LOUDNESS.absoluteGate) * BINS_PER_UNIT)
    if (bin >= 0) counts[Math.min(bin, BINS - 1)]!++
  }
  return Uint32Array.from([...counts].flatMap((count, bin) => (count > 0 ? [bin, count] : [])))
}

/**
 * Of recordings played one after the other, from their blocks: LUFS, within 0.05 LU; -Infinity when
 * every block is gated.
 */
export function integratedLoudness(recordings: readonly Uint32Array[]): number {
  const counts = new Float64Array(BINS)
  for (const blocks of recordings)
    for (let i = 0; i + 1 < blocks.length; i += 2) counts[blocks[i]!]! += blocks[i + 1]!
  const levels = Float64Array.from(counts, (_, bin) =>
    powerOfLoudness(LOUDNESS.absoluteGate + (bin + 0.5) / BINS_PER_UNIT),
  )
  const meanAbove = (gate: number) => {
    let sum = 0
    let count = 0
    for (let bin = 0; bin < BINS; bin++) {
      if (levels[bin]! < gate) continue
      sum += counts[bin]! * levels[bin]!
      count += counts[bin]!
    }
    return count > 0 ? sum / count : 0
  }
  return loudnessOfPower(meanAbove(meanAbove(0) * 10 ** (LOUDNESS.relativeGate / 10)))
}

/** The loudness at which a gain plays a recording, LUFS. */
const GAIN_REFERENCES = {
  /** ReplayGain 2.0: the tags `REPLAYGAIN_TRACK_GAIN` and `REPLAYGAIN_ALBUM_GAIN`. */
  replayGain: -18,
  /** EBU R 128: the tags `R128_TRACK_GAIN` and `R128_ALBUM_GAIN` of Opus files. */
  r128: -23,
} as const

/** What a gain refers to: `replayGain` plays at -18 LUFS, `r128` at -23 LUFS. */
export type GainReference = keyof typeof GAIN_REFERENCES

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
  return GAIN_REFERENCES[reference] - loudness
}
