import type { AnalysisDocument, Section } from '../document.ts'
import { between, exactTime, type Interval } from '../intervals.ts'
import { medianOf } from '../statistics.ts'
import { accentsOf } from './accents.ts'
import { nearBeat } from './grid.ts'
import { type Edges, edgesOf, type Material, nearestTo } from './material.ts'
import type { Ratio } from './regrouping.ts'

const BARS = {
  /** Weight of the start of a bar in the document, compared with accents of about 0.3. */
  own: 1.5,
  /** Weight of the start of a section. */
  section: 1.5,
  /** Times at most this many seconds apart are one moment. */
  same: 0.05,
  /** The tatums of a beat, at most. */
  tatums: 4,
}

/**
 * The beats in a bar after beats changed by a ratio: the old number if such bars are 1/4, 1/2, 1, 2
 * or 4 old bars long; else four or three, if one of these is.
 */
export function sizeAfter(size: number, [parts, of]: Ratio): number {
  const sizes = [1 / 4, 1 / 2, 1, 2, 4].map((times) => (times * size * parts) / of)
  return [size, 4, 3].find((one) => sizes.includes(one)) ?? size
}

/**
 * Bars of `size` beats. They begin on the given downbeat, else where most bars and sections of
 * the document and most accents are.
 */
export function layBars(
  edges: Edges,
  size: number,
  material: Material,
  downbeat: number | undefined,
): Interval[] {
  const { bars } = material.document
  const given = downbeat === undefined ? undefined : nearBeat(edges, downbeat)
  const phase = (given ?? likeliestPhase(edges, size, material)) % size
  const starts = edges.filter((_, beat) => beat >= phase && (beat - phase) % size === 0)
  const old = bars.map(({ start }) => start)
  return between(starts, (i) => {
    const confidence = bars[nearestTo(old, starts[i]!)]?.confidence ?? 0
    return given === undefined ? confidence : 1
  })
}

function likeliestPhase(edges: Edges, size: number, material: Material): number {
  const { bars, sections } = material.document
  const beats = edges.slice(0, -1)
  const scores = new Float64Array(size)
  accentsOf(beats, material).forEach((accent, beat) => {
    scores[beat % size] = scores[beat % size]! + accent
  })
  const vote = (time: number, weight: number) => {
    const at = nearestTo(beats, time)
    if (at >= 0 && Math.abs(beats[at]! - time) <= BARS.same)
      scores[at % size] = scores[at % size]! + weight
  }
  for (const { start } of bars) vote(start, BARS.own)
  for (const { start } of sections.slice(1)) vote(start, BARS.section)
  return scores.indexOf(Math.max(...scores))
}

/**
 * The tatums of beats: those of the document in a beat that begins and ends with one of them, else
 * even ones of about the usual length.
 */
export function layTatums(
  beats: readonly Interval[],
  { tatums }: Pick<AnalysisDocument, 'tatums'>,
): Interval[] {
  const own = edgesOf(tatums)
  const usual = medianOf(tatums.map(({ duration }) => duration))
  const isOwn = (time: number) => Math.abs((own[nearestTo(own, time)] ?? -1) - time) < 1e-5
  return beats.flatMap(({ start, duration, confidence }) => {
    const end = start + duration
    const edges = [start]
    if (isOwn(start) && isOwn(end)) {
      for (let at = nearestTo(own, start) + 1; own[at]! < end - 1e-5; at++) edges.push(own[at]!)
    } else {
      const parts = usual > 0 ? Math.round(duration / usual) : 1
      const count = Math.max(1, Math.min(BARS.tatums, parts))
      for (let part = 1; part < count; part++)
        edges.push(exactTime(start + (part * duration) / count))
    }
    return between([...edges, end], () => confidence)
  })
}

/** Moves the starts of sections to the nearest new bar, if it is at most half an old bar away. */
export function moveSections(
  sections: readonly Section[],
  old: readonly Interval[],
  bars: readonly Interval[],
): Section[] {
  const starts = bars.map(({ start }) => start)
  const reach = medianOf((old.length > 0 ? old : bars).map(({ duration }) => duration)) / 2
  const moved = sections.map((section) => ({ ...section }))
  for (let i = 1; i < moved.length; i++) {
    const section = moved[i]!
    const before = moved[i - 1]!
    const start = starts[nearestTo(starts, section.start)]
    const end = section.start + section.duration
    if (start === undefined || Math.abs(start - section.start) > reach) continue
    if (start <= before.start || start >= end) continue
    section.start = start
    section.duration = end - start
    before.duration = start - before.start
  }
  return moved
}
