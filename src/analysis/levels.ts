import { grown } from '../audio/samples.ts'
import type { BandSums } from '../audio/spectra/spectrum-stream.ts'
import { kWeightedPower } from './loudness.ts'
import { LOUDNESS } from './loudness-measures.ts'
import { barkLimits, windowOf } from './meyda.ts'
import { FRAME_RATE, SPECTRA } from './spectra.ts'

export const BAND_LEVELS = Object.freeze({
  bands: 24,
  /** dB of digital silence; so low that the gain of music does not matter. */
  floor: -150,
})

/** dB below the loudest moment. */
const SILENCE_DEPTH = 60
const LONG_PAUSE = {
  /** Seconds; in shorter pauses listeners, and mixes, go on counting. */
  shortest: 20,
  /** dB below the loudest moment: noise and hum of recordings lie lower. */
  quiet: 24,
}
const FRAMES_PER_PAGE = 4_096
const STEPS_PER_DECIBEL = 100

/** How loud the music is at each moment, as a whole and in each Bark band. */
export interface Levels {
  /** Frames per second; frame i is centred at i / fps seconds. */
  fps: number
  frames: number
  /** K-weighted loudness of each frame of the mono mix, LUFS. */
  loudness: Float32Array
  /** Writes the band levels of a frame, dB, into `out`. */
  readBands(frame: number, out: Float32Array | Float64Array): void
  loudestBand(frame: number, first: number, count: number): number
}

const LEVEL_WINDOW = windowOf('hanning', SPECTRA.size)
/** From a bin's squared magnitude to its mean square. */
const POWER_SCALE = (() => {
  let power = 0
  for (const weight of LEVEL_WINDOW) power += weight * weight
  // Parseval: the bins above zero stand for their mirror images too.
  return 2 / (SPECTRA.size * power)
})()

/** The power of each band, then the K-weighted mean square. */
export const LEVEL_BANDS: BandSums = (() => {
  const { sampleRate, size } = SPECTRA
  const limits = barkLimits(sampleRate, size, BAND_LEVELS.bands)
  const [first, end] = [limits[0]!, limits[BAND_LEVELS.bands]!]
  const bands = [...limits.subarray(0, -1)].flatMap((from, i) => [from, limits[i + 1]! - from])
  const weightOfBin = (_: unknown, i: number) =>
    POWER_SCALE * kWeightedPower(sampleRate, ((first + i) * sampleRate) / size)
  return {
    squared: true,
    bands: Uint32Array.of(...bands, first, end - first),
    weights: Float64Array.of(
      ...new Array<number>(end - first).fill(1),
      ...Array.from({ length: end - first }, weightOfBin),
    ),
  }
})()

/** Bands are kept in hundredths of a dB: 52 bytes a frame. */
export class LevelFront {
  readonly #pages: Int16Array[] = []
  #loudness = new Float32Array(4_096)
  #frames = 0

  push(sums: Float64Array): void {
    const frame = this.#frames++
    const page = this.#pages[Math.floor(frame / FRAMES_PER_PAGE)] ?? this.#addPage()
    const row = (frame % FRAMES_PER_PAGE) * BAND_LEVELS.bands
    for (let band = 0; band < BAND_LEVELS.bands; band++)
      page[row + band] = Math.round(STEPS_PER_DECIBEL * flooredDecibels(sums[band]! * POWER_SCALE))
    if (frame === this.#loudness.length) this.#loudness = grown(this.#loudness)
    this.#loudness[frame] = Math.max(
      BAND_LEVELS.floor,
      LOUDNESS.offset + flooredDecibels(sums[BAND_LEVELS.bands]!),
    )
  }

  finish(): Levels {
    const pages = this.#pages
    return {
      fps: FRAME_RATE,
      frames: this.#frames,
      loudness: this.#loudness.subarray(0, this.#frames),
      readBands(frame, out) {
        const page = pages[Math.floor(frame / FRAMES_PER_PAGE)]!
        const row = (frame % FRAMES_PER_PAGE) * BAND_LEVELS.bands
        for (let band = 0; band < BAND_LEVELS.bands; band++)
          out[band] = page[row + band]! / STEPS_PER_DECIBEL
      },
      loudestBand(frame, first, count) {
        const page = pages[Math.floor(frame / FRAMES_PER_PAGE)]!
        const firstBand = (frame % FRAMES_PER_PAGE) * BAND_LEVELS.bands + first
        let highest = page[firstBand]!
        for (let band = firstBand; band < firstBand + count; band++)
          highest = Math.max(highest, page[band]!)
        return highest / STEPS_PER_DECIBEL
      },
    }
  }

  #addPage(): Int16Array {
    const page = new Int16Array(FRAMES_PER_PAGE * BAND_LEVELS.bands)
    this.#pages.push(page)
    return page
  }
}

export interface Span {
  start: number
  end: number
}

export interface Sounding extends Span {
  silent?: readonly Span[]
  /** What may be noise or hum alone; silence as well. */
  quiet?: readonly Span[]
}

/** From the first to the last moment that is not silent beside the loudest. */
export function soundingSpan(levels: Levels): Sounding {
  const { loudness, fps, frames } = levels
  let loudest = Number.NEGATIVE_INFINITY
  for (const level of loudness) if (level > loudest) loudest = level
  let first = 0
  let last = frames - 1
  while (first < last && loudness[first]! < loudest - SILENCE_DEPTH) first++
  while (last > first && loudness[last]! < loudest - SILENCE_DEPTH) last--
  return {
    start: first / fps,
    end: (last + 1) / fps,
    silent: longSpansBelow(levels, loudest - SILENCE_DEPTH),
    quiet: longSpansBelow(levels, loudest - LONG_PAUSE.quiet),
  }
}

function longSpansBelow({ loudness, fps, frames }: Levels, level: number): Span[] {
  const spans: Span[] = []
  let spanStart = 0
  for (let frame = 0; frame <= frames; frame++) {
    if (frame < frames && loudness[frame]! < level) continue
    if (frame - spanStart >= LONG_PAUSE.shortest * fps)
      spans.push({ start: spanStart / fps, end: frame / fps })
    spanStart = frame + 1
  }
  return spans
}

function flooredDecibels(power: number): number {
  return Math.max(BAND_LEVELS.floor, 10 * Math.log10(power))
}
