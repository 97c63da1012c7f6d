import {
  bendOf,
  type EvenGrid,
  evenGridOf,
  gridTime,
  isOn,
  missOf,
  numberOf,
  type WeighedBeats,
  withSimplestTempo,
} from './even-grid.ts'
import type { Interval } from './intervals.ts'
import { medianOf } from './statistics.ts'

const STRETCH = Object.freeze({
  /** The fewest beats of one grid among several: eight bars. */
  fewest: 32,
  /** Beats from which the next stretch may begin, and by which its beginning is searched. */
  hop: 8,
  /** A change of tempo by this share, or of phase by these seconds, is one at a moment; others drift. */
  tempo: 0.01,
  phase: 0.04,
  /** Rounds in which bounds are moved and grids fitted anew. */
  rounds: 3,
  /** Beats found in a row with which a stretch begins and ends. */
  found: 4,
  /** Beats between two stretches that meet. */
  meeting: 16,
  /** Seconds by which the beats of one grid among several may bend. */
  bend: 0.01,
  /** The least share of beats between pauses that stretches hold; else the music drifts. */
  covered: 0.5,
  /** An interval of so many usual ones is a pause, after which they start anew. */
  pause: 4,
})

/** Beats that lie on one grid. */
export interface EvenStretch {
  /** The indices of its first beat and of the one after its last. */
  from: number
  to: number
  grid: EvenGrid
}

/**
 * The stretches of beats that one grid explains: one for music of one tempo, two where it changes at a
 * moment, none where it drifts.
 */
export function evenStretches(times: readonly number[], weights: readonly number[]): EvenStretch[] {
  const beats = { times, weights }
  return beatsBetweenPauses(times).flatMap(({ from, to }) => {
    const whole = stretchOf(beats, from, to)
    if (whole) return [whole]
    let stretches = longestOf(beats, from, to)
    for (let round = 0; round < STRETCH.rounds; round++) stretches = bounded(beats, stretches)
    stretches = joined(beats, stretches)
    const steady = abrupt(beats, stretches)
    const covered = steady.reduce((sum, one) => sum + one.to - one.from, 0)
    return covered < STRETCH.covered * (to - from) ? [] : steady
  })
}

/** {@link evenStretches} of the beats of a document. */
export function evenStretchesIn(beats: readonly Interval[]): EvenStretch[] {
  return evenStretches(
    beats.map(({ start }) => start),
    beats.map(({ confidence }) => confidence),
  )
}

/** The beats between pauses, as indices of the first of each and of the one after its last. */
export function beatsBetweenPauses(times: readonly number[]): { from: number; to: number }[] {
  const gaps = times.slice(1).map((time, i) => time - times[i]!)
  const longest = STRETCH.pause * medianOf(gaps)
  const starts = [0, ...gaps.flatMap((gap, i) => (gap > longest ? [i + 1] : []))]
  return starts.map((from, i) => ({ from, to: starts[i + 1] ?? times.length }))
}

function within({ times, weights }: WeighedBeats, from: number, to: number): WeighedBeats {
  return { times: times.slice(from, to), weights: weights.slice(from, to) }
}

function stretchOf(beats: WeighedBeats, from: number, to: number): EvenStretch | undefined {
  const inside = within(beats, from, to)
  const grid = evenGridOf(inside)
  return grid && { from, to, grid: withSimplestTempo(inside, grid) }
}

/** One long stretch after another. */
function longestOf(beats: WeighedBeats, begin: number, end: number): EvenStretch[] {
  const stretches: EvenStretch[] = []
  let from = begin
  while (end - from >= STRETCH.fewest) {
    const longest = longestFrom(beats, from, end)
    // It may run into the next one, which is to begin in time.
    const stretch = longest && trimmed(beats, longest)
    if (stretch) stretches.push(stretch)
    from = stretch?.to ?? from + STRETCH.hop
  }
  return stretches
}

function longestFrom(beats: WeighedBeats, from: number, end: number): EvenStretch | undefined {
  let best = stretchOf(beats, from, from + STRETCH.fewest)
  if (!best) return undefined
  let beyond = end + 1
  for (let to = 2 * best.to - from; best.to < end; to = 2 * best.to - from) {
    to = Math.min(to, end)
    const longer = stretchOf(beats, from, to)
    if (!longer) {
      beyond = to
      break
    }
    best = longer
  }
  while (beyond <= end && beyond - best.to > STRETCH.hop) {
    const to = (best.to + beyond) >> 1
    const longer = stretchOf(beats, from, to)
    if (longer) best = longer
    else beyond = to
  }
  return best
}

/** Stretches whose common bounds are where the beats go over from one grid to the next. */
function bounded(beats: WeighedBeats, stretches: readonly EvenStretch[]): EvenStretch[] {
  const copies = stretches.map((one) => ({ ...one }))
  copies.slice(1).forEach((next, i) => {
    const one = copies[i]!
    if (next.from - one.to > STRETCH.meeting) return
    const [low, high] = [
      Math.max(one.from, one.to - STRETCH.fewest),
      Math.min(next.to, next.from + STRETCH.fewest),
    ]
    let [sum, least, bound] = [0, 0, low]
    for (let beat = low; beat < high; beat++) {
      const time = beats.times[beat]!
      sum += Math.abs(missOf(time, one.grid)) - Math.abs(missOf(time, next.grid))
      if (sum >= least) continue
      least = sum
      bound = beat + 1
    }
    one.to = bound
    next.from = bound
  })
  return copies.map((one, i) => stretchOf(beats, one.from, one.to) ?? stretches[i]!)
}

/** A stretch that begins and ends with beats found on its grid. */
function trimmed({ times }: WeighedBeats, { from, to, grid }: EvenStretch): EvenStretch {
  const isFound = (beat: number) =>
    times.slice(beat, beat + STRETCH.found).every((time) => isOn(time, grid))
  const starts = Array.from({ length: to - from - STRETCH.found + 1 }, (_, i) => from + i)
  const first = starts.find(isFound) ?? from
  const last = starts.findLast(isFound) ?? to - STRETCH.found
  return { from: first, to: last + STRETCH.found, grid }
}

/** Stretches of one grid with what is between them: beats that were lost for a while. */
function joined(beats: WeighedBeats, stretches: readonly EvenStretch[]): EvenStretch[] {
  const all: EvenStretch[] = []
  for (let i = 0; i < stretches.length; i++) {
    let stretch = stretches[i]!
    for (let j = stretches.length - 1; j > i; j--) {
      const other = stretches[j]!
      const own = stretch.to - stretch.from + other.to - other.from
      if (other.from - stretch.to > own) continue
      const sure = sureOf(beats, [stretch, other])
      const grid = evenGridOf(sure)
      if (!grid) continue
      stretch = { from: stretch.from, to: other.to, grid: withSimplestTempo(sure, grid) }
      i = j
      break
    }
    all.push(stretch)
  }
  return all
}

/** The beats of stretches that are found on their own grids. */
function sureOf({ times, weights }: WeighedBeats, stretches: readonly EvenStretch[]): WeighedBeats {
  const indices = stretches.flatMap(({ from, to, grid }) =>
    Array.from({ length: to - from }, (_, i) => from + i).filter((i) => isOn(times[i]!, grid)),
  )
  return { times: indices.map((i) => times[i]!), weights: indices.map((i) => weights[i]!) }
}

/** Without the stretches of music that drifts: those that bend, or lead into each other bit by bit. */
function abrupt(beats: WeighedBeats, stretches: readonly EvenStretch[]): EvenStretch[] {
  const drifting = new Set<EvenStretch>()
  stretches.forEach((one, i) => {
    if (bendOf(within(beats, one.from, one.to), one.grid) > STRETCH.bend) drifting.add(one)
    const next = stretches[i + 1]
    if (!next || next.from - one.to > STRETCH.meeting) return
    const at = beats.times[next.from]!
    const shift = missOf(gridTime(numberOf(at, next.grid), next.grid), one.grid)
    const isSudden =
      Math.abs(next.grid.period / one.grid.period - 1) >= STRETCH.tempo ||
      Math.abs(shift) >= STRETCH.phase
    if (!isSudden) drifting.add(one).add(next)
  })
  return stretches.filter((one) => !drifting.has(one))
}
