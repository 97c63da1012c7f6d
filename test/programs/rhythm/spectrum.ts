import { windowOf } from '../../../src/analysis/meyda.ts'
import { type Novelty, NoveltyFront } from '../../../src/analysis/novelty.ts'
import {
  FRAME_RATE,
  type LogBands,
  logBands,
  SPECTRA,
  SpectrumStream,
} from '../../../src/analysis/spectra.ts'

/** The bands of the novelty curve, and its knee: see src/analysis/novelty.ts. */
const LAYOUT = { bandsPerOctave: 12, lowest: 30, highest: 10_000 }
const KNEE = { belowPeak: 46, blocks: 9, block: 100, quietest: 0.05 }

/** The loudest band is 46 dB above the knee; a step is 0.2 dB. */
export const SPECTRUM = Object.freeze({
  /** Steps for a factor of ten. */
  steps: 100,
  /** Seconds by which a frame's middle is later than its first half's. */
  late: 0.5 / FRAME_RATE,
})

/** Compressed levels of the bands. */
export interface RhythmSpectrum {
  /** Half as many as of the novelty; frame i is centred at i / fps + SPECTRUM.late seconds. */
  fps: number
  frames: number
  bands: number
  /** Frames × bands, row-major: `SPECTRUM.steps` for a factor of ten above the knee. */
  levels: Uint8Array
}

/** What the network hears of mono samples at 22,050 Hz, and the curve that beats are snapped to. */
export function heardIn(samples: Float32Array): { spectrum: RhythmSpectrum; novelty: Novelty } {
  const front = new NoveltyFront()
  const bands = logBands({ ...SPECTRA, ...LAYOUT })
  const rows: Float32Array[] = []
  const window = windowOf('hanning', SPECTRA.size)
  const stream = new SpectrumStream(window, SPECTRA.hop, (magnitudes) => {
    front.push(magnitudes)
    const row = new Float32Array(bands.count)
    bands.apply(magnitudes, row, 0)
    rows.push(row)
  })
  stream.push(samples)
  stream.finish()
  return { spectrum: compressed(rows, bands), novelty: front.finish() }
}

/** The mean of every two frames, in steps above a knee that follows the loudest band around. */
function compressed(rows: readonly Float32Array[], { count }: LogBands): RhythmSpectrum {
  const peaks = new Float64Array(Math.ceil(rows.length / KNEE.block))
  rows.forEach((row, frame) => {
    const block = Math.floor(frame / KNEE.block)
    for (const value of row) peaks[block] = Math.max(peaks[block]!, value)
  })
  const knees = peaks.map((_, block) => {
    const near = peaks.subarray(Math.max(0, block - KNEE.blocks), block + KNEE.blocks + 1)
    return Math.max(KNEE.quietest, ...near) * 10 ** (-KNEE.belowPeak / 20)
  })
  const frames = rows.length >> 1
  const levels = new Uint8Array(frames * count)
  for (let frame = 0; frame < frames; frame++) {
    const knee = knees[Math.floor((2 * frame + 1) / KNEE.block)]!
    const [first, second] = [rows[2 * frame]!, rows[2 * frame + 1]!]
    for (let band = 0; band < count; band++) {
      const level = (first[band]! + second[band]!) / (2 * knee)
      const steps = Math.round(SPECTRUM.steps * Math.log10(1 + level))
      levels[frame * count + band] = Math.min(255, steps)
    }
  }
  return { fps: FRAME_RATE / 2, frames, bands: count, levels }
}
