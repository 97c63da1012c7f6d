import { LEVELS, type Levels } from './levels.ts'
import { TIMBRE_BASIS, TIMBRE_COLUMNS } from './timbre-basis.ts'

export const TIMBRE = Object.freeze({
  /** Bands are clamped to this many dB below the segment's loudest. */
  range: 60,
  /** A segment nowhere louder than this is silence, dB: 16-bit dither lies at about -107 a band. */
  inaudible: -110,
  /** What the published documents give for digital silence. */
  silence: Object.freeze([
    0, 171.13, 9.469, -28.48, 57.491, -50.067, 14.833, 5.359, -27.228, 0.973, -10.64, -7.228,
  ]),
  /** In the published documents c1 is loudness_max + 58; our mean lies 1.6 dB under the max. */
  loudnessOffset: 60,
})

const SIZE = LEVELS.bands * TIMBRE_COLUMNS
const frameBands = new Float64Array(LEVELS.bands)

/**
 * A segment's spectro-temporal surface: the level of each Bark band at moments that lie closer
 * together after the onset (the squares of even steps), in dB above the surface's own mean. Its
 * quietest parts are cut off, so that noise under the music does not count.
 *
 * The surface does not depend on the gain, which moves all bands alike. Where nothing is audible it
 * is flat.
 *
 * @param out - receives columns × bands values
 */
export function surfaceOf(levels: Levels, start: number, end: number, out: Float64Array): void {
  const last = levels.frames - 1
  let peak: number = LEVELS.floor
  for (let column = 0; column < TIMBRE_COLUMNS; column++) {
    const at = column * LEVELS.bands
    const elapsed = ((column + 0.5) / TIMBRE_COLUMNS) ** 2
    const position = Math.min(last, (start + (end - start) * elapsed) * levels.fps)
    const frame = Math.floor(position)
    const share = position - frame
    levels.bands(frame, frameBands)
    for (let band = 0; band < LEVELS.bands; band++) out[at + band] = (1 - share) * frameBands[band]!
    levels.bands(Math.min(last, frame + 1), frameBands)
    for (let band = 0; band < LEVELS.bands; band++) {
      const level = out[at + band]! + share * frameBands[band]!
      out[at + band] = level
      if (level > peak) peak = level
    }
  }
  if (peak < TIMBRE.inaudible) {
    out.fill(0)
    return
  }
  const floor = peak - TIMBRE.range
  let mean = 0
  for (let i = 0; i < SIZE; i++) {
    const level = Math.max(floor, out[i]!)
    out[i] = level
    mean += level / SIZE
  }
  for (let i = 0; i < SIZE; i++) out[i] = out[i]! - mean
}

/**
 * The twelve timbre coefficients of a segment. The first is its loudness; the others are weighted
 * sums over the surface: brightness, flatness, attack, then what varies most in music (principal
 * components). A flat surface, as of silence, gives the published documents' vector for silence.
 *
 * @param loudness - mean loudness of the segment, dB
 */
export function timbreOf(surface: Float64Array, loudness: number): number[] {
  const timbre: number[] = TIMBRE.silence.slice()
  timbre[0] = Math.max(0, loudness + TIMBRE.loudnessOffset)
  for (let k = 1; k < 12; k++) {
    const row = (k - 1) * SIZE
    let sum = 0
    for (let i = 0; i < SIZE; i++) sum += TIMBRE_BASIS[row + i]! * surface[i]!
    timbre[k] = timbre[k]! + sum
  }
  return timbre
}
