import { firstFrom } from '../../audio/samples.ts'
import { invalidParameter } from '../../values/errors.ts'
import type { AnalysisDocument } from '../document.ts'
import { type Interval, intervalsBetween } from '../intervals.ts'
import { medianOf } from '../statistics.ts'
import { tempoOfBeats } from '../tempo.ts'
import { layTatums, moveSections } from './bars.ts'
import { type Corrections, type PartCorrection, requireFitting } from './corrections.ts'
import { edgesOf, nearestTo } from './material.ts'
import { withOwnTempo, withRhythm } from './rhythm.ts'

export type { PartCorrection }

const PART = {
  /** Seconds below which times are the same: documents of other analysers are rounded. */
  same: 1e-3,
  /** Shortest and longest beat where a part meets the rest, as shares of the usual one. */
  shortest: 0.5,
  longest: 1.5,
  /** Tempi that differ by at most this share are the same. */
  sameTempo: 0.04,
}

/** `undefined` for a correction of the whole track. */
export function partCorrectionOf({
  from,
  to,
  tempo,
  downbeat,
}: Corrections): PartCorrection | undefined {
  return from === undefined && to === undefined
    ? undefined
    : { from: from ?? 0, to, tempo, downbeat }
}

/** BPM; of the track where the part has fewer than three beats. */
export function tempoOfPart(document: AnalysisDocument, correction: PartCorrection): number {
  return subDocument(document, correction).track.tempo
}

/** @throws {ParameterError} when this part cannot have the correction */
export function requireFittingPart(document: AnalysisDocument, correction: PartCorrection): void {
  const { from, tempo, downbeat } = correction
  const { duration } = document.track
  if (from >= duration)
    throw invalidParameter(
      'from',
      `${from} is not before the end of the track, at ${duration} seconds.`,
    )
  const { track } = subDocument(document, correction)
  requireFitting({ track: { ...track, duration } }, { tempo, downbeat })
}

/** The beats outside stay exactly as they are. */
export function withPart<D extends AnalysisDocument>(document: D, correction: PartCorrection): D {
  const { tempo, downbeat, from } = correction
  if ((tempo == null && downbeat == null) || from >= document.track.duration) return document
  const partDocument = subDocument(document, correction)
  const correctedPart = withRhythm(partDocument, { tempo, downbeat })
  if (correctedPart === partDocument) return document
  const edges = edgesOf(document.beats)
  const [low, high] = indicesOf(edges, correction)
  const allEdges = joinEdges(edges, low, high, edgesOf(correctedPart.beats))
  const confidence = confidenceIn(document.beats, correctedPart.beats)
  const beats = intervalsBetween(allEdges, (i) => confidence(allEdges[i]!))
  const bars = joinBars(
    document.bars,
    correctedPart.bars,
    allEdges,
    edges[low] ?? 0,
    partEndOf(edges, high),
  )
  const sections = moveSections(document.sections, document.bars, bars).map((section) => {
    const end = section.start + section.duration
    const isOutside = end <= from || section.start >= (correction.to ?? Infinity)
    return tempo == null || isOutside
      ? section
      : withOwnTempo(section, beats, allEdges, document.track)
  })
  const measured = tempoOfBeats(allEdges.slice(0, -1))
  const oldTempo = document.track.tempo
  const keepsTempo = measured === 0 || Math.abs(measured / oldTempo - 1) <= PART.sameTempo
  const track = { ...document.track, tempo: keepsTempo ? oldTempo : measured }
  return { ...document, track, bars, beats, tatums: layTatums(beats, document), sections }
}

function indicesOf(
  edges: readonly number[],
  { from, to }: PartCorrection,
): [low: number, high: number] {
  const last = Math.max(0, edges.length - 1)
  const indexOf = (time: number) => Math.min(last, firstFrom(edges, time - PART.same))
  return [indexOf(from), to === undefined ? last : indexOf(to)]
}

/** The part as a document, at its times, with its own tempo. */
function subDocument<D extends AnalysisDocument>(document: D, correction: PartCorrection): D {
  const { track, bars, beats, tatums, sections, segments } = document
  const edges = edgesOf(beats)
  const [low, high] = indicesOf(edges, correction)
  const partStart = edges[low] ?? correction.from
  const partEnd = high > low ? edges[high]! : (correction.to ?? track.duration)
  const isLast = correction.to === undefined || correction.to >= track.duration
  const startingInside = <T extends Interval>(list: readonly T[]) =>
    list.filter(({ start }) => start >= partStart - PART.same && start < partEnd - PART.same)
  const partBeats = beats.slice(low, high)
  // Beats may end up to the start of the last sound.
  const sounds = segments.filter(({ start, duration }) => start + duration > partStart)
  const beyond = sounds.findIndex(({ start }) => start >= partEnd)
  return {
    ...document,
    track: {
      ...track,
      duration: isLast ? track.duration : Math.min(partEnd, track.duration),
      tempo: tempoOfBeats(partBeats.map(({ start }) => start)) || track.tempo,
    },
    bars: startingInside(bars),
    beats: partBeats,
    tatums: startingInside(tatums),
    sections: [...sections.slice(0, 1), ...startingInside(sections.slice(1))],
    segments: isLast || beyond < 0 ? sounds : sounds.slice(0, beyond + 1),
  }
}

function joinEdges(
  edges: readonly number[],
  low: number,
  high: number,
  inner: readonly number[],
): number[] {
  const begin = edges[low]
  const isEnd = high >= edges.length - 1
  if (begin === undefined || inner.length < 2) return [...(begin === undefined ? inner : edges)]
  const end = edges[high]!
  const pace = medianOf(inner.slice(1).map((time, i) => time - inner[i]!))
  const innerEdges = inner.filter((time) => time >= begin - PART.same && (isEnd || time < end))
  const edgesBefore = edges.slice(0, low)
  const last = edgesBefore.at(-1)
  // A beat stays where the part begins if the one before would be too long without it.
  if (last !== undefined && innerEdges[0]! - last > PART.longest * Math.max(pace, begin - last))
    innerEdges.unshift(begin)
  if (!isEnd && end - innerEdges.at(-1)! < PART.shortest * pace) innerEdges.pop()
  return [...edgesBefore, ...innerEdges, ...(isEnd ? [] : edges.slice(high))]
}

/** Of the interval that begins at a moment, in the first list that has one. */
function confidenceIn(...lists: readonly (readonly Interval[])[]): (time: number) => number {
  const listsWithStarts = lists.map((list) => ({ list, starts: list.map(({ start }) => start) }))
  return (time) => {
    for (const { list, starts } of listsWithStarts) {
      const near = list[nearestTo(starts, time)]
      if (near && Math.abs(near.start - time) <= PART.same) return near.confidence
    }
    return 0
  }
}

/** Infinity if there are no beats after the part. */
function partEndOf(edges: readonly number[], high: number): number {
  return high >= edges.length - 1 ? Infinity : edges[high]!
}

/** Where the part meets the rest, a bar may be shorter or longer. */
function joinBars(
  bars: readonly Interval[],
  partBars: readonly Interval[],
  beats: readonly number[],
  begin: number,
  end: number,
): Interval[] {
  const barsBefore = bars.filter(({ start }) => start < begin - PART.same)
  const barsAfter = bars.filter(({ start }) => start >= end - PART.same)
  const ends = edgesOf(partBars)
  const starts = [...barsBefore, ...partBars, ...barsAfter].map(({ start }) => start)
  // What is left where the part begins or ends is a bar of its own.
  const oldBar = bars.find(({ start }) => Math.abs(start - begin) <= PART.same)
  if (oldBar && barsBefore.length > 0 && ends[0] !== undefined && ends[0] > begin + PART.same)
    starts.push(oldBar.start)
  const lastEnd = ends.at(-1)
  const final = edgesOf(barsAfter.length > 0 || lastEnd === undefined ? bars : partBars).at(-1)
  if (lastEnd !== undefined && barsAfter.length > 0 && lastEnd < end - PART.same)
    starts.push(lastEnd)
  const beatSet = new Set(beats)
  const lines = new Set([...starts, ...(final === undefined ? [] : [final])])
  const sorted = [...lines].filter((line) => beatSet.has(line)).sort((a, b) => a - b)
  const confidence = confidenceIn(partBars, bars)
  return intervalsBetween(sorted, (i) => confidence(sorted[i]!))
}
