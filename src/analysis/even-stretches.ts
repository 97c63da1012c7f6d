import {
  bendOf,
  type EvenGrid,
  evenGridOf,
  gridTime,
  isOnGrid,
  missOf,
  numberOf,
  type WeighedBeats,
  withSimplestTempo,
} from './even-grid.ts'
import type { Interval } from './intervals.ts'
import { medianOf } from './statistics.ts'

const EVEN_STRETCH = Object.freeze({
  /** The fewest beats of one grid among several: eight bars. */
  fewest: 32,
  /** Beats from which the next stretch may begin. */
  hop: 8,
  /**
   * The least sudden change, as a share of the tempo, or in seconds of phase; lesser ones are
   * drift.
   */
  tempo: 0.01,
  phase: 0.04,
  rounds: 3,
  /** Beats found in a row with which a stretch begins and ends. */
  found: 4,
  /** Beats between two stretches that meet. */
  meeting: 16,
  bend: 0.01,
  /** The least share of beats in stretches; below it, the music drifts. */
  covered: 0.5,
  /** An interval of so many median ones is a pause. */
  pause: 4,
})

export interface EvenStretch {
  /** The indices of its first beat and of the one after its last. */
  from: number
  to: number
  grid: EvenGrid
}

/**
 * The stretches of beats that one grid explains: one for a steady tempo, several where it changes
 * suddenly, none where it drifts.
 */
export function evenStretches(times: readonly number[], weights: readonly number[]): EvenStretch[] {
  const beats = { times, weights }
  return beatsBetweenPauses(times).flatMap(({ from, to }) => {
    const wholeStretch = explainedStretch(beats, from, to)
    if (wholeStretch) return [wholeStretch]
    let stretches = longestStretches(beats, from, to)
    for (let round = 0; round < EVEN_STRETCH.rounds; round++)
      stretches = withMovedBounds(beats, stretches)
    stretches = joinStretches(beats, stretches)
    const steady = withoutDrift(beats, stretches)
    const covered = steady.reduce((sum, stretch) => sum + stretch.to - stretch.from, 0)
    return covered < EVEN_STRETCH.covered * (to - from) ? [] : steady
  })
}

export function evenStretchesIn(beats: readonly Interval[]): EvenStretch[] {
  return evenStretches(
    beats.map(({ start }) => start),
    beats.map(({ confidence }) => confidence),
  )
}

export function beatsBetweenPauses(times: readonly number[]): { from: number; to: number }[] {
  const gaps = times.slice(1).map((time, i) => time - times[i]!)
  const longest = EVEN_STRETCH.pause * medianOf(gaps)
  const starts = [0, ...gaps.flatMap((gap, i) => (gap > longest ? [i + 1] : []))]
  return starts.map((from, i) => ({ from, to: starts[i + 1] ?? times.length }))
}

function beatsWithin({ times, weights }: WeighedBeats, start: number, end: number): WeighedBeats {
  return { times: times.slice(start, end), weights: weights.slice(start, end) }
}

function explainedStretch(
  beats: WeighedBeats,
  start: number,
  end: number,
): EvenStretch | undefined {
  const inside = beatsWithin(beats, start, end)
  const grid = evenGridOf(inside)
  return grid && { from: start, to: end, grid: withSimplestTempo(inside, grid) }
}

function longestStretches(beats: WeighedBeats, begin: number, end: number): EvenStretch[] {
  const stretches: EvenStretch[] = []
  let from = begin
  while (end - from >= EVEN_STRETCH.fewest) {
    const longest = longestFrom(beats, from, end)
    // It may run into the next one.
    const stretch = longest && trimmedToGrid(beats, longest)
    if (stretch) stretches.push(stretch)
    from = stretch?.to ?? from + EVEN_STRETCH.hop
  }
  return stretches
}

function longestFrom(beats: WeighedBeats, from: number, end: number): EvenStretch | undefined {
  let best = explainedStretch(beats, from, from + EVEN_STRETCH.fewest)
  if (!best) return undefined
  let beyond = end + 1
  for (let to = 2 * best.to - from; best.to < end; to = 2 * best.to - from) {
    to = Math.min(to, end)
    const longer = explainedStretch(beats, from, to)
    if (!longer) {
      beyond = to
      break
    }
    best = longer
  }
  while (beyond <= end && beyond - best.to > EVEN_STRETCH.hop) {
    const to = (best.to + beyond) >> 1
    const longer = explainedStretch(beats, from, to)
    if (longer) best = longer
    else beyond = to
  }
  return best
}

/** Moves common bounds to where the beats go over from one grid to the next. */
function withMovedBounds(beats: WeighedBeats, stretches: readonly EvenStretch[]): EvenStretch[] {
  const copies = stretches.map((stretch) => ({ ...stretch }))
  copies.slice(1).forEach((next, i) => {
    const stretch = copies[i]!
    if (next.from - stretch.to > EVEN_STRETCH.meeting) return
    const [low, high] = [
      Math.max(stretch.from, stretch.to - EVEN_STRETCH.fewest),
      Math.min(next.to, next.from + EVEN_STRETCH.fewest),
    ]
    let [sum, leastSum, bound] = [0, 0, low]
    for (let beat = low; beat < high; beat++) {
      const time = beats.times[beat]!
      sum += Math.abs(missOf(time, stretch.grid)) - Math.abs(missOf(time, next.grid))
      if (sum >= leastSum) continue
      leastSum = sum
      bound = beat + 1
    }
    stretch.to = bound
    next.from = bound
  })
  return copies.map(
    (stretch, i) => explainedStretch(beats, stretch.from, stretch.to) ?? stretches[i]!,
  )
}

function trimmedToGrid({ times }: WeighedBeats, { from, to, grid }: EvenStretch): EvenStretch {
  const isFound = (beat: number) =>
    times.slice(beat, beat + EVEN_STRETCH.found).every((time) => isOnGrid(time, grid))
  const starts = Array.from({ length: to - from - EVEN_STRETCH.found + 1 }, (_, i) => from + i)
  const first = starts.find(isFound) ?? from
  const last = starts.findLast(isFound) ?? to - EVEN_STRETCH.found
  return { from: first, to: last + EVEN_STRETCH.found, grid }
}

/** Joins stretches of one grid across beats that were lost for a while. */
function joinStretches(beats: WeighedBeats, stretches: readonly EvenStretch[]): EvenStretch[] {
  const joinedStretches: EvenStretch[] = []
  for (let i = 0; i < stretches.length; i++) {
    let stretch = stretches[i]!
    for (let j = stretches.length - 1; j > i; j--) {
      const laterStretch = stretches[j]!
      const beatCount = stretch.to - stretch.from + laterStretch.to - laterStretch.from
      if (laterStretch.from - stretch.to > beatCount) continue
      const gridBeats = beatsOnOwnGrids(beats, [stretch, laterStretch])
      const grid = evenGridOf(gridBeats)
      if (!grid) continue
      stretch = {
        from: stretch.from,
        to: laterStretch.to,
        grid: withSimplestTempo(gridBeats, grid),
      }
      i = j
      break
    }
    joinedStretches.push(stretch)
  }
  return joinedStretches
}

function beatsOnOwnGrids(
  { times, weights }: WeighedBeats,
  stretches: readonly EvenStretch[],
): WeighedBeats {
  const indices = stretches.flatMap(({ from, to, grid }) =>
    Array.from({ length: to - from }, (_, i) => from + i).filter((i) => isOnGrid(times[i]!, grid)),
  )
  return { times: indices.map((i) => times[i]!), weights: indices.map((i) => weights[i]!) }
}

/** Drifting stretches bend, or lead into each other bit by bit. */
function withoutDrift(beats: WeighedBeats, stretches: readonly EvenStretch[]): EvenStretch[] {
  const drifting = new Set<EvenStretch>()
  stretches.forEach((stretch, i) => {
    if (bendOf(beatsWithin(beats, stretch.from, stretch.to), stretch.grid) > EVEN_STRETCH.bend)
      drifting.add(stretch)
    const next = stretches[i + 1]
    if (!next || next.from - stretch.to > EVEN_STRETCH.meeting) return
    const nextTime = beats.times[next.from]!
    const shift = missOf(gridTime(numberOf(nextTime, next.grid), next.grid), stretch.grid)
    const isSudden =
      Math.abs(next.grid.period / stretch.grid.period - 1) >= EVEN_STRETCH.tempo ||
      Math.abs(shift) >= EVEN_STRETCH.phase
    if (!isSudden) drifting.add(stretch).add(next)
  })
  return stretches.filter((stretch) => !drifting.has(stretch))
}
