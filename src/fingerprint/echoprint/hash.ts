import type { Codes } from '../codes.ts'
import { ECHOPRINT } from '../version.ts'

const { sampleRate: RATE, frame: FRAME, timeUnit: UNIT, lastTime: LAST } = ECHOPRINT

/** Codes that every onset gives. */
const PAIRS = 6
/** The two gaps of each code, as the numbers of the onsets they lie between. */
const GAPS = [
  [0, 1, 1, 2],
  [0, 1, 1, 3],
  [0, 2, 2, 3],
  [0, 1, 1, 4],
  [0, 2, 2, 4],
  [0, 3, 3, 4],
] as const
const SEED = 0x9ea5fa36
/** The multiplier of MurmurHash2 (Austin Appleby, public domain). */
const MULTIPLIER = 0x5bd1e995
/** A code has 20 bits. */
const MASK = 0xfffff
/** What the original divides by to count in periods of 256 samples, which it rounds to single precision. */
const PERIOD = Math.fround(256 / RATE)

/**
 * The codes of the onsets in each band (frames, ascending): for each onset the two gaps that lie
 * between it and the next four, in six ways, hashed with the band.
 *
 * @param options.startOffset whole seconds of the recording before frame 0
 * @param options.rate what the frames are multiplied by: the codes the recording would have if it
 * ran slower by that
 */
export function codesFromOnsets(
  onsets: readonly Uint32Array[],
  options: { startOffset?: number; rate?: number } = {},
): Codes {
  const { startOffset = 0, rate = 1 } = options
  const most = PAIRS * onsets.reduce((sum, frames) => sum + Math.max(0, frames.length - 2), 0)
  const codes = new Uint32Array(most)
  const times = new Uint32Array(most)
  let count = 0
  for (const [band, frames] of onsets.entries()) {
    const onset = (i: number) => frames[i]! * rate
    for (let i = 0; i + 2 < frames.length; i++) {
      const time = timeOf(startOffset + (onset(i) * FRAME) / RATE)
      if (time > LAST) break
      for (const [a, b, c, d] of GAPS) {
        const whole = i + d < frames.length
        const first = whole ? gapOf(onset(i + b) - onset(i + a)) : 0
        const second = whole ? gapOf(onset(i + d) - onset(i + c)) : 0
        times[count] = time
        codes[count++] = hash(first, second, band)
      }
    }
  }
  return { codes: codes.slice(0, count), times: times.slice(0, count) }
}

/** Units of a moment in seconds. */
function timeOf(seconds: number): number {
  return Math.floor((Math.round((seconds * 1000) / PERIOD) * (256 / RATE)) / UNIT)
}

/** Units of a gap in frames, as 16 bits. */
function gapOf(frames: number): number {
  return Math.floor((frames * ((FRAME * 1000) / RATE)) / UNIT) & 0xffff
}

/** MurmurHash2 of five bytes: both gaps, little-endian, and the band. */
function hash(first: number, second: number, band: number): number {
  let h = SEED ^ 5
  let k = Math.imul((second << 16) | first, MULTIPLIER)
  k = Math.imul(k ^ (k >>> 24), MULTIPLIER)
  h = Math.imul(h, MULTIPLIER) ^ k
  h = Math.imul(h ^ band, MULTIPLIER)
  h = Math.imul(h ^ (h >>> 13), MULTIPLIER)
  return (h ^ (h >>> 15)) & MASK
}
