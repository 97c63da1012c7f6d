import { PEAKS } from './peaks.ts'
import { ANALYSIS_RATE, SPECTRA } from './spectra.ts'

const FRAME_GRID = {
  /** Samples above this magnitude (-80 dBFS) are sound. */
  audible: 1e-4,
  /** Seconds that are searched. */
  reach: 20,
  /** Seconds on either side over which power is measured. */
  attack: 0.01,
}

export const LEVEL_FRAMES = 100

/** Seconds collected before the first frame: ten of silence, 20 of sound. */
export const COLLECTED_SECONDS = 30

export interface FrameGrid {
  /** Samples of silence before the first of the track: less than two frames. */
  lead: number
  /** Position of the first frame in its group of {@link LEVEL_FRAMES}. */
  phase: number
  /** Samples of silence before the first frame of pitches. */
  pitchLead: number
}

/**
 * By the sharpest attack near the beginning, so that results do not depend on silence before the
 * music.
 *
 * @param samples - the first {@link COLLECTED_SECONDS} of the track, mono at ANALYSIS_RATE
 */
export function layFrameGrid(samples: Float32Array): FrameGrid {
  const attack = findSharpestAttack(samples)
  const groupPadding = samplesUntilNext(attack, LEVEL_FRAMES * SPECTRA.hop)
  const lead = groupPadding % (2 * SPECTRA.hop)
  const pitchLead = samplesUntilNext(attack, (PEAKS.hop * ANALYSIS_RATE) / PEAKS.rate)
  return { lead, phase: (groupPadding - lead) / SPECTRA.hop, pitchLead }
}

function samplesUntilNext(sample: number, period: number): number {
  return (period - (sample % period)) % period
}

/** Attacks count less towards both ends, so that the result seldom changes when the ends move. */
function findSharpestAttack(samples: Float32Array): number {
  const firstSound = Math.max(
    0,
    samples.findIndex((sample) => Math.abs(sample) > FRAME_GRID.audible),
  )
  const count = Math.min(samples.length - firstSound, FRAME_GRID.reach * ANALYSIS_RATE)
  const width = Math.round(FRAME_GRID.attack * ANALYSIS_RATE)
  const energy = new Float64Array(count + 1)
  for (let i = 0; i < count; i++) energy[i + 1] = energy[i]! + samples[firstSound + i]! ** 2
  let sharpest = 0
  let sharpestRise = 0
  for (let i = width; i + width <= count; i++) {
    const rise = energy[i + width]! - 2 * energy[i]! + energy[i - width]!
    // A sine takes longer than all else here.
    if (rise <= sharpestRise) continue
    const weightedRise = rise * Math.sin((Math.PI * i) / count)
    if (weightedRise <= sharpestRise) continue
    sharpestRise = weightedRise
    sharpest = i
  }
  return firstSound + sharpest
}
