import { edgesOf, nearestTo } from './correction/material.ts'
import type { AnalysisDocument } from './document.ts'
import { gridInPhase, gridTime, isExplainedBy, missOf, numberOf } from './even-grid.ts'
import { type EvenStretch, evenStretchesIn } from './even-stretches.ts'
import type { Interval } from './intervals.ts'

const GRIDDED = {
  /** Seconds; documents of other analysers are rounded. */
  same: 0.01,
  /** Beats nearer to the grid are on it, seconds. */
  exact: 1e-4,
  /** The shortest beat before another tempo, as a share of the usual one. */
  shortest: 0.5,
} as const

interface GridBeat extends Interval {
  isBarLine: boolean
  /** Before a pause, or at the end: whether a bar ends with it. */
  last?: { isBarLine: boolean } | undefined
}

type Beats = Pick<AnalysisDocument, 'beats' | 'bars' | 'track'>

/**
 * Beats that the analysis missed, doubled or misplaced are where the grid has them; music that
 * drifts stays as it is.
 */
export function snapToGrid<D extends Beats>(document: D): D {
  // Whoever reads the document says what it lacks.
  if (!document?.beats || !document.bars || !document.track) return document
  if (isLaid(document)) return document
  const stretches = evenStretchesIn(document.beats)
  if (stretches.length === 0) return document
  const lines = edgesOf(document.bars)
  const isBarLine = (time: number) =>
    Math.abs((lines[nearestTo(lines, time)] ?? Infinity) - time) <= GRIDDED.same
  const heard = document.beats.map((beat, i, beats): GridBeat => {
    const end = beat.start + beat.duration
    const isLast = (beats[i + 1]?.start ?? Infinity) > end + GRIDDED.same
    const last = isLast ? { isBarLine: isBarLine(end) } : undefined
    return { ...beat, isBarLine: isBarLine(beat.start), last }
  })
  const beats: GridBeat[] = []
  let next = 0
  const appendBeats = (newBeats: readonly GridBeat[]) => {
    const [firstBeat, lastBeat] = [newBeats[0], beats.at(-1)]
    if (
      firstBeat &&
      lastBeat &&
      firstBeat.start - lastBeat.start < GRIDDED.shortest * firstBeat.duration
    )
      beats.pop()
    beats.push(...newBeats)
  }
  for (const stretch of stretches.map((heardStretch) =>
    withCorrectedTempo(document, heardStretch),
  )) {
    appendBeats(heard.slice(next, stretch.from))
    appendBeats(
      beatsOnGrid(heard.slice(stretch.from, stretch.to), stretch, document.track.time_signature),
    )
    next = stretch.to
  }
  appendBeats(heard.slice(next))
  return withBeats(document, beats)
}

/** Whether someone has laid each beat. */
function isLaid({ beats, track }: Beats): boolean {
  return track.tempo_confidence === 1 && beats.every(({ confidence }) => confidence === 1)
}

/** A stretch with the tempo that someone corrected, if it explains all beats. */
function withCorrectedTempo({ beats, track }: Beats, stretch: EvenStretch): EvenStretch {
  const { from, to, grid } = stretch
  if (track.tempo_confidence !== 1 || to - from < beats.length) return stretch
  const times = beats.map(({ start }) => start)
  const weights = beats.map(({ confidence }) => confidence)
  const correctedGrid = gridInPhase({ times, weights }, 60 / track.tempo, grid)
  return isExplainedBy(times, correctedGrid) ? { ...stretch, grid: correctedGrid } : stretch
}

function beatsOnGrid(
  heard: readonly GridBeat[],
  { grid }: EvenStretch,
  signature: number,
): GridBeat[] {
  const numbers = heard.map(({ start }) => numberOf(start, grid))
  const first = numbers[0]!
  const beatAt = (number: number) => ({
    start: gridTime(number, grid),
    duration: grid.period,
  })
  if (numbers.every((number, i) => number === first + i)) {
    const isOnGrid = heard.every(({ start }) => Math.abs(missOf(start, grid)) < GRIDDED.exact)
    if (isOnGrid) return [...heard]
    return heard.map((beat, i) => ({ ...beat, ...beatAt(numbers[i]!) }))
  }
  const metre = signature > 0 ? signature : 4
  const lines = heard.flatMap(({ isBarLine }, i) => (isBarLine ? [i] : []))
  const isRegular = (beats: readonly number[]) =>
    beats.every((beat) => (beat - beats[0]!) % metre === 0)
  // Someone has said where these bars begin.
  if (!isRegular(lines) && !isRegular(lines.map((line) => numbers[line]!))) return [...heard]
  const votes = new Float64Array(metre)
  for (const line of lines)
    votes[positiveRemainder(numbers[line]!, metre)]! += heard[line]!.confidence
  const place = votes.indexOf(Math.max(...votes))
  const isBarLine = (number: number) =>
    lines.length > 0 && positiveRemainder(number, metre) === place
  const starts = heard.map(({ start }) => start)
  const last = numbers.at(-1)!
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const beat = beatAt(first + i)
    return {
      ...heard[nearestTo(starts, beat.start)]!,
      ...beat,
      isBarLine: isBarLine(first + i),
      last:
        first + i === last && heard.at(-1)!.last ? { isBarLine: isBarLine(last + 1) } : undefined,
    }
  })
}

function withBeats<D extends Beats>(document: D, gridBeats: readonly GridBeat[]): D {
  const { duration } = document.track
  const beats = gridBeats.filter(({ start }) => start >= 0 && start < duration)
  const bars: Interval[] = []
  const starts = document.bars.map(({ start }) => start)
  let bar: number | undefined
  const drawBarLine = (time: number) => {
    if (bar !== undefined) {
      const { confidence } = document.bars[nearestTo(starts, bar)]!
      bars.push({ start: bar, duration: time - bar, confidence })
    }
    bar = time
  }
  const intervals = beats.map(({ start, confidence, isBarLine, last, ...beat }, i): Interval => {
    const next = beats[i + 1]?.start ?? Infinity
    const end = last ? Math.min(start + beat.duration, duration, next) : next
    if (isBarLine) drawBarLine(start)
    if (last?.isBarLine) drawBarLine(end)
    if (last) bar = undefined
    return { start, duration: Math.min(end, duration) - start, confidence }
  })
  return { ...document, beats: intervals, bars }
}

function positiveRemainder(value: number, by: number): number {
  return ((value % by) + by) % by
}
