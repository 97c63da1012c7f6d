import type { AnalysisDocument } from '../document.ts'
import { tempoOfBeats } from '../beats.ts'
import { exactTime, exactTimeBefore, type Interval } from '../intervals.ts'
import { medianOf } from '../statistics.ts'
import { firstFrom, type Material, nearestTo, snapped, supportAt } from './material.ts'
import { type Edges, RATIOS, type Ratio, regrouped } from './regrouping.ts'
import { tracked } from './tracking.ts'

const GRID = {
  /** Tempi this much apart, as a share, are one. */
  sameTempo: 0.01,
  /** A number this near to a simple ratio of the tempo means the ratio. */
  sameRatio: 0.04,
  /** A downbeat means the nearest beat within so many seconds, or this share of a beat. */
  near: 0.07,
  nearShare: 0.2,
  /** BPM of beats of which nothing is known. */
  tempo: 120,
  /** Seconds from where a beat moves to the onset there. */
  snap: 0.03,
  /** Seconds of sound before the first and after the last onset. */
  margin: 0.05,
}

/** Factors between tempi that analysers take for one another, and by how much they are likelier. */
const MULTIPLES: readonly (readonly [factor: number, odds: number])[] = [
  [2, 0.2],
  [1 / 2, 0.2],
  [3, 0],
  [1 / 3, 0],
  [3 / 2, 0],
  [2 / 3, 0],
]

/** The beats of a document, corrected. */
export interface Grid {
  /** Starts of the beats and the end of the last one; empty without beats. */
  edges: Edges
  /** By how much there are more beats than before; 1 where they were tracked anew. */
  ratio: Ratio
  /** Whether the beats are the document's own. */
  own: boolean
}

/** The beats of a document as they are. */
export function ownGrid({ beats }: Pick<AnalysisDocument, 'beats'>): Grid {
  return { edges: edgesOf(beats), ratio: [1, 1], own: true }
}

/** Beats at a tempo: those of the document in a simple ratio, else others. */
export function gridAt(
  document: AnalysisDocument,
  material: Material,
  tempo: number,
  downbeat: number | undefined,
): Grid {
  const { beats, bars } = document
  const present = document.track.tempo
  const factor = present > 0 && beats.length > 0 ? tempo / present : 0
  if (isNear(factor, 1, GRID.sameTempo)) return ownGrid(document)
  const ratio = RATIOS.find(([parts, of]) => isNear(factor, parts / of, GRID.sameRatio))
  const edges = edgesOf(beats)
  if (!ratio || beats.length < 2 * ratio[1])
    return { edges: anew(document, material, () => 60 / tempo, downbeat), ratio: [1, 1], own: false }
  const starts = bars.map(({ start }) => start)
  const anchor = downbeat === undefined ? undefined : nearBeat(edges, downbeat)
  const times = regrouped(edges, ratio, material, starts, anchor)
  return { edges: exactEdges(times, document.track.duration), ratio, own: false }
}

/**
 * The tempo inside a range in which the document's is: itself, or the multiple whose beats fall on the
 * strongest onsets. `undefined` where no multiple is inside.
 */
export function tempoWithin(
  document: AnalysisDocument,
  material: Material,
  [low, high]: readonly [number, number],
): number | undefined {
  const { tempo } = document.track
  if (tempo >= low && tempo <= high) return tempo
  let best: number | undefined
  let most = -Infinity
  for (const [factor, odds] of MULTIPLES) {
    const multiple = factor * tempo
    if (multiple < low || multiple > high) continue
    const beats = gridAt(document, material, multiple, undefined).edges.slice(0, -1)
    const support = beats.reduce((sum, beat) => sum + supportAt(material, beat), 0)
    const score = odds + support / Math.max(1, beats.length)
    if (score <= most) continue
    most = score
    best = multiple
  }
  return best
}

/**
 * Beats of which one is a downbeat. Where none is near it, all move by the same share of a beat, each to
 * the onset there: their paces are right. Without beats they are tracked.
 */
export function gridThrough(
  document: AnalysisDocument,
  material: Material,
  grid: Grid,
  downbeat: number,
): Grid {
  const { edges } = grid
  if (nearBeat(edges, downbeat) !== undefined) return grid
  const { duration, tempo } = document.track
  const usual = 60 / (tempo > 0 ? tempo : GRID.tempo)
  const inside = downbeat > edges[0]! - usual && downbeat < edges.at(-1)! + usual
  const times = inside
    ? moved(edges, downbeat, material)
    : anew(document, material, () => usual, downbeat)
  return { edges: exactEdges(times, duration), ratio: grid.ratio, own: false }
}

/** Beats that move so that one of them is at an anchor. */
function moved(edges: Edges, anchor: number, material: Material): number[] {
  const last = edges.length - 2
  const at = Math.min(last, Math.max(0, firstFrom(edges, anchor) - 1))
  const share = (anchor - edges[at]!) / (edges[at + 1]! - edges[at]!)
  const times = edges.slice(0, -1).map((start, i) => {
    const length = edges[i + 1]! - start
    return i === at ? anchor : snapped(material, start + share * length, Math.min(GRID.snap, 0.1 * length))
  })
  const before = times[0]! - (edges[1]! - edges[0]!)
  const length = edges[last + 1]! - edges[last]!
  return [...(before > edges[0]! - GRID.near ? [before] : []), ...times, times[last]! + length]
}

/** The beat that a moment means, by its index. */
export function nearBeat(edges: Edges, time: number): number | undefined {
  if (edges.length < 2) return undefined
  const starts = edges.slice(0, -1)
  const at = nearestTo(starts, time)
  const length = edges[at + 1]! - edges[at]!
  const reach = Math.max(GRID.near, GRID.nearShare * length)
  return Math.abs(starts[at]! - time) <= reach ? at : undefined
}

/** The tempo to tell of corrected beats: the number that was given, where the beats keep it. */
export function toldTempo(edges: Edges, given: number | undefined): number {
  const measured = edges.length > 3 ? tempoOfBeats(edges.slice(0, -1)) : 0
  if (given === undefined) return measured
  return measured === 0 || isNear(measured / given, 1, GRID.sameTempo) ? given : measured
}

/** Beats where there is sound. */
function anew(
  { track: { duration }, beats }: AnalysisDocument,
  material: Material,
  pace: (time: number) => number,
  anchor: number | undefined,
): number[] {
  const { onsets, strengths } = material
  const heard = onsets.filter((_, i) => strengths[i]! > 0)
  const first = heard[0] ?? beats[0]?.start ?? 0
  const last = heard.at(-1) ?? duration
  const from = Math.max(0, Math.min(first - GRID.margin, anchor ?? first))
  const to = Math.min(duration, Math.max(last + GRID.margin, anchor ?? last))
  const times = tracked({ material, from, to, pace, anchor })
  const end = times.at(-1)
  return exactEdges(end === undefined ? [] : [...times, end + pace(end)], duration)
}

/** Times as documents have them: ascending, and the last one not after the end of the track. */
function exactEdges(times: readonly number[], duration: number): number[] {
  const exact: number[] = []
  for (const time of times) {
    const at = Math.min(exactTime(Math.max(0, time)), exactTimeBefore(duration))
    if (exact.length === 0 || at > exact.at(-1)! + 0.02) exact.push(at)
  }
  // The end of the track cuts the last beat too short.
  const usual = medianOf(exact.slice(1).map((time, i) => time - exact[i]!))
  while (exact.length > 1 && exact.at(-1)! - exact.at(-2)! < usual / 2) exact.pop()
  return exact.length > 1 ? exact : []
}

export function edgesOf(intervals: readonly Interval[]): number[] {
  const last = intervals.at(-1)
  if (!last) return []
  return [...intervals.map(({ start }) => start), last.start + last.duration]
}

/** The length of a beat around a moment: the median of nine. */
function paceOf(edges: Edges): (time: number) => number {
  const lengths = edges.slice(1).map((time, i) => time - edges[i]!)
  const paces = lengths.map((_, i) => medianOf(lengths.slice(Math.max(0, i - 4), i + 5)))
  return (time) => paces[Math.min(paces.length - 1, Math.max(0, firstFrom(edges, time) - 1))]!
}

function isNear(value: number, to: number, share: number): boolean {
  return Math.abs(value / to - 1) <= share
}
