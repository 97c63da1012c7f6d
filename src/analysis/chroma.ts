import { type Peaks, tuningOf } from './peaks.ts'

const CHROMA = {
  /** A peak may be an overtone: it also counts for f/2 … f/harmonics, less by `decay` a step. */
  harmonics: 5,
  decay: 0.6,
  /** Frames this far below the loudest frame of a track have no pitch, dB. */
  range: 70,
}

/** Strength of the twelve pitch classes over time. */
export interface Chroma {
  /** Frames per second; frame i is centred at start + i / fps seconds. */
  fps: number
  /** Seconds. */
  start: number
  frames: number
  /** Frames × 12 from C; the strongest class of a frame is 1, or all are 0 in silence. */
  classes: Float32Array
  /** Magnitude of each frame's highest peak. */
  top: Float32Array
}

/**
 * Harmonic pitch class profiles (Gómez, "Tonal Description of Music Audio Signals", 2006): every
 * spectral peak adds to its own pitch class, by cos² of its distance within half a semitone, and with
 * falling weight to the pitches of which it may be an overtone.
 */
export function chromaOf(peaks: Peaks): Chroma {
  const table = overtones(tuningOf(peaks))
  const classes = new Float32Array(12 * peaks.frames)
  let loudest = 0
  for (const top of peaks.top) if (top > loudest) loudest = top
  const audible = loudest * 10 ** (-CHROMA.range / 20)
  for (let frame = 0; frame < peaks.frames; frame++) {
    if (peaks.top[frame]! < audible) continue
    const at = 12 * frame
    for (let i = peaks.first[frame]!, end = peaks.first[frame + 1]!; i < end; i++)
      table(peaks.cents[i]!, peaks.weight[i]!, classes, at)
    let most = 0
    for (let c = at; c < at + 12; c++) if (classes[c]! > most) most = classes[c]!
    if (most > 0) for (let c = at; c < at + 12; c++) classes[c] = classes[c]! / most
  }
  const { fps, start, frames, top } = peaks
  return { fps, start, frames, classes, top }
}

/** Makes the function that adds a peak to the pitch classes, at a given tuning. */
function overtones(
  tuning: number,
): (cents: number, weight: number, out: Float32Array, at: number) => void {
  const period = 1_200
  // The shares depend on a peak's cents within the octave only: one row of 12 for each.
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
  return (cents, weight, out, at) => {
    const row = (cents % period) * 12
    for (let c = 0; c < 12; c++) out[at + c] = out[at + c]! + weight * rows[row + c]!
  }
}

/**
 * Mean pitch classes over [start, end) seconds, into `out[at…at+12)`. Interpolates linearly between
 * frames, so that the same music gives the same means at any offset to the frames.
 */
export function meanChroma(
  { fps, start: first, frames, classes }: Chroma,
  start: number,
  end: number,
  out: Float32Array,
  at: number,
): void {
  out.fill(0, at, at + 12)
  if (frames === 0) return
  const steps = Math.max(2, Math.ceil((end - start) * fps * 2))
  for (let step = 0; step < steps; step++) {
    const position = Math.min(
      frames - 1,
      Math.max(0, (start - first + ((end - start) * (step + 0.5)) / steps) * fps),
    )
    const frame = Math.floor(position)
    const share = position - frame
    const left = 12 * frame
    const right = 12 * Math.min(frames - 1, frame + 1)
    for (let c = 0; c < 12; c++)
      out[at + c] =
        out[at + c]! + ((1 - share) * classes[left + c]! + share * classes[right + c]!) / steps
  }
}
