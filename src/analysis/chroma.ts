import { type Peaks, tuningOf } from './peaks.ts'

const CHROMA = {
  /**
   * A peak also counts for the pitches of which it may be an overtone: f/2 … f/harmonics, less by
   * `decay` a step.
   */
  harmonics: 5,
  decay: 0.6,
  /** Frames this far below the loudest frame of a track have no pitch, dB. */
  range: 70,
}

export interface Chroma {
  /** Frames per second, from `start` seconds on. */
  fps: number
  start: number
  frames: number
  /** Frames × 12 from C; the strongest class of a frame is 1, or all are 0 in silence. */
  classes: Float32Array
  /** Magnitude of each frame's highest peak. */
  top: Float32Array
}

/**
 * Harmonic pitch class profiles (Gómez 2006): peaks count by cos² of their distance from a
 * semitone.
 */
export function chromaOf(peaks: Peaks): Chroma {
  const addPeak = makePeakAdder(tuningOf(peaks))
  const classes = new Float32Array(12 * peaks.frames)
  let loudest = 0
  for (const top of peaks.top) if (top > loudest) loudest = top
  const audible = loudest * 10 ** (-CHROMA.range / 20)
  for (let frame = 0; frame < peaks.frames; frame++) {
    if (peaks.top[frame]! < audible) continue
    const row = 12 * frame
    for (let i = peaks.first[frame]!, end = peaks.first[frame + 1]!; i < end; i++)
      addPeak(peaks.cents[i]!, peaks.weight[i]!, classes, row)
    let strongest = 0
    for (let c = row; c < row + 12; c++) if (classes[c]! > strongest) strongest = classes[c]!
    if (strongest > 0) for (let c = row; c < row + 12; c++) classes[c] = classes[c]! / strongest
  }
  const { fps, start, frames, top } = peaks
  return { fps, start, frames, classes, top }
}

function makePeakAdder(
  tuning: number,
): (cents: number, weight: number, out: Float32Array, outStart: number) => void {
  const period = 1_200
  // The shares depend only on the cents within the octave.
  const rows = new Float64Array(period * 12)
  for (let cents = 0; cents < period; cents++) {
    let share = 1
    for (let harmonic = 1; harmonic <= CHROMA.harmonics; harmonic++) {
      const semitones = (cents - tuning) / 100 - 12 * Math.log2(harmonic) + 120
      const nearest = Math.round(semitones)
      const row = cents * 12 + (nearest % 12)
      rows[row] = rows[row]! + share * Math.cos(Math.PI * (semitones - nearest)) ** 2
      share *= CHROMA.decay
    }
  }
  return (cents, weight, out, outStart) => {
    const row = (cents % period) * 12
    for (let c = 0; c < 12; c++) out[outStart + c] = out[outStart + c]! + weight * rows[row + c]!
  }
}

/**
 * Over [start, end) seconds, into `out` from `outStart` on; interpolated, so that means do not
 * depend on frame offsets.
 */
export function meanChroma(
  { fps, start: first, frames, classes }: Chroma,
  start: number,
  end: number,
  out: Float32Array,
  outStart: number,
): void {
  out.fill(0, outStart, outStart + 12)
  if (frames === 0) return
  const steps = Math.max(2, Math.ceil((end - start) * fps * 2))
  for (let step = 0; step < steps; step++) {
    const position = Math.min(
      frames - 1,
      Math.max(0, (start - first + ((end - start) * (step + 0.5)) / steps) * fps),
    )
    const frame = Math.floor(position)
    const share = position - frame
    const leftRow = 12 * frame
    const rightRow = 12 * Math.min(frames - 1, frame + 1)
    for (let c = 0; c < 12; c++)
      out[outStart + c] =
        out[outStart + c]! +
        ((1 - share) * classes[leftRow + c]! + share * classes[rightRow + c]!) / steps
  }
}
