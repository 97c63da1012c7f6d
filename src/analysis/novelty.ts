import { grown, parabolaTop } from '../audio/samples.ts'
import { LEVEL_FRAMES } from './frame-grid.ts'
import { FRAME_RATE, logBands, SPECTRA } from './spectra.ts'

const NOVELTY = {
  /** Semitone bands, as in SuperFlux. */
  bandsPerOctave: 12,
  lowest: 30,
  highest: 10_000,
  /** Frames back to the compared spectrum: an attack takes about 20 ms. */
  lag: 2,
  /** Bands on either side whose past counts too, so that vibrato is no onset (SuperFlux). */
  spread: 1,
  /** dB of the compression's knee below the loudest band of the surroundings. */
  kneeBelowPeak: 46,
  levelReach: 8,
  /** Peaks below this magnitude (about -74 dBFS) are not amplified further: that is dither. */
  quietest: 0.05,
}

/** Seconds from the start of a sound to the highest novelty: about half a window. */
export const LATENESS = 0.0105

/** The exact position of the peak at `frame`; `frame` itself if it is no local maximum. */
export function refinedPeak(curve: Float32Array, frame: number): number {
  const valueBefore = curve[frame - 1] ?? 0
  const here = curve[frame] ?? 0
  const valueAfter = curve[frame + 1] ?? 0
  return here >= valueBefore && here >= valueAfter
    ? frame + parabolaTop(valueBefore, here, valueAfter)
    : frame
}

/** How much the sound changes. */
export interface Novelty {
  /** Frames per second; frame i is centred at i / fps seconds. */
  fps: number
  frames: number
  /** The change over all bands, 0 and up. */
  broad: Float32Array
  spectrum: RhythmSpectrum
}

export interface RhythmSpectrum {
  /** Half the frame rate of the curves; frames are centred `SPECTRUM.late` later. */
  fps: number
  frames: number
  bands: number
  /** Frames × bands, row-major: `SPECTRUM.steps` for a factor of ten above the knee. */
  levels: Uint8Array
}

/** A step is 0.2 dB. */
export const SPECTRUM = Object.freeze({
  steps: 100,
  /** Seconds by which a frame's middle is later than its first half's. */
  late: 0.5 / FRAME_RATE,
})

export const NOVELTY_BANDS = logBands({ ...SPECTRA, ...NOVELTY })

const BAND_COUNT = NOVELTY_BANDS.bands.length / 2
const BLOCK_FRAMES = LEVEL_FRAMES
/** Groups of frames on either side on which a frame's compression depends. */
export const BLOCKS_AHEAD = Math.ceil((NOVELTY.levelReach * FRAME_RATE) / BLOCK_FRAMES)
const BLOCKS_HELD = BLOCKS_AHEAD + 2
const FRAMES_HELD = BLOCKS_HELD * BLOCK_FRAMES

export function kneeOf(peak: number): number {
  return Math.max(NOVELTY.quietest, peak) * KNEE_SHARE
}
const KNEE_SHARE = 10 ** (-NOVELTY.kneeBelowPeak / 20)

/** The compressed mean of a band in two frames, 0 to 255, from their sum. */
export function pooledLevel(sum: number, knee: number): number {
  return Math.min(255, Math.round(SPECTRUM.steps * Math.log10(1 + sum / (2 * knee))))
}

/**
 * SuperFlux (Böck & Widmer, DAFx 2013). The knee of the compression follows the loudest band within
 * 8 s, so that results do not depend on the gain.
 */
export class NoveltyFront {
  readonly #phase: number
  readonly #recentBands = new Float32Array(FRAMES_HELD * BAND_COUNT)
  #blockPeaks = new Float64Array(64)
  #frames = 0
  #done = 0
  #broad = new Float32Array(4_096)
  #levels = new Uint8Array(2_048 * 128)

  /** @param phase - position of the first frame in its group of LEVEL_FRAMES */
  constructor(phase = 0) {
    this.#phase = phase
  }

  push(sums: Float64Array): void {
    const row = (this.#frames % FRAMES_HELD) * BAND_COUNT
    this.#recentBands.set(sums, row)
    let peak = 0
    for (let band = row; band < row + BAND_COUNT; band++) {
      const value = this.#recentBands[band]!
      if (value > peak) peak = value
    }
    const block = this.#blockOf(this.#frames)
    if (block === this.#blockPeaks.length) this.#blockPeaks = grown(this.#blockPeaks)
    if (peak > this.#blockPeaks[block]!) this.#blockPeaks[block] = peak
    this.#frames++
    if (this.#blockOf(this.#frames) > block && block >= BLOCKS_AHEAD)
      this.#compareFrames((block - BLOCKS_AHEAD + 1) * BLOCK_FRAMES - this.#phase)
  }

  finish(): Novelty {
    this.#compareFrames(this.#frames)
    return {
      fps: FRAME_RATE,
      frames: this.#frames,
      broad: this.#broad.subarray(0, this.#frames),
      spectrum: {
        fps: FRAME_RATE / 2,
        frames: this.#frames >> 1,
        bands: BAND_COUNT,
        levels: this.#levels.subarray(0, (this.#frames >> 1) * BAND_COUNT),
      },
    }
  }

  #compareFrames(end: number): void {
    while (this.#broad.length < end) this.#broad = grown(this.#broad)
    while (this.#levels.length < ((end >> 1) + 1) * BAND_COUNT) this.#levels = grown(this.#levels)
    const broad = this.#broad
    const bandValues = this.#recentBands
    const knees = this.#kneesBetween(this.#done, end)
    for (let frame = this.#done; frame < end; frame++) {
      const knee = knees[frame - this.#done]!
      const row = (frame % FRAMES_HELD) * BAND_COUNT
      if (frame % 2 === 1) this.#poolFrames(frame, knee)
      if (frame < NOVELTY.lag) continue
      const earlierRow = ((frame - NOVELTY.lag) % FRAMES_HELD) * BAND_COUNT
      // One logarithm of the product is faster; the factors are at most 201.
      let rise = 1
      for (let band = 0; band < BAND_COUNT; band++) {
        const value = bandValues[row + band]!
        let past = bandValues[earlierRow + band]!
        for (let step = 1; step <= NOVELTY.spread; step++) {
          if (band >= step) past = Math.max(past, bandValues[earlierRow + band - step]!)
          if (band + step < BAND_COUNT) past = Math.max(past, bandValues[earlierRow + band + step]!)
        }
        if (value > past) rise *= (knee + value) / (knee + past)
      }
      broad[frame] = Math.log10(rise)
    }
    this.#done = end
  }

  #poolFrames(frame: number, knee: number): void {
    const newRow = (frame % FRAMES_HELD) * BAND_COUNT
    const earlierRow = ((frame - 1) % FRAMES_HELD) * BAND_COUNT
    const row = (frame >> 1) * BAND_COUNT
    for (let band = 0; band < BAND_COUNT; band++) {
      const sum = this.#recentBands[newRow + band]! + this.#recentBands[earlierRow + band]!
      this.#levels[row + band] = pooledLevel(sum, knee)
    }
  }

  #blockOf(frame: number): number {
    return Math.floor((frame + this.#phase) / BLOCK_FRAMES)
  }

  #kneesBetween(start: number, end: number): Float64Array {
    const blocks = Math.ceil((this.#frames + this.#phase) / BLOCK_FRAMES)
    const knees = new Float64Array(end - start)
    let value = 0
    for (let frame = start, knownBlock = -1; frame < end; frame++) {
      const block = this.#blockOf(frame)
      if (block > knownBlock) {
        knownBlock = block
        let peak = 0
        for (
          let b = Math.max(0, block - BLOCKS_AHEAD);
          b <= block + BLOCKS_AHEAD && b < blocks;
          b++
        )
          peak = Math.max(peak, this.#blockPeaks[b]!)
        value = kneeOf(peak)
      }
      knees[frame - start] = value
    }
    return knees
  }
}
