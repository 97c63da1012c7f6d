import { encodeNumbers } from './encoded-string.ts'
import { LEVELS, type Levels } from './levels.ts'

const RHYTHMSTRING = {
  rate: 11_025,
  hop: 32,
  bands: 8,
  /** A band's level rises by so many dB within 20 ms at an onset … */
  rise: 6,
  /** … from no lower than this, dB. */
  floor: -80,
  /** Seconds from one onset of a band to the next at least. */
  apart: 0.1,
}

/**
 * The rhythmstring, version 1.0: onset times in eight frequency bands, for matching and drawing.
 *
 * Grammar: `rate hop bands`, then for each band `count first step…`, in hops of 32 samples at
 * 11,025 Hz.
 */
export function rhythmstring(levels: Levels): string {
  const { rate, hop, bands } = RHYTHMSTRING
  const numbers: number[] = [rate, hop, bands]
  for (let band = 0; band < bands; band++) {
    const onsets = bandOnsets(levels, band)
    numbers.push(onsets.length)
    let previous = 0
    for (const time of onsets) {
      const position = Math.round((time * rate) / hop)
      numbers.push(position - previous)
      previous = position
    }
  }
  return encodeNumbers(numbers)
}

/** Times in seconds at which a band's level rises suddenly. */
function bandOnsets(levels: Levels, band: number): number[] {
  const { fps, frames } = levels
  const share = LEVELS.bands / RHYTHMSTRING.bands
  const all = new Float64Array(LEVELS.bands)
  const level = new Float32Array(frames)
  for (let frame = 0; frame < frames; frame++) {
    levels.bands(frame, all)
    let loudest: number = LEVELS.floor
    for (let b = band * share; b < (band + 1) * share; b++) loudest = Math.max(loudest, all[b]!)
    level[frame] = Math.max(RHYTHMSTRING.floor, loudest)
  }
  const times: number[] = []
  const lag = 2
  let last = -Infinity
  for (let frame = lag; frame + lag < frames; frame++) {
    const rise = level[frame]! - level[frame - lag]!
    if (rise < RHYTHMSTRING.rise || frame - last < RHYTHMSTRING.apart * fps) continue
    if (level[frame + 1]! - level[frame + 1 - lag]! > rise) continue
    last = frame
    times.push((frame - lag / 2) / fps)
  }
  return times
}
