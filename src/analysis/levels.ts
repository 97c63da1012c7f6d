import { grown } from '../audio/samples.ts'
import { kWeightedPower } from './loudness.ts'
import { LOUDNESS } from './loudness-measures.ts'
import { barkLimits } from './meyda.ts'
import { FRAME_RATE, SPECTRA } from './spectra.ts'

/** Levels of Bark bands, 100 frames a second. */
export const LEVELS = Object.freeze({
  bands: 24,
  /** dB of digital silence; so low that the gain of music does not matter. */
  floor: -150,
})

/** Frames this many dB below the loudest moment, before and after the music, are silence. */
const SOUNDING = 60
const PAGE = 4_096
/** Levels are kept in hundredths of a dB. */
const UNIT = 100

/** How loud the music is at each moment: as a whole, and in each Bark band. */
export interface Levels {
  /** Frames per second; frame i is centred at i / fps seconds. */
  fps: number
  frames: number
  /** K-weighted loudness of each frame of the mono mix, LUFS; LEVELS.floor in silence. */
  loudness: Float32Array
  /** Writes the 24 band levels of a frame, dB, into `out`. */
  bands(frame: number, out: Float32Array | Float64Array): void
}

/** Collects band levels from magnitude spectra as they stream by: 52 bytes a frame. */
export class LevelFront {
  readonly #limits = barkLimits(SPECTRA.sampleRate, SPECTRA.size, LEVELS.bands)
  /** What a bin's squared magnitude adds to the K-weighted mean square of the frame. */
  readonly #weights: Float64Array
  /** The same factor without K-weighting. */
  readonly #scale: number
  readonly #pages: Int16Array[] = []
  #loudness = new Float32Array(4_096)
  #frames = 0

  constructor(window: Float64Array) {
    let power = 0
    for (const weight of window) power += weight * weight
    // Parseval: the bins above zero stand for their mirror images too.
    const scale = 2 / (window.length * power)
    this.#scale = scale
    this.#weights = Float64Array.from(
      { length: window.length / 2 + 1 },
      (_, bin) =>
        scale * kWeightedPower(SPECTRA.sampleRate, (bin * SPECTRA.sampleRate) / window.length),
    )
  }

  push(magnitudes: Float32Array): void {
    const frame = this.#frames++
    const page = this.#pages[Math.floor(frame / PAGE)] ?? this.#addPage()
    const at = (frame % PAGE) * LEVELS.bands
    const limits = this.#limits
    const weights = this.#weights
    let total = 0
    for (let band = 0; band < LEVELS.bands; band++) {
      let power = 0
      for (let bin = limits[band]!, end = limits[band + 1]!; bin < end; bin++) {
        const magnitude = magnitudes[bin]!
        const square = magnitude * magnitude
        power += square
        total += square * weights[bin]!
      }
      page[at + band] = Math.round(UNIT * decibels(power * this.#scale))
    }
    if (frame === this.#loudness.length) this.#loudness = grown(this.#loudness)
    this.#loudness[frame] = Math.max(LEVELS.floor, LOUDNESS.offset + decibels(total))
  }

  finish(): Levels {
    const pages = this.#pages
    return {
      fps: FRAME_RATE,
      frames: this.#frames,
      loudness: this.#loudness.slice(0, this.#frames),
      bands(frame, out) {
        const page = pages[Math.floor(frame / PAGE)]!
        const at = (frame % PAGE) * LEVELS.bands
        for (let band = 0; band < LEVELS.bands; band++) out[band] = page[at + band]! / UNIT
      },
    }
  }

  #addPage(): Int16Array {
    const page = new Int16Array(PAGE * LEVELS.bands)
    this.#pages.push(page)
    return page
  }
}

/** From the first to the last moment that is not silent beside the loudest, in seconds. */
export function soundingSpan({ loudness, fps, frames }: Levels): { start: number; end: number } {
  let loudest = Number.NEGATIVE_INFINITY
  for (const level of loudness) if (level > loudest) loudest = level
  let first = 0
  let last = frames - 1
  while (first < last && loudness[first]! < loudest - SOUNDING) first++
  while (last > first && loudness[last]! < loudest - SOUNDING) last--
  return { start: first / fps, end: (last + 1) / fps }
}

/** Power to dB, not below LEVELS.floor. */
function decibels(power: number): number {
  return Math.max(LEVELS.floor, 10 * Math.log10(power))
}
