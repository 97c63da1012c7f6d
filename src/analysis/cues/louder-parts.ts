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
export const introOf = quietEnd(1)

/** The start of the outro: the last fall from the level of the track, to bars that are all quieter. */
export const outroOf = quietEnd(-1)

/** @param side - 1: the quiet bars come before the loud ones; -1: after them */
function quietEnd(side: 1 | -1) {
  return (sound: BarSound, stretches: readonly Stretch[], last: number): Found | undefined => {
    const { levels } = sound
    const { around, most, rise, same } = LEVELS
    const first = stretches[0]!.from
    const full = meanLevel(levels) - rise
    const loudest = loudestFor(levels)
    const change = (bar: number) => side * riseAt(sound, bar)
    const isBoundary = ({ from }: Stretch) => {
      const [start, end] = side === 1 ? [first, from] : [from, last]
      if (end - start < SHORTEST_END || end - start > most * (last - first)) return false
      const loud = side === 1 ? from : from - around
      const level = meanLevel(levels, loud, loud + around)
      return change(from) >= rise && level >= full && loudest(start, end) < level - same
    }
    const inside = stretches.slice(1)
    const found = side === 1 ? inside.find(isBoundary) : inside.findLast(isBoundary)
    return found && { bar: found.from, confidence: sureOf(found, change(found.from)) }
  }
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
