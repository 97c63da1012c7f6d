import type { Novelty } from './novelty.ts'
import { movingMean } from './statistics.ts'

/** Peak picking of note onsets (SuperFlux: 10, 50, 150, 0 and 30 ms). */
const ONSETS = {
  maxBefore: 0.03,
  maxAfter: 0.03,
  meanBefore: 0.15,
  meanAfter: 0.07,
  apart: 0.03,
  /** A peak rises above the local mean by this share of the surroundings' RMS … */
  threshold: 0.4,
  /** … taken over so many seconds on either side … */
  reach: 5,
  /** … and by this much of novelty at least: about one band rising by 3 dB. */
  floor: 0.15,
}

/** Note onsets, in order. */
export interface Onsets {
  /** Seconds, of the highest novelty: about 12 ms after a note starts. */
  times: Float64Array
  /** Novelty at the peak over the loudest surroundings' novelty, 0 and up. */
  strength: Float32Array
}

/**
 * Note onsets: local maxima of the broad curve that stand out from the mean before them
 * (the peak picking of SuperFlux, thresholds relative to the surroundings so that soft music has
 * onsets too).
 */
export function pickOnsets(novelty: Novelty): Onsets {
  const { broad, fps, frames } = novelty
  const before = Math.round(ONSETS.maxBefore * fps)
  const after = Math.round(ONSETS.maxAfter * fps)
  const meanBefore = Math.round(ONSETS.meanBefore * fps)
  const meanAfter = Math.round(ONSETS.meanAfter * fps)
  const apart = ONSETS.apart * fps
  const squares = Float64Array.from(broad, (value) => value ** 2)
  const scale = Float32Array.from(movingMean(squares, Math.round(ONSETS.reach * fps)), Math.sqrt)
  const times: number[] = []
  const strength: number[] = []
  let sum = 0
  let from = 0
  let to = 0
  let last = -Infinity
  for (let frame = 0; frame < frames; frame++) {
    while (to < Math.min(frames, frame + meanAfter + 1)) sum += broad[to++]!
    while (from < frame - meanBefore) sum -= broad[from++]!
    const value = broad[frame]!
    const threshold = sum / (to - from) + ONSETS.threshold * scale[frame]! + ONSETS.floor
    if (value < threshold || frame - last <= apart) continue
    let highest = true
    for (let f = Math.max(0, frame - before); f <= Math.min(frames - 1, frame + after); f++)
      if (broad[f]! > value || (broad[f] === value && f < frame)) highest = false
    if (!highest) continue
    last = frame
    times.push(frame / fps)
    strength.push(value / (scale[frame]! + ONSETS.floor))
  }
  return { times: Float64Array.from(times), strength: Float32Array.from(strength) }
}
