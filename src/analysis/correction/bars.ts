import type { AnalysisDocument, Section } from '../document.ts'
import { exactTime, type Interval, intervalsBetween } from '../intervals.ts'
import { medianOf } from '../statistics.ts'
import { accentsOf } from './accents.ts'
import { nearBeat } from './grid.ts'
import { type Edges, edgesOf, type Material, nearestTo } from './material.ts'
import type { Ratio } from './regrouping.ts'

const BARS = {
  /** Weight of the start of a bar in the document; accents are about 0.3. */
  own: 1.5,
  /** Weight of the start of a section. */
  section: 1.5,
  /** Seconds within which two times are one moment. */
  same: 0.05,
  /** The tatums of a beat, at most. */
  tatums: 4,
}

/**
 * The old number if such bars are 1/4, 1/2, 1, 2 or 4 old bars long; else four or three, if one of
 * these is.
 */
export function barSizeAfter(size: number, [parts, of]: Ratio): number {
  const sizes = [1 / 4, 1 / 2, 1, 2, 4].map((times) => (times * size * parts) / of)
  return [size, 4, 3].find((candidate) => sizes.includes(candidate)) ?? size
}

/**
 * Bars of `size` beats, from the downbeat on; without one, in the phase of most bars, sections and
 * accents.
 */
export function layBars(
  edges: Edges,
  size: number,
  material: Material,
  downbeat: number | undefined,
): Interval[] {
  const { bars } = material.document
  const downbeatIndex = downbeat === undefined ? undefined : nearBeat(edges, downbeat)
  const phase = (downbeatIndex ?? likeliestPhase(edges, size, material)) % size
  const starts = edges.filter((_, beat) => beat >= phase && (beat - phase) % size === 0)
  const oldStarts = bars.map(({ start }) => start)
  return intervalsBetween(starts, (i) => {
    const confidence = bars[nearestTo(oldStarts, starts[i]!)]?.confidence ?? 0
    return downbeatIndex === undefined ? confidence : 1
  })
}

function likeliestPhase(edges: Edges, size: number, material: Material): number {
  const { bars, sections } = material.document
  const beats = edges.slice(0, -1)
  const scores = new Float64Array(size)
  accentsOf(beats, material).forEach((accent, beat) => {
    scores[beat % size] = scores[beat % size]! + accent
  })
  const addVote = (time: number, weight: number) => {
    const nearest = nearestTo(beats, time)
    if (nearest >= 0 && Math.abs(beats[nearest]! - time) <= BARS.same)
      scores[nearest % size] = scores[nearest % size]! + weight
  }
  for (const { start } of bars) addVote(start, BARS.own)
  for (const { start } of sections.slice(1)) addVote(start, BARS.section)
  return scores.indexOf(Math.max(...scores))
}

/** Tatums of the document stay in a beat that begins and ends with one of them; others are even. */
export function layTatums(
  beats: readonly Interval[],
  { tatums }: Pick<AnalysisDocument, 'tatums'>,
): Interval[] {
  const oldEdges = edgesOf(tatums)
  const usualDuration = medianOf(tatums.map(({ duration }) => duration))
  const isOldEdge = (time: number) =>
    Math.abs((oldEdges[nearestTo(oldEdges, time)] ?? -1) - time) < 1e-5
  return beats.flatMap(({ start, duration, confidence }) => {
    const end = start + duration
    const edges = [start]
    if (isOldEdge(start) && isOldEdge(end)) {
      for (let index = nearestTo(oldEdges, start) + 1; oldEdges[index]! < end - 1e-5; index++)
        edges.push(oldEdges[index]!)
    } else {
      const usualCount = usualDuration > 0 ? Math.round(duration / usualDuration) : 1
      const count = Math.max(1, Math.min(BARS.tatums, usualCount))
      for (let tatum = 1; tatum < count; tatum++)
        edges.push(exactTime(start + (tatum * duration) / count))
    }
    return intervalsBetween([...edges, end], () => confidence)
  })
}

/** Moves the starts of sections to the nearest new bar, if it is at most half an old bar away. */
export function moveSections(
  sections: readonly Section[],
  oldBars: readonly Interval[],
  bars: readonly Interval[],
): Section[] {
  const starts = bars.map(({ start }) => start)
  const reach = medianOf((oldBars.length > 0 ? oldBars : bars).map(({ duration }) => duration)) / 2
  const movedSections = sections.map((section) => ({ ...section }))
  for (let i = 1; i < movedSections.length; i++) {
    const section = movedSections[i]!
    const previousSection = movedSections[i - 1]!
    const start = starts[nearestTo(starts, section.start)]
    const end = section.start + section.duration
    if (start === undefined || Math.abs(start - section.start) > reach) continue
    if (start <= previousSection.start || start >= end) continue
    section.start = start
    section.duration = end - start
    previousSection.duration = start - previousSection.start
  }
  return movedSections
}
