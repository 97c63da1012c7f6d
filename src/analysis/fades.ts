import { LEVELS, type Levels } from './levels.ts'
import { upperMedianOf } from './statistics.ts'

const FADES = {
  /** Seconds over which a level is taken, and of the running median over levels. */
  step: 0.1,
  smoothing: 1,
  /** The level of the music is this quantile of the steps. */
  levelShare: 0.6,
  /** A fade begins where the level was last within so many dB of it, … */
  near: 3,
  /** … falls below it by so many, … */
  depth: 15,
  /** … for so long at least, seconds, … */
  shortest: 2,
  /** … so steadily: dB a second, and share of variance explained by a line. */
  slope: 1,
  straightness: 0.75,
  /** Steps this many dB below the level of the music, before and after it, are silence. */
  silence: 45,
}

interface Fades {
  /** Seconds; 0 when the music begins at once. */
  endOfFadeIn: number
  /** Seconds; the duration when the music just ends. */
  startOfFadeOut: number
}

/**
 * When the fade-in ends and the fade-out begins. A fade-out is a steady fall over at least 2 s from
 * the music's level to far below it, a fade-in the reverse; where there is none, the times are those
 * of the silence before and after the music.
 */
export function findFades(levels: Levels, duration: number): Fades {
  const steps = levelSteps(levels)
  const out = fadeLength(steps, duration)
  const into = fadeLength(steps.slice().reverse(), duration)
  if (into + out >= duration) return { endOfFadeIn: 0, startOfFadeOut: duration }
  return { endOfFadeIn: into, startOfFadeOut: duration - out }
}

/** Level of each tenth of a second, dB, smoothed by a running median. */
function levelSteps({ loudness, fps }: Levels): Float64Array {
  const count = Math.max(1, Math.floor(loudness.length / fps / FADES.step))
  const raw = Float64Array.from({ length: count }, (_, i) => {
    const from = Math.floor(i * FADES.step * fps)
    const to = Math.min(loudness.length, Math.floor((i + 1) * FADES.step * fps))
    let power = 0
    for (let frame = from; frame < to; frame++) power += 10 ** (loudness[frame]! / 10)
    return Math.max(LEVELS.floor, 10 * Math.log10(power / Math.max(1, to - from)))
  })
  const reach = Math.round(FADES.smoothing / FADES.step / 2)
  return raw.map((_, i) => upperMedianOf(raw.subarray(Math.max(0, i - reach), i + reach + 1)))
}

/** Seconds of fade and silence at the end of `steps`. */
function fadeLength(steps: Float64Array, duration: number): number {
  const sorted = steps.slice().sort()
  const level = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * FADES.levelShare))]!
  const audible = Math.max(LEVELS.floor, level - FADES.silence)
  let end = steps.length
  while (end > 0 && steps[end - 1]! <= audible) end--
  if (end === 0) return 0
  let start = end
  while (start > 0 && steps[start - 1]! < level - FADES.near) start--
  const line = fitLine(steps, start, end)
  const seconds = (end - start) * FADES.step
  const deep = steps[end - 1]! <= level - FADES.depth
  const steady = line.slope <= -FADES.slope && line.fit >= FADES.straightness
  const from = deep && steady && seconds >= FADES.shortest ? start : end
  return from === steps.length ? 0 : Math.max(0, duration - from * FADES.step)
}

/** Least-squares line: dB a second, and the share of the variance it explains. */
function fitLine(steps: Float64Array, from: number, to: number): { slope: number; fit: number } {
  const count = to - from
  if (count < 2) return { slope: 0, fit: 0 }
  let mean = 0
  for (let i = from; i < to; i++) mean += steps[i]! / count
  let xy = 0
  let xx = 0
  let yy = 0
  for (let i = from; i < to; i++) {
    const x = (i - from - (count - 1) / 2) * FADES.step
    const y = steps[i]! - mean
    xy += x * y
    xx += x * x
    yy += y * y
  }
  return { slope: xy / xx, fit: yy > 0 ? (xy * xy) / (xx * yy) : 0 }
}
