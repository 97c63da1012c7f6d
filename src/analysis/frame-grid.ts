import { PEAKS } from './peaks.ts'
import { ANALYSIS_RATE, SPECTRA } from './spectra.ts'

const GRID = {
  /** Samples above this magnitude (-80 dBFS) are sound. */
  audible: 1e-4,
  /** Seconds from the first sound in which the sharpest attack is looked for. */
  reach: 20,
  /** Seconds over which the power before an attack and after it is taken. */
  attack: 0.01,
}

/** Frames over which one level of the music is taken. */
export const LEVEL_FRAMES = 100

/** Seconds of a track that must be there before its first frame: ten of silence and what is heard then. */
export const HELD_SECONDS = 30

/** Where the frames of a track lie. */
export interface FrameGrid {
  /** Samples of silence before the first of the track: less than two frames. */
  lead: number
  /** The frame, of {@link LEVEL_FRAMES}, that the first one is. */
  phase: number
  /** Samples of silence before the first frame of pitches. */
  pitchLead: number
}

/**
 * Lays the frames of a track so that the sharpest attack near its beginning is at the middle of the
 * first of two, and at the middle of a frame of pitches, and a level is taken from there on. So the
 * frames of a recording are the same wherever the track begins, with silence in front or without its
 * first milliseconds: what is found in them does not depend on it either.
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

/** How many samples must come before so that one of them is at a multiple of the period. */
function untilNext(sample: number, period: number): number {
  return (period - (sample % period)) % period
}

/**
 * The sample at which the power rises most. Attacks count less towards both ends of what is looked at, so that
 * the answer seldom changes when the ends move.
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
    const counted = rise * Math.sin((Math.PI * i) / count)
    if (counted <= most) continue
    most = counted
    sharpest = i
  }
  return first + sharpest
}
