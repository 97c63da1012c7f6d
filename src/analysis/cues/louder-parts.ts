import { medianOf } from '../statistics.ts'
import { type BarSound, meanLevel } from './bar-sound.ts'
import type { Stretch } from './phrases.ts'

/** The fewest bars of an intro or outro. */
export const SHORTEST_END = 2

const LEVELS = {
  /** An intro or outro is at most this share of the music. */
  most: 1 / 3,
  /** Bars before and after a boundary of which the levels are compared, … */
  around: 4,
  /** … the rise that ends an intro, dB: a doubling of the power, … */
  rise: 3,
  /** … and the rise that is surely one. */
  sureRise: 6,
  /** Levels that differ less are the same, dB: about the least difference that is heard. */
  same: 1,
  /** The fewest bars of the loudest section. */
  fewestBars: 4,
} as const

/** A bar, and how sure it is what it is meant to be. */
export interface Found {
  bar: number
  confidence: number
}

/** By how much bars from one on are louder than those before, dB. */
function riseAt({ levels }: BarSound, bar: number): number {
  const { around } = LEVELS
  const before = meanLevel(levels, Math.max(0, bar - around), bar)
  return meanLevel(levels, bar, Math.min(levels.length, bar + around)) - before
}

/** How sure a boundary with a rise is one between quiet and loud. */
function sureOf({ confidence }: Stretch, rise: number): number {
  return confidence * Math.min(1, rise / LEVELS.sureRise)
}

/** The end of the intro: the first rise to the level of the track, from bars that are all quieter. */
export function introOf(
  sound: BarSound,
  stretches: readonly Stretch[],
  last: number,
): Found | undefined {
  const { levels } = sound
  const first = stretches[0]!.from
  const isFull = fullFor(levels)
  const loudest = loudestFor(levels)
  const found = stretches.slice(1).find(({ from }) => {
    const bars = from - first
    if (bars < SHORTEST_END || bars > LEVELS.most * (last - first)) return false
    const after = meanLevel(levels, from, from + LEVELS.around)
    const isRise = riseAt(sound, from) >= LEVELS.rise && isFull(after)
    return isRise && loudest(first, from) < after - LEVELS.same
  })
  return found && { bar: found.from, confidence: sureOf(found, riseAt(sound, found.from)) }
}

/** The start of the outro: the last fall from the level of the track, to bars that are all quieter. */
export function outroOf(
  sound: BarSound,
  stretches: readonly Stretch[],
  last: number,
): Found | undefined {
  const { levels } = sound
  const first = stretches[0]!.from
  const isFull = fullFor(levels)
  const loudest = loudestFor(levels)
  const found = stretches.slice(1).findLast(({ from }) => {
    const bars = last - from
    if (bars < SHORTEST_END || bars > LEVELS.most * (last - first)) return false
    const before = meanLevel(levels, from - LEVELS.around, from)
    const isFall = -riseAt(sound, from) >= LEVELS.rise && isFull(before)
    return isFall && loudest(from, last) < before - LEVELS.same
  })
  return found && { bar: found.from, confidence: sureOf(found, -riseAt(sound, found.from)) }
}

/** Whether a level is that of the track, rather than of a quiet part. */
function fullFor(levels: readonly number[]): (level: number) => boolean {
  const least = meanLevel(levels) - LEVELS.rise
  return (level) => level >= least
}

/** The level of the loudest bars in a row between two; of all, if they are few. */
function loudestFor(levels: readonly number[]): (from: number, to: number) => number {
  const { around } = LEVELS
  const means = levels.map((_, bar) =>
    meanLevel(levels, bar, Math.min(levels.length, bar + around)),
  )
  return (from, to) => {
    if (to - from < around) return meanLevel(levels, from, to)
    return means.slice(from, to - around + 1).reduce((most, level) => Math.max(most, level))
  }
}

/** The loudest section, or nothing where all are equally loud. */
export function loudestOf(sound: BarSound, stretches: readonly Stretch[]): Found | undefined {
  const long = stretches.filter(({ from, to }) => to - from >= LEVELS.fewestBars)
  const levelOf = ({ from, to }: Stretch) => meanLevel(sound.levels, from, to)
  const most = Math.max(...long.map(levelOf))
  const loud = long.filter((one) => levelOf(one) >= most - LEVELS.same)
  const rises = loud.map(({ from }) => (from === 0 ? 0 : riseAt(sound, from)))
  const rise = Math.max(...rises)
  const found = loud[rises.indexOf(rise)]
  if (!found || (loud.length === long.length && rise < LEVELS.rise)) return undefined
  const lead = most - medianOf(long.map(levelOf))
  const clear = Math.max(lead / LEVELS.rise, rise / LEVELS.sureRise)
  return { bar: found.from, confidence: found.confidence * Math.min(1, clear) }
}
