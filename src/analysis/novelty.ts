import { grown, parabolaTop } from '../audio/samples.ts'
import { FRAME_RATE, type LogBands, logBands, SPECTRA } from './spectra.ts'

const NOVELTY = {
  /** Semitone bands, as SuperFlux has them; quarter tones changed beat F by less than 0.02. */
  bandsPerOctave: 12,
  lowest: 30,
  highest: 10_000,
  /** Frames back to the spectrum that a frame is compared with: an attack takes about 20 ms. */
  lag: 2,
  /** Bands on either side whose past counts too, so that vibrato is no onset (SuperFlux). */
  spread: 1,
  /** Upper edges in Hz of the low (kick, bass) and mid (snare body, chords) curves. */
  lowEdge: 180,
  midEdge: 2_000,
  /** The knee of the compression is so many dB below the loudest band of the surroundings. */
  kneeBelowPeak: 46,
  /** Seconds of surroundings on either side. */
  levelReach: 8,
  /** Peaks below this magnitude (about -74 dBFS) are not amplified further: that is dither. */
  quietest: 0.05,
  /** Coarse harmony: 25 values a second, from the range where bands are true semitones. */
  harmonyFrames: 4,
  harmonyFrom: 250,
  harmonyTo: 2_100,
}

/**
 * Seconds from the start of a sound to the highest novelty, about half a window: of a beat, and of an
 * onset that is placed between frames (the median over 6,000 notes was 10.8 ms).
 */
export const LATENESS = { beat: 0.01, onset: 0.0105 }

/** The frame at which the novelty of what begins at `seconds` is highest. */
export function peakFrame(seconds: number, fps: number): number {
  return (seconds + LATENESS.beat) * fps
}

/** Where between the frames a curve is highest about `frame`: on it, unless it is a local maximum. */
export function refinedPeak(curve: Float32Array, frame: number): number {
  const before = curve[frame - 1] ?? 0
  const here = curve[frame] ?? 0
  const after = curve[frame + 1] ?? 0
  return here >= before && here >= after ? frame + parabolaTop(before, here, after) : frame
}

/** The curves of parts of the spectrum. */
export const BANDS = ['low', 'mid', 'high'] as const

/** How much the sound changes at each moment. All curves have one value a frame, 0 and up. */
export interface Novelty {
  /** Frames per second; frame i is centred at i / fps seconds. */
  fps: number
  frames: number
  /** Over all bands: any onset. */
  broad: Float32Array
  /** Below 180 Hz: kick and bass. */
  low: Float32Array
  /** 180 Hz to 2 kHz: notes, chords, snare. */
  mid: Float32Array
  /** Above 2 kHz: hats, snare, consonants. */
  high: Float32Array
  /**
   * Coarse harmony: 12 pitch classes (C first) of log magnitude in each span of `harmonyFrames`
   * frames, row-major.
   */
  harmony: Float32Array
  harmonyFrames: number
}

/** The novelty of a stretch of time in seconds; `from` is its first frame. */
export function noveltyWithin(
  novelty: Novelty,
  { start, end }: { start: number; end: number },
): { from: number; novelty: Novelty } {
  const { fps, frames, harmonyFrames } = novelty
  const chord = Math.max(0, Math.floor((start * fps) / harmonyFrames))
  const from = Math.min(frames, chord * harmonyFrames)
  const to = Math.max(from, Math.min(frames, Math.ceil(end * fps)))
  const part = (curve: Float32Array) => curve.subarray(from, to)
  return {
    from,
    novelty: {
      fps,
      frames: to - from,
      broad: part(novelty.broad),
      low: part(novelty.low),
      mid: part(novelty.mid),
      high: part(novelty.high),
      harmony: novelty.harmony.subarray(12 * chord, 12 * Math.ceil(to / harmonyFrames)),
      harmonyFrames,
    },
  }
}

/** Frames over which one level is taken. */
const BLOCK = 100
const BLOCKS_AHEAD = Math.ceil((NOVELTY.levelReach * FRAME_RATE) / BLOCK)
const BLOCKS_HELD = BLOCKS_AHEAD + 2
const FRAMES_HELD = BLOCKS_HELD * BLOCK

/**
 * Turns magnitude spectra, as they stream by, into novelty curves: SuperFlux (Böck & Widmer,
 * DAFx 2013), the half-wave rectified rise of each logarithmically compressed band over the
 * highest of its neighbours two frames before.
 *
 * Compression is log(knee + x). A fixed knee would make quiet masters differ from loud ones, so the
 * knee follows the loudest band within 8 s on either side: the difference of two logarithms with the
 * same knee does not depend on the gain. 8 s of band values are held back for that (0.3 MB); only the
 * curves grow, by 16 bytes a frame.
 */
export class NoveltyFront {
  readonly #bands: LogBands
  readonly #lowEnd: number
  readonly #midEnd: number
  /** Ring of the newest frames' band values, `FRAMES_HELD` × bands. */
  readonly #held: Float32Array
  /** Loudest band value of each block so far. */
  #blockPeaks = new Float64Array(64)
  #frames = 0
  #done = 0
  #broad = new Float32Array(4_096)
  #low = new Float32Array(4_096)
  #mid = new Float32Array(4_096)
  #high = new Float32Array(4_096)
  #harmony = new Float32Array(4_096)
  /** Pitch class of each band, -1 outside the range where bands are semitones. */
  readonly #pitchClass: Int8Array

  constructor() {
    this.#bands = logBands({ ...SPECTRA, ...NOVELTY })
    const { centres, count } = this.#bands
    this.#lowEnd = centres.filter((hz) => hz <= NOVELTY.lowEdge).length
    this.#midEnd = centres.filter((hz) => hz <= NOVELTY.midEdge).length
    this.#held = new Float32Array(FRAMES_HELD * count)
    this.#pitchClass = Int8Array.from(centres, (hz) =>
      hz < NOVELTY.harmonyFrom || hz > NOVELTY.harmonyTo
        ? -1
        : (Math.round(12 * Math.log2(hz / 440)) + 9 + 120) % 12,
    )
  }

  /** Takes the next frame's 513 magnitudes; they are not kept. */
  push(magnitudes: Float32Array): void {
    const { count } = this.#bands
    const at = (this.#frames % FRAMES_HELD) * count
    this.#bands.apply(magnitudes, this.#held, at)
    let peak = 0
    for (let band = at; band < at + count; band++) {
      const value = this.#held[band]!
      if (value > peak) peak = value
    }
    const block = Math.floor(this.#frames / BLOCK)
    if (block === this.#blockPeaks.length) this.#blockPeaks = grown(this.#blockPeaks)
    if (peak > this.#blockPeaks[block]!) this.#blockPeaks[block] = peak
    this.#frames++
    if (this.#frames % BLOCK === 0 && block >= BLOCKS_AHEAD)
      this.#compare((block - BLOCKS_AHEAD + 1) * BLOCK)
  }

  /** The curves of all frames pushed. */
  finish(): Novelty {
    this.#compare(this.#frames)
    return {
      fps: FRAME_RATE,
      frames: this.#frames,
      broad: this.#broad.slice(0, this.#frames),
      low: this.#low.slice(0, this.#frames),
      mid: this.#mid.slice(0, this.#frames),
      high: this.#high.slice(0, this.#frames),
      harmony: this.#harmony.slice(0, Math.ceil(this.#frames / NOVELTY.harmonyFrames) * 12),
      harmonyFrames: NOVELTY.harmonyFrames,
    }
  }

  /** Computes the novelty of all frames before `end` that have none yet. */
  #compare(end: number): void {
    while (this.#broad.length < end) {
      this.#broad = grown(this.#broad)
      this.#low = grown(this.#low)
      this.#mid = grown(this.#mid)
      this.#high = grown(this.#high)
    }
    while (this.#harmony.length < (end / NOVELTY.harmonyFrames + 1) * 12)
      this.#harmony = grown(this.#harmony)
    const harmony = this.#harmony
    const broad = this.#broad
    const low = this.#low
    const mid = this.#mid
    const high = this.#high
    const { count } = this.#bands
    const held = this.#held
    const knees = this.#knees(this.#done, end)
    for (let frame = this.#done; frame < end; frame++) {
      const knee = knees[frame - this.#done]!
      const now = (frame % FRAMES_HELD) * count
      const chord = Math.floor(frame / NOVELTY.harmonyFrames) * 12
      for (let band = 0; band < count; band++) {
        const pitch = this.#pitchClass[band]!
        if (pitch >= 0)
          harmony[chord + pitch] =
            harmony[chord + pitch]! + Math.log10(1 + held[now + band]! / knee)
      }
      if (frame < NOVELTY.lag) continue
      const before = ((frame - NOVELTY.lag) % FRAMES_HELD) * count
      let sum = 0
      for (let band = 0; band < count; band++) {
        if (band === this.#lowEnd) low[frame] = sum
        if (band === this.#midEnd) mid[frame] = sum - low[frame]!
        const value = held[now + band]!
        let past = held[before + band]!
        for (let step = 1; step <= NOVELTY.spread; step++) {
          if (band >= step) past = Math.max(past, held[before + band - step]!)
          if (band + step < count) past = Math.max(past, held[before + band + step]!)
        }
        if (value > past) sum += Math.log10((knee + value) / (knee + past))
      }
      high[frame] = sum - low[frame]! - mid[frame]!
      broad[frame] = sum
    }
    this.#done = end
  }

  /** The knee at each frame of [start, end), from the block peaks around. */
  #knees(start: number, end: number): Float64Array {
    const blocks = Math.ceil(this.#frames / BLOCK)
    const fraction = 10 ** (-NOVELTY.kneeBelowPeak / 20)
    const knees = new Float64Array(end - start)
    let value = 0
    for (let frame = start; frame < end; frame++) {
      if (frame === start || frame % BLOCK === 0) {
        const block = Math.floor(frame / BLOCK)
        let peak: number = NOVELTY.quietest
        for (
          let b = Math.max(0, block - BLOCKS_AHEAD);
          b <= block + BLOCKS_AHEAD && b < blocks;
          b++
        )
          peak = Math.max(peak, this.#blockPeaks[b]!)
        value = peak * fraction
      }
      knees[frame - start] = value
    }
    return knees
  }
}
