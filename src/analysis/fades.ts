import { BAND_LEVELS, type Levels } from './levels.ts'
import { upperMedianOf } from './statistics.ts'

const FADES = {
  step: 0.1,
  smoothing: 1,
  /** The level of the music is this quantile of the steps. */
  levelShare: 0.6,
  /**
   * dB: a fade begins where the level was last so `near` that of the music, and falls `depth` below
   * it.
   */
  near: 3,
  depth: 15,
  shortest: 2,
  /** dB a second, and the share of variance that a line explains. */
  slope: 1,
  straightness: 0.75,
  /** dB below the level of the music. */
  silence: 45,
}

interface Fades {
  /** Seconds; 0 when the music begins at once. */
  endOfFadeIn: number
  /** Seconds; the duration when the music just ends. */
  startOfFadeOut: number
}

/**
 * A fade is a steady change over at least 2 s; without one, the times are those of the silence
 * around the music.
 */
export function findFades(levels: Levels, duration: number): Fades {
  const steps = smoothedLevelSteps(levels)
  const fadeOut = fadeLength(steps, duration)
  const fadeIn = fadeLength(steps.slice().reverse(), duration)
  if (fadeIn + fadeOut >= duration) return { endOfFadeIn: 0, startOfFadeOut: duration }
  return { endOfFadeIn: fadeIn, startOfFadeOut: duration - fadeOut }
}

/** dB of each tenth of a second, smoothed by a running median. */
function smoothedLevelSteps({ loudness, fps }: Levels): Float64Array {
  const count = Math.max(1, Math.floor(loudness.length / fps / FADES.step))
  const raw = Float64Array.from({ length: count }, (_, i) => {
    const firstFrame = Math.floor(i * FADES.step * fps)
    const endFrame = Math.min(loudness.length, Math.floor((i + 1) * FADES.step * fps))
    let power = 0
    for (let frame = firstFrame; frame < endFrame; frame++) power += 10 ** (loudness[frame]! / 10)
    return Math.max(BAND_LEVELS.floor, 10 * Math.log10(power / Math.max(1, endFrame - firstFrame)))
  })
  const reach = Math.round(FADES.smoothing / FADES.step / 2)
  return raw.map((_, i) => upperMedianOf(raw.subarray(Math.max(0, i - reach), i + reach + 1)))
}

function fadeLength(steps: Float64Array, duration: number): number {
  const sorted = steps.slice().sort()
  const level = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * FADES.levelShare))]!
  const audible = Math.max(BAND_LEVELS.floor, level - FADES.silence)
  let end = steps.length
  while (end > 0 && steps[end - 1]! <= audible) end--
  if (end === 0) return 0
  let start = end
  while (start > 0 && steps[start - 1]! < level - FADES.near) start--
  const line = fitLine(steps, start, end)
  const seconds = (end - start) * FADES.step
  const deep = steps[end - 1]! <= level - FADES.depth
  const steady = line.slope <= -FADES.slope && line.fit >= FADES.straightness
  const quietStart = deep && steady && seconds >= FADES.shortest ? start : end
  return quietStart === steps.length ? 0 : Math.max(0, duration - quietStart * FADES.step)
}

/** Slope in dB a second, and the share of the variance that the line explains. */
function fitLine(steps: Float64Array, start: number, end: number): { slope: number; fit: number } {
  const count = end - start
  if (count < 2) return { slope: 0, fit: 0 }
  let mean = 0
  for (let i = start; i < end; i++) mean += steps[i]! / count
  let xy = 0
  let xx = 0
  let yy = 0
  for (let i = start; i < end; i++) {
    const x = (i - start - (count - 1) / 2) * FADES.step
    const y = steps[i]! - mean
    xy += x * y
    xx += x * x
    yy += y * y
  }
  return { slope: xy / xx, fit: yy > 0 ? (xy * xy) / (xx * yy) : 0 }
}
