import type { AnalysisDocument, Section } from '../document.ts'
import { between, exactTime, type Interval } from '../intervals.ts'
import { medianOf } from '../statistics.ts'
import { accentsOf } from './accents.ts'
import { type Edges, type Ratio } from './regrouping.ts'
import { edgesOf, nearBeat } from './grid.ts'
import { firstFrom, type Material, nearestTo } from './material.ts'

const BARS = {
  /** What a bar of the document's speaks for a bar there, beside accents. */
  own: 1.5,
  /** What a section does. */
  section: 1.5,
  /** Seconds between things that are at one moment. */
  same: 0.05,
}

/** Tatums of a beat without any, at most: documents have no more. */
const MOST_TATUMS = 4

/**
 * The beats in a bar after beats were counted in a ratio: as many as before, if that divides or
 * doubles the bars as they were; else three or four, if one does so.
 */
export function sizeAfter(size: number, [parts, of]: Ratio): number {
  const sizes = [1 / 4, 1 / 2, 1, 2, 4].map((times) => (times * size * parts) / of)
  return [size, 4, 3].find((one) => sizes.includes(one)) ?? size
}

/**
 * Bars of so many beats. They begin on the downbeat that is given, else where most bars and sections
 * of the document and most accents are.
 */
export function layBars(
  edges: Edges,
  size: number,
  document: AnalysisDocument,
  material: Material,
  downbeat: number | undefined,
): Interval[] {
  const beats = edges.slice(0, -1)
  if (beats.length < size) return []
  const anchor = downbeat === undefined ? undefined : nearBeat(edges, downbeat)
  const phase = (anchor ?? likeliestPhase(beats, size, document, material)) % size
  const cuts: number[] = []
  for (let beat = phase; beat < edges.length; beat += size) cuts.push(edges[beat]!)
  const old = document.bars
  const starts = old.map(({ start }) => start)
  const sure = anchor !== undefined
  return between(cuts, (i) => {
    if (sure) return 1
    const at = nearestTo(starts, cuts[i]!)
    return old[at]?.confidence ?? 0
  })
}

function likeliestPhase(
  beats: readonly number[],
  size: number,
  { bars, sections }: AnalysisDocument,
  material: Material,
): number {
  const scores = new Float64Array(size)
  accentsOf(beats, material).forEach((accent, beat) => {
    scores[beat % size]! += accent
  })
  const vote = (time: number, weight: number) => {
    const at = nearestTo(beats, time)
    if (at >= 0 && Math.abs(beats[at]! - time) <= BARS.same) scores[at % size]! += weight
  }
  for (const { start } of bars) vote(start, BARS.own)
  for (const { start } of sections.slice(1)) vote(start, BARS.section)
  return scores.indexOf(Math.max(...scores))
}

/**
 * Tatums that beats are made of: those of the document in a beat that begins and ends with one of
 * them, else even ones of about their length.
 */
export function layTatums(
  beats: readonly Interval[],
  { tatums }: AnalysisDocument,
): Interval[] {
  const own = edgesOf(tatums)
  const usual = medianOf(tatums.map(({ duration }) => duration))
  const isOwn = (time: number) => own[firstFrom(own, time)] === time
  return beats.flatMap(({ start, duration, confidence }) => {
    const end = start + duration
    const edges = [start]
    if (isOwn(start) && isOwn(end)) {
      for (let at = firstFrom(own, start) + 1; own[at]! < end; at++) edges.push(own[at]!)
    } else {
      const parts = usual > 0 ? Math.round(duration / usual) : 1
      const count = Math.max(1, Math.min(MOST_TATUMS, parts))
      for (let part = 1; part < count; part++)
        edges.push(exactTime(start + (part * duration) / count))
    }
    return between([...edges, end], () => confidence)
  })
}

/** Sections that began where a bar did, or within half a bar of it, begin where one does now. */
export function moveSections(
  sections: readonly Section[],
  old: readonly Interval[],
  bars: readonly Interval[],
): Section[] {
  const starts = edgesOf(bars)
  const reach = medianOf(old.map(({ duration }) => duration)) / 2
  const moved = sections.map((section) => ({ ...section }))
  for (let i = 1; i < moved.length; i++) {
    const section = moved[i]!
    const before = moved[i - 1]!
    const end = section.start + section.duration
    const start = starts[nearestTo(starts, section.start)]
    if (start === undefined || Math.abs(start - section.start) > reach) continue
    if (start <= before.start || start >= end) continue
    section.duration = end - start
    section.start = start
    before.duration = start - before.start
  }
  return moved
}
