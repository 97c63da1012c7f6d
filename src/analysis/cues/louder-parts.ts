import { medianOf } from '../statistics.ts'
import { type BarSound, meanLevel } from './bar-sound.ts'
import type { Stretch } from './phrases.ts'

/** The fewest bars of an intro or outro. */
export const SHORTEST_END = 2

const LOUDER_PARTS = {
  /** The largest share of the music that an intro or outro has. */
  most: 1 / 3,
  /** Bars on either side of a boundary whose levels are compared. */
  around: 4,
  /** dB that end an intro: a doubling of the power. */
  rise: 3,
  /** dB at which the rise is sure. */
  sureRise: 6,
  /** dB: about the least difference that is heard. */
  same: 1,
  /** The fewest bars of the loudest section. */
  fewestBars: 4,
} as const

/** A bar, and the confidence of its role. */
export interface BarCue {
  bar: number
  confidence: number
}

function riseAt({ levels }: BarSound, bar: number): number {
  const { around } = LOUDER_PARTS
  const levelBefore = meanLevel(levels, Math.max(0, bar - around), bar)
  return meanLevel(levels, bar, Math.min(levels.length, bar + around)) - levelBefore
}

function boundaryConfidence({ confidence }: Stretch, rise: number): number {
  return confidence * Math.min(1, rise / LOUDER_PARTS.sureRise)
}

/** The first rise to the level of the track, from bars that are all quieter. */
export const introOf = findQuietEnd(1)

/** The last fall from the level of the track, to bars that are all quieter. */
export const outroOf = findQuietEnd(-1)

/** @param side - 1: the quiet bars come before the loud ones; -1: after them */
function findQuietEnd(side: 1 | -1) {
  return (sound: BarSound, stretches: readonly Stretch[], last: number): BarCue | undefined => {
    const { levels } = sound
    const { around, most: longestShare, rise, same } = LOUDER_PARTS
    const first = stretches[0]!.from
    const full = meanLevel(levels) - rise
    const loudest = loudestLevelLookup(levels)
    const changeAt = (bar: number) => side * riseAt(sound, bar)
    const isBoundary = ({ from }: Stretch) => {
      const [start, end] = side === 1 ? [first, from] : [from, last]
      if (end - start < SHORTEST_END || end - start > longestShare * (last - first)) return false
      const loud = side === 1 ? from : from - around
      const level = meanLevel(levels, loud, loud + around)
      return changeAt(from) >= rise && level >= full && loudest(start, end) < level - same
    }
    const innerStretches = stretches.slice(1)
    const boundary =
      side === 1 ? innerStretches.find(isBoundary) : innerStretches.findLast(isBoundary)
    return (
      boundary && {
        bar: boundary.from,
        confidence: boundaryConfidence(boundary, changeAt(boundary.from)),
      }
    )
  }
}

/** The level of the loudest bars in a row between two; of all, if they are few. */
function loudestLevelLookup(levels: readonly number[]): (start: number, end: number) => number {
  const { around } = LOUDER_PARTS
  const means = levels.map((_, bar) =>
    meanLevel(levels, bar, Math.min(levels.length, bar + around)),
  )
  return (start, end) => {
    if (end - start < around) return meanLevel(levels, start, end)
    return means.slice(start, end - around + 1).reduce((highest, level) => Math.max(highest, level))
  }
}

/** `undefined` where all are equally loud. */
export function loudestStretch(sound: BarSound, stretches: readonly Stretch[]): BarCue | undefined {
  const longStretches = stretches.filter(({ from, to }) => to - from >= LOUDER_PARTS.fewestBars)
  const levelOf = ({ from, to }: Stretch) => meanLevel(sound.levels, from, to)
  const highestLevel = Math.max(...longStretches.map(levelOf))
  const loudStretches = longStretches.filter(
    (stretch) => levelOf(stretch) >= highestLevel - LOUDER_PARTS.same,
  )
  const rises = loudStretches.map(({ from }) => (from === 0 ? 0 : riseAt(sound, from)))
  const rise = Math.max(...rises)
  const chosenStretch = loudStretches[rises.indexOf(rise)]
  if (!chosenStretch || (loudStretches.length === longStretches.length && rise < LOUDER_PARTS.rise))
    return undefined
  const lead = highestLevel - medianOf(longStretches.map(levelOf))
  const clearness = Math.max(lead / LOUDER_PARTS.rise, rise / LOUDER_PARTS.sureRise)
  return { bar: chosenStretch.from, confidence: chosenStretch.confidence * Math.min(1, clearness) }
}
