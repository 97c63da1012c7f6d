import { BAND_LEVELS, type Levels } from './levels.ts'
import { TIMBRE_BASIS, TIMBRE_COLUMNS } from './timbre-basis.ts'

export const TIMBRE = Object.freeze({
  /** Bands are clamped to this many dB below the segment's loudest. */
  range: 60,
  /** dB; 16-bit dither lies at about -107 a band. */
  inaudible: -110,
  silence: Object.freeze([
    0, 171.13, 9.469, -28.48, 57.491, -50.067, 14.833, 5.359, -27.228, 0.973, -10.64, -7.228,
  ]),
  /** c1 as published is loudness_max + 58; our mean lies 1.6 dB under the max. */
  loudnessOffset: 60,
})

const SURFACE_SIZE = BAND_LEVELS.bands * TIMBRE_COLUMNS
const frameBands = new Float64Array(BAND_LEVELS.bands)

/**
 * Bark levels at moments that lie closer together after the onset, in dB above their mean, so that
 * gain does not count. Flat in silence.
 *
 * @param out - receives columns × bands values
 */
export function writeSurface(levels: Levels, start: number, end: number, out: Float64Array): void {
  const last = levels.frames - 1
  let peak: number = BAND_LEVELS.floor
  for (let column = 0; column < TIMBRE_COLUMNS; column++) {
    const columnStart = column * BAND_LEVELS.bands
    const elapsed = ((column + 0.5) / TIMBRE_COLUMNS) ** 2
    const position = Math.min(last, (start + (end - start) * elapsed) * levels.fps)
    const frame = Math.floor(position)
    const share = position - frame
    levels.readBands(frame, frameBands)
    for (let band = 0; band < BAND_LEVELS.bands; band++)
      out[columnStart + band] = (1 - share) * frameBands[band]!
    levels.readBands(Math.min(last, frame + 1), frameBands)
    for (let band = 0; band < BAND_LEVELS.bands; band++) {
      const level = out[columnStart + band]! + share * frameBands[band]!
      out[columnStart + band] = level
      if (level > peak) peak = level
    }
  }
  if (peak < TIMBRE.inaudible) {
    out.fill(0)
    return
  }
  const floor = peak - TIMBRE.range
  let mean = 0
  for (let i = 0; i < SURFACE_SIZE; i++) {
    const level = Math.max(floor, out[i]!)
    out[i] = level
    mean += level / SURFACE_SIZE
  }
  for (let i = 0; i < SURFACE_SIZE; i++) out[i] = out[i]! - mean
}

/**
 * Loudness, then weighted sums over the surface: brightness, flatness, attack, principal
 * components. A flat surface gives the published vector for silence.
 *
 * @param loudness - mean of the segment, dB
 */
export function timbreOf(surface: Float64Array, loudness: number): number[] {
  const timbre: number[] = TIMBRE.silence.slice()
  timbre[0] = Math.max(0, loudness + TIMBRE.loudnessOffset)
  for (let k = 1; k < 12; k++) {
    const row = (k - 1) * SURFACE_SIZE
    let sum = 0
    for (let i = 0; i < SURFACE_SIZE; i++) sum += TIMBRE_BASIS[row + i]! * surface[i]!
    timbre[k] = timbre[k]! + sum
  }
  return timbre
}
