import { grown } from '../audio/samples.ts'
import type { BandSums } from '../audio/spectra/spectrum-stream.ts'
import { kWeightedPower } from './loudness.ts'
import { LOUDNESS } from './loudness-measures.ts'
import { barkLimits, windowOf } from './meyda.ts'
import { FRAME_RATE, SPECTRA } from './spectra.ts'

/** Levels of Bark bands, 100 frames a second. */
export const LEVELS = Object.freeze({
  bands: 24,
  /** dB of digital silence; so low that the gain of music does not matter. */
  floor: -150,
})

/** Frames this many dB below the loudest moment, before and after the music, are silence. */
const SOUNDING = 60
const PAUSE = {
  /** Seconds; in shorter pauses listeners, and mixes, go on counting. */
  shortest: 20,
  /** dB below the loudest moment: noise and hum of recordings lie lower. */
  quiet: 24,
}
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
  /** The loudest of some bands of a frame, dB. */
  loudest(frame: number, first: number, count: number): number
}

const WINDOW = windowOf('hanning', SPECTRA.size)
/** What a bin's squared magnitude adds to the mean square of the frame. */
const SCALE = (() => {
  let power = 0
  for (const weight of WINDOW) power += weight * weight
  // Parseval: the bins above zero stand for their mirror images too.
  return 2 / (SPECTRA.size * power)
})()

/** The sums that {@link LevelFront} takes: the power of each band, then the K-weighted mean square. */
export const LEVEL_BANDS: BandSums = (() => {
  const { sampleRate, size } = SPECTRA
  const limits = barkLimits(sampleRate, size, LEVELS.bands)
  const [first, end] = [limits[0]!, limits[LEVELS.bands]!]
  const bands = [...limits.subarray(0, -1)].flatMap((from, i) => [from, limits[i + 1]! - from])
  const weighted = (_: unknown, i: number) =>
    SCALE * kWeightedPower(sampleRate, ((first + i) * sampleRate) / size)
  return {
    squared: true,
    bands: Uint32Array.of(...bands, first, end - first),
    weights: Float64Array.of(
      ...new Array<number>(end - first).fill(1),
      ...Array.from({ length: end - first }, weighted),
    ),
  }
})()

/** Collects band levels from the spectra under Hann's window as they stream by: 52 bytes a frame. */
export class LevelFront {
  readonly #pages: Int16Array[] = []
  #loudness = new Float32Array(4_096)
  #frames = 0

  /** Takes the next frame's sums over {@link LEVEL_BANDS}; they are not kept. */
  push(sums: Float64Array): void {
    const frame = this.#frames++
    const page = this.#pages[Math.floor(frame / PAGE)] ?? this.#addPage()
    const at = (frame % PAGE) * LEVELS.bands
    for (let band = 0; band < LEVELS.bands; band++)
      page[at + band] = Math.round(UNIT * decibels(sums[band]! * SCALE))
    if (frame === this.#loudness.length) this.#loudness = grown(this.#loudness)
    this.#loudness[frame] = Math.max(LEVELS.floor, LOUDNESS.offset + decibels(sums[LEVELS.bands]!))
  }

  finish(): Levels {
    const pages = this.#pages
    return {
      fps: FRAME_RATE,
      frames: this.#frames,
      loudness: this.#loudness.subarray(0, this.#frames),
      bands(frame, out) {
        const page = pages[Math.floor(frame / PAGE)]!
        const at = (frame % PAGE) * LEVELS.bands
        for (let band = 0; band < LEVELS.bands; band++) out[band] = page[at + band]! / UNIT
      },
      loudest(frame, first, count) {
        const page = pages[Math.floor(frame / PAGE)]!
        const from = (frame % PAGE) * LEVELS.bands + first
        let most = page[from]!
        for (let at = from; at < from + count; at++) most = Math.max(most, page[at]!)
        return most / UNIT
      },
    }
  }

  #addPage(): Int16Array {
    const page = new Int16Array(PAGE * LEVELS.bands)
    this.#pages.push(page)
    return page
  }
}

/** A stretch of time, seconds. */
export interface Span {
  start: number
  end: number
}

/** The part of a track that is not silent, and the long pauses in it. */
export interface Sounding extends Span {
  /** Silence. */
  silent?: readonly Span[]
  /** What is so quiet that it may be noise or hum alone; silence as well. */
  quiet?: readonly Span[]
}

/** From the first to the last moment that is not silent beside the loudest. */
export function soundingSpan(levels: Levels): Sounding {
  const { loudness, fps, frames } = levels
  let loudest = Number.NEGATIVE_INFINITY
  for (const level of loudness) if (level > loudest) loudest = level
  let first = 0
  let last = frames - 1
  while (first < last && loudness[first]! < loudest - SOUNDING) first++
  while (last > first && loudness[last]! < loudest - SOUNDING) last--
  return {
    start: first / fps,
    end: (last + 1) / fps,
    silent: longBelow(levels, loudest - SOUNDING),
    quiet: longBelow(levels, loudest - PAUSE.quiet),
  }
}

/** Long stretches of which no moment is as loud as a level. */
function longBelow({ loudness, fps, frames }: Levels, level: number): Span[] {
  const spans: Span[] = []
  let from = 0
  for (let frame = 0; frame <= frames; frame++) {
    if (frame < frames && loudness[frame]! < level) continue
    if (frame - from >= PAUSE.shortest * fps) spans.push({ start: from / fps, end: frame / fps })
    from = frame + 1
  }
  return spans
}

/** Power to dB, not below LEVELS.floor. */
function decibels(power: number): number {
  return Math.max(LEVELS.floor, 10 * Math.log10(power))
}
