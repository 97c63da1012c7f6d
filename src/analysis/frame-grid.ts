import { PEAKS } from './peaks.ts'
import { ANALYSIS_RATE, SPECTRA } from './spectra.ts'

const GRID = {
  /** Samples above this magnitude (-80 dBFS) are sound. */
  audible: 1e-4,
  /** Seconds from the first sound that are searched for the sharpest attack. */
  reach: 20,
  /** Seconds before and after an attack over which power is measured. */
  attack: 0.01,
}

/** Frames over which one level of the music is measured. */
export const LEVEL_FRAMES = 100

/** Seconds of a track that are collected before its first frame: ten of silence, 20 of sound. */
export const HELD_SECONDS = 30

/** Where the frames of a track lie. */
export interface FrameGrid {
  /** Samples of silence before the first of the track: less than two frames. */
  lead: number
  /** Position of the first frame in its group of {@link LEVEL_FRAMES}. */
  phase: number
  /** Samples of silence before the first frame of pitches. */
  pitchLead: number
}

/**
 * Places the frames of a track by the sharpest attack near its beginning. The attack is at the
 * middle of an even frame and of a frame of pitches, and a group of LEVEL_FRAMES begins there. So
 * the frames of a recording, and the results, are the same with silence in front of the track or
 * without its first milliseconds.
 *
 * @param samples - the first {@link HELD_SECONDS} of the track, or all of it, mono at ANALYSIS_RATE
 */
export function frameGrid(samples: Float32Array): FrameGrid {
  const attack = sharpestAttack(samples)
  const before = untilNext(attack, LEVEL_FRAMES * SPECTRA.hop)
  const lead = before % (2 * SPECTRA.hop)
  const pitchLead = untilNext(attack, (PEAKS.hop * ANALYSIS_RATE) / PEAKS.rate)
  return { lead, phase: (before - lead) / SPECTRA.hop, pitchLead }
}

/** How many samples to put in front so that `sample` lands on a multiple of the period. */
function untilNext(sample: number, period: number): number {
  return (period - (sample % period)) % period
}

/**
 * The sample at which the power rises most. Attacks count less towards both ends of the search, so
 * that the result seldom changes when the ends move.
 */
function sharpestAttack(samples: Float32Array): number {
  const first = Math.max(
    0,
    samples.findIndex((sample) => Math.abs(sample) > GRID.audible),
  )
  const count = Math.min(samples.length - first, GRID.reach * ANALYSIS_RATE)
  const width = Math.round(GRID.attack * ANALYSIS_RATE)
  const energy = new Float64Array(count + 1)
  for (let i = 0; i < count; i++) energy[i + 1] = energy[i]! + samples[first + i]! ** 2
  let sharpest = 0
  let most = 0
  for (let i = width; i + width <= count; i++) {
    const rise = energy[i + width]! - 2 * energy[i]! + energy[i - width]!
    // A sine takes longer than all else here.
    if (rise <= most) continue
    const counted = rise * Math.sin((Math.PI * i) / count)
    if (counted <= most) continue
    most = counted
    sharpest = i
  }
  return first + sharpest
}
