import { grown, parabolaTop } from '../audio/samples.ts'
import { LEVEL_FRAMES } from './frame-grid.ts'
import { FRAME_RATE, logBands, SPECTRA } from './spectra.ts'

const NOVELTY = {
  /** Semitone bands, as in SuperFlux; quarter tones changed beat F by less than 0.02. */
  bandsPerOctave: 12,
  lowest: 30,
  highest: 10_000,
  /** Frames back to the spectrum that a frame is compared with: an attack takes about 20 ms. */
  lag: 2,
  /** Bands on either side whose past counts too, so that vibrato is no onset (SuperFlux). */
  spread: 1,
  /** The knee of the compression is this many dB below the loudest band of the surroundings. */
  kneeBelowPeak: 46,
  /** Seconds of surroundings on either side. */
  levelReach: 8,
  /** Peaks below this magnitude (about -74 dBFS) are not amplified further: that is dither. */
  quietest: 0.05,
}

/**
 * Seconds from the start of a sound to the highest novelty, about half a window (the median over 6,000
 * notes was 10.8 ms).
 */
export const LATENESS = 0.0105

/** The exact position of the peak at `frame`; `frame` itself if it is no local maximum. */
export function refinedPeak(curve: Float32Array, frame: number): number {
  const before = curve[frame - 1] ?? 0
  const here = curve[frame] ?? 0
  const after = curve[frame + 1] ?? 0
  return here >= before && here >= after ? frame + parabolaTop(before, here, after) : frame
}

/** How much the sound changes at each moment, and the input of the rhythm network. */
export interface Novelty {
  /** Frames per second; frame i is centred at i / fps seconds. */
  fps: number
  frames: number
  /** The change over all bands, one value per frame, 0 and up; high at any onset. */
  broad: Float32Array
  /** The input of the activation network. */
  spectrum: RhythmSpectrum
}

/** Compressed levels of the bands. */
export interface RhythmSpectrum {
  /** Half the frame rate of the curves; frame i is centred at i / fps + SPECTRUM.late seconds. */
  fps: number
  frames: number
  bands: number
  /** Frames × bands, row-major: `SPECTRUM.steps` for a factor of ten above the knee. */
  levels: Uint8Array
}

/** The loudest band is 46 dB above the knee; a step is 0.2 dB. */
export const SPECTRUM = Object.freeze({
  /** Steps for a factor of ten. */
  steps: 100,
  /** Seconds by which a frame's middle is later than its first half's. */
  late: 0.5 / FRAME_RATE,
})

/** The bands whose sums {@link NoveltyFront} takes. */
export const NOVELTY_BANDS = logBands({ ...SPECTRA, ...NOVELTY })

const COUNT = NOVELTY_BANDS.bands.length / 2
const BLOCK = LEVEL_FRAMES
/** Groups of frames after a frame's own that its compression depends on, and as many before. */
export const BLOCKS_AHEAD = Math.ceil((NOVELTY.levelReach * FRAME_RATE) / BLOCK)
const BLOCKS_HELD = BLOCKS_AHEAD + 2
const FRAMES_HELD = BLOCKS_HELD * BLOCK

/** The knee of the compression where the loudest band of the surroundings is `peak`. */
export function kneeOf(peak: number): number {
  return Math.max(NOVELTY.quietest, peak) * KNEE_SHARE
}
const KNEE_SHARE = 10 ** (-NOVELTY.kneeBelowPeak / 20)

/** The compressed mean of a band in two frames of which the sum is given: of 0 to 255. */
export function pooledLevel(sum: number, knee: number): number {
  return Math.min(255, Math.round(SPECTRUM.steps * Math.log10(1 + sum / (2 * knee))))
}

/**
 * Turns magnitude spectra, as they stream by, into novelty curves: SuperFlux (Böck & Widmer,
 * DAFx 2013), the half-wave rectified rise of each logarithmically compressed band over the
 * highest of its neighbours two frames before.
 *
 * Compression is log(knee + x). A fixed knee would make quiet masters differ from loud ones, so the
 * knee follows the loudest band within 8 s on either side: the difference of two logarithms with the
 * same knee does not depend on the gain. 8 s of band values are held back for that (0.3 MB); only the
 * results grow, by some 45 bytes a frame.
 */
export class NoveltyFront {
  readonly #phase: number
  /** Ring of the newest frames' band values, `FRAMES_HELD` × bands. */
  readonly #held = new Float32Array(FRAMES_HELD * COUNT)
  /** Loudest band value of each block so far. */
  #blockPeaks = new Float64Array(64)
  #frames = 0
  #done = 0
  #broad = new Float32Array(4_096)
  #levels = new Uint8Array(2_048 * 128)

  /** @param phase - position of the first frame in its group of LEVEL_FRAMES */
  constructor(phase = 0) {
    this.#phase = phase
  }

  /** Takes the next frame's sums over {@link NOVELTY_BANDS}; they are not kept. */
  push(sums: Float64Array): void {
    const at = (this.#frames % FRAMES_HELD) * COUNT
    this.#held.set(sums, at)
    let peak = 0
    for (let band = at; band < at + COUNT; band++) {
      const value = this.#held[band]!
      if (value > peak) peak = value
    }
    const block = this.#blockOf(this.#frames)
    if (block === this.#blockPeaks.length) this.#blockPeaks = grown(this.#blockPeaks)
    if (peak > this.#blockPeaks[block]!) this.#blockPeaks[block] = peak
    this.#frames++
    if (this.#blockOf(this.#frames) > block && block >= BLOCKS_AHEAD)
      this.#compare((block - BLOCKS_AHEAD + 1) * BLOCK - this.#phase)
  }

  /** The curves of all frames pushed. */
  finish(): Novelty {
    this.#compare(this.#frames)
    return {
      fps: FRAME_RATE,
      frames: this.#frames,
      broad: this.#broad.subarray(0, this.#frames),
      spectrum: {
        fps: FRAME_RATE / 2,
        frames: this.#frames >> 1,
        bands: COUNT,
        levels: this.#levels.subarray(0, (this.#frames >> 1) * COUNT),
      },
    }
  }

  /** Computes the novelty of all frames before `end` that have none yet. */
  #compare(end: number): void {
    while (this.#broad.length < end) this.#broad = grown(this.#broad)
    while (this.#levels.length < ((end >> 1) + 1) * COUNT) this.#levels = grown(this.#levels)
    const broad = this.#broad
    const held = this.#held
    const knees = this.#knees(this.#done, end)
    for (let frame = this.#done; frame < end; frame++) {
      const knee = knees[frame - this.#done]!
      const now = (frame % FRAMES_HELD) * COUNT
      if (frame % 2 === 1) this.#pool(frame, knee)
      if (frame < NOVELTY.lag) continue
      const before = ((frame - NOVELTY.lag) % FRAMES_HELD) * COUNT
      // One logarithm of the product: the factors are 201 at most, as the loudest band lies 46 dB above the knee.
      let rise = 1
      for (let band = 0; band < COUNT; band++) {
        const value = held[now + band]!
        let past = held[before + band]!
        for (let step = 1; step <= NOVELTY.spread; step++) {
          if (band >= step) past = Math.max(past, held[before + band - step]!)
          if (band + step < COUNT) past = Math.max(past, held[before + band + step]!)
        }
        if (value > past) rise *= (knee + value) / (knee + past)
      }
      broad[frame] = Math.log10(rise)
    }
    this.#done = end
  }

  /** Keeps the compressed mean of a frame's bands and those of the frame before. */
  #pool(frame: number, knee: number): void {
    const now = (frame % FRAMES_HELD) * COUNT
    const before = ((frame - 1) % FRAMES_HELD) * COUNT
    const row = (frame >> 1) * COUNT
    for (let band = 0; band < COUNT; band++) {
      const sum = this.#held[now + band]! + this.#held[before + band]!
      this.#levels[row + band] = pooledLevel(sum, knee)
    }
  }

  #blockOf(frame: number): number {
    return Math.floor((frame + this.#phase) / BLOCK)
  }

  /** The knee at each frame of [start, end), from the block peaks around. */
  #knees(start: number, end: number): Float64Array {
    const blocks = Math.ceil((this.#frames + this.#phase) / BLOCK)
    const knees = new Float64Array(end - start)
    let value = 0
    for (let frame = start, known = -1; frame < end; frame++) {
      const block = this.#blockOf(frame)
      if (block > known) {
        known = block
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
