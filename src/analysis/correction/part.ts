import { firstFrom } from '../../audio/samples.ts'
import { invalidParameter } from '../../values/errors.ts'
import type { AnalysisDocument } from '../document.ts'
import { between, type Interval } from '../intervals.ts'
import { medianOf } from '../statistics.ts'
import { tempoOfBeats } from '../tempo.ts'
import { layTatums, moveSections } from './bars.ts'
import { type Corrections, type PartCorrection, requireFitting } from './corrections.ts'
import { edgesOf, nearestTo } from './material.ts'
import { withOwnTempo, withRhythm } from './rhythm.ts'

export type { PartCorrection }

const PART = {
  /** Times that differ less are one, seconds: documents of other analysers are rounded. */
  same: 1e-3,
  /** Shortest and longest beat where a part meets the rest, as shares of the usual one. */
  shortest: 0.5,
  longest: 1.5,
  /** Tempi that differ by at most this share are the same. */
  sameTempo: 0.04,
}

/** The correction of a part that has `from` or `to`; `undefined` for one of the whole track. */
export function partOf({ from, to, tempo, downbeat }: Corrections): PartCorrection | undefined {
  return from === undefined && to === undefined
    ? undefined
    : { from: from ?? 0, to, tempo, downbeat }
}

/** The tempo of a part, BPM: of its beats, or with fewer than three of the track. */
export function tempoOfPart(document: AnalysisDocument, part: PartCorrection): number {
  return subDocument(document, part).track.tempo
}

/**
 * Refuses a correction that this part cannot have.
 *
 * @throws {ParameterError} that names the value and what may be given
 */
export function requireFittingPart(document: AnalysisDocument, part: PartCorrection): void {
  const { from, tempo, downbeat } = part
  const { duration } = document.track
  if (from >= duration)
    throw invalidParameter(
      'from',
      `${from} is not before the end of the track, at ${duration} seconds.`,
    )
  const { track } = subDocument(document, part)
  requireFitting({ track: { ...track, duration } }, { tempo, downbeat })
}

/** Corrects a part of a document. The beats outside stay exactly as they are. */
export function withPart<D extends AnalysisDocument>(document: D, part: PartCorrection): D {
  const { tempo, downbeat, from } = part
  if ((tempo == null && downbeat == null) || from >= document.track.duration) return document
  const sub = subDocument(document, part)
  const after = withRhythm(sub, { tempo, downbeat })
  if (after === sub) return document
  const edges = edgesOf(document.beats)
  const [low, high] = indicesOf(edges, part)
  const all = joined(edges, low, high, edgesOf(after.beats))
  const confidence = confidenceIn(document.beats, after.beats)
  const beats = between(all, (i) => confidence(all[i]!))
  const bars = barsOf(document.bars, after.bars, all, edges[low] ?? 0, endOf(edges, high))
  const sections = moveSections(document.sections, document.bars, bars).map((section) => {
    const end = section.start + section.duration
    const isOutside = end <= from || section.start >= (part.to ?? Infinity)
    return tempo == null || isOutside ? section : withOwnTempo(section, beats, all, document.track)
  })
  const measured = tempoOfBeats(all.slice(0, -1))
  const told = document.track.tempo
  const stays = measured === 0 || Math.abs(measured / told - 1) <= PART.sameTempo
  const track = { ...document.track, tempo: stays ? told : measured }
  return { ...document, track, bars, beats, tatums: layTatums(beats, document), sections }
}

/** The indices of the first edges that are not before the part and not before its end. */
function indicesOf(
  edges: readonly number[],
  { from, to }: PartCorrection,
): [low: number, high: number] {
  const last = Math.max(0, edges.length - 1)
  const indexOf = (time: number) => Math.min(last, firstFrom(edges, time - PART.same))
  return [indexOf(from), to === undefined ? last : indexOf(to)]
}

/** The part as a document: its beats, bars and sounds, at their times, and its own tempo. */
function subDocument<D extends AnalysisDocument>(document: D, part: PartCorrection): D {
  const { track, bars, beats, tatums, sections, segments } = document
  const edges = edgesOf(beats)
  const [low, high] = indicesOf(edges, part)
  const from = edges[low] ?? part.from
  const to = high > low ? edges[high]! : (part.to ?? track.duration)
  const isLast = part.to === undefined || part.to >= track.duration
  const inside = <T extends Interval>(list: readonly T[]) =>
    list.filter(({ start }) => start >= from - PART.same && start < to - PART.same)
  const own = beats.slice(low, high)
  // Beats may end up to the start of the last sound.
  const sounds = segments.filter(({ start, duration }) => start + duration > from)
  const beyond = sounds.findIndex(({ start }) => start >= to)
  return {
    ...document,
    track: {
      ...track,
      duration: isLast ? track.duration : Math.min(to, track.duration),
      tempo: tempoOfBeats(own.map(({ start }) => start)) || track.tempo,
    },
    bars: inside(bars),
    beats: own,
    tatums: inside(tatums),
    sections: [...sections.slice(0, 1), ...inside(sections.slice(1))],
    segments: isLast || beyond < 0 ? sounds : sounds.slice(0, beyond + 1),
  }
}

/** The edges of all beats, with those of the part in place of the old ones. */
function joined(
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
  const own = inner.filter((time) => time >= begin - PART.same && (isEnd || time < end))
  const before = edges.slice(0, low)
  const last = before.at(-1)
  // A beat stays where the part begins if the one before would be too long without it.
  if (last !== undefined && own[0]! - last > PART.longest * Math.max(pace, begin - last))
    own.unshift(begin)
  if (!isEnd && end - own.at(-1)! < PART.shortest * pace) own.pop()
  return [...before, ...own, ...(isEnd ? [] : edges.slice(high))]
}

/** The confidence of the interval that begins at a moment, in the first list that has one. */
function confidenceIn(...lists: readonly (readonly Interval[])[]): (time: number) => number {
  const known = lists.map((list) => ({ list, starts: list.map(({ start }) => start) }))
  return (time) => {
    for (const { list, starts } of known) {
      const near = list[nearestTo(starts, time)]
      if (near && Math.abs(near.start - time) <= PART.same) return near.confidence
    }
    return 0
  }
}

/** Where the part ends, if there are beats after it. */
function endOf(edges: readonly number[], high: number): number {
  return high >= edges.length - 1 ? Infinity : edges[high]!
}

/** The bars outside the part, and those in it. Where they meet, a bar may be shorter or longer. */
function barsOf(
  bars: readonly Interval[],
  own: readonly Interval[],
  beats: readonly number[],
  begin: number,
  end: number,
): Interval[] {
  const before = bars.filter(({ start }) => start < begin - PART.same)
  const after = bars.filter(({ start }) => start >= end - PART.same)
  const ends = edgesOf(own)
  const starts = [...before, ...own, ...after].map(({ start }) => start)
  // What is left where the part begins or ends is a bar of its own.
  const old = bars.find(({ start }) => Math.abs(start - begin) <= PART.same)
  if (old && before.length > 0 && ends[0] !== undefined && ends[0] > begin + PART.same)
    starts.push(old.start)
  const rest = ends.at(-1)
  const final = edgesOf(after.length > 0 || rest === undefined ? bars : own).at(-1)
  if (rest !== undefined && after.length > 0 && rest < end - PART.same) starts.push(rest)
  const known = new Set(beats)
  const lines = new Set([...starts, ...(final === undefined ? [] : [final])])
  const sorted = [...lines].filter((line) => known.has(line)).sort((a, b) => a - b)
  const confidence = confidenceIn(own, bars)
  return between(sorted, (i) => confidence(sorted[i]!))
}
