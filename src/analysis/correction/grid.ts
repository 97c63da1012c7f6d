import { firstFrom } from '../../audio/samples.ts'
import type { AnalysisDocument } from '../document.ts'
import { exactTime, exactTimeBefore } from '../intervals.ts'
import { medianOf } from '../statistics.ts'
import { tempoOfBeats } from '../tempo.ts'
import { type Edges, type Material, nearestTo, supportAt } from './material.ts'
import { RATIOS, type Ratio, regroupBeats } from './regrouping.ts'
import { trackBeats } from './tracking.ts'

const CORRECTED_GRID = {
  /** Tempi that differ by at most this share are the same. */
  sameTempo: 0.01,
  /**
   * A number this near to a simple ratio of the tempo means the ratio: people round what they tap.
   */
  sameRatio: 0.025,
  /** Mean support by which newly tracked beats must lead. */
  lead: 0.2,
  /** Seconds, or share of a beat, within which a moment means a beat. */
  near: 0.07,
  nearShare: 0.2,
  /** The shortest last beat, as a share of the usual one. */
  leastOfLast: 0.5,
  /** The usual change between beats that people play, as a share of one; more is chance. */
  played: 0.04,
  /** Phases of even beats that are compared. */
  phases: 50,
  /** Seconds at the end of a track in which a beat may end after all segments began. */
  lastMoments: 0.15,
}

/** Factors between tempi that analysers confuse, and how much likelier each is. */
const MULTIPLES: readonly (readonly [factor: number, odds: number])[] = [
  [2, 0.2],
  [1 / 2, 0.2],
  [3, 0],
  [1 / 3, 0],
  [3 / 2, 0],
  [2 / 3, 0],
]

export interface Grid {
  edges: Edges
  /** To the document's beats; 1 if they were newly tracked. */
  ratio: Ratio
}

/** Beats of the document in a simple ratio, else newly tracked ones. */
export function gridAt(material: Material, tempo: number, downbeat?: number): Grid {
  const { edges, document } = material
  const present = document.track.tempo
  const factor = present > 0 ? tempo / present : 0
  if (isNearShare(factor, 1, CORRECTED_GRID.sameTempo)) return { edges, ratio: [1, 1] }
  const trackedGrid = (): Grid => ({
    edges: trackNewBeats(material, 60 / tempo, downbeat),
    ratio: [1, 1],
  })
  const ratio = RATIOS.find(([parts, of]) =>
    isNearShare(factor, parts / of, CORRECTED_GRID.sameRatio),
  )
  if (!ratio || document.beats.length < 2 * ratio[1]) return trackedGrid()
  const anchor = downbeat === undefined ? undefined : nearBeat(edges, downbeat)
  const regroupedGrid: Grid = {
    edges: trimEdges(regroupBeats(material, ratio, anchor), document),
    ratio,
  }
  const [parts, of] = ratio
  // A tempo that is wrong may be near any of these by chance; an octave is the usual mistake.
  if (parts * of === 2 || isNearShare(factor, parts / of, CORRECTED_GRID.sameTempo))
    return regroupedGrid
  const newGrid = trackedGrid()
  return supportOf(newGrid, material) > supportOf(regroupedGrid, material) + CORRECTED_GRID.lead
    ? newGrid
    : regroupedGrid
}

/**
 * Beats within 1 % of the tempo stay, as people play; others are even unless onsets support a
 * simple ratio better.
 */
export function gridAsRequested(
  material: Material,
  nearGrid: Grid,
  tempo: number,
  downbeat: number | undefined,
): Grid {
  const starts = nearGrid.edges.slice(0, -1)
  const measured = tempoOfBeats(starts)
  if (measured === 0) return nearGrid
  const isAnew = nearGrid.edges !== material.edges && nearGrid.ratio[0] === nearGrid.ratio[1]
  const isPlayed = !isAnew || usualBeatChange(starts) <= CORRECTED_GRID.played
  if (isPlayed && isNearShare(measured, tempo, CORRECTED_GRID.sameTempo)) return nearGrid
  const evenGrid: Grid = {
    edges: evenBeats(material, nearGrid.edges, 60 / tempo, downbeat),
    ratio: [1, 1],
  }
  const [parts, of] = nearGrid.ratio
  const isRatio = parts !== of && isNearShare(measured, tempo, CORRECTED_GRID.sameRatio)
  return isRatio && supportOf(nearGrid, material) > supportOf(evenGrid, material)
    ? nearGrid
    : evenGrid
}

function usualBeatChange(starts: readonly number[]): number {
  const gaps = starts.slice(1).map((start, i) => start - starts[i]!)
  const changes = gaps.slice(1).map((gap, i) => Math.abs(gap - gaps[i]!))
  return medianOf(changes) / medianOf(gaps)
}

/** In the phase of most onsets, or through an anchor. */
function evenBeats(
  material: Material,
  edges: Edges,
  period: number,
  anchor: number | undefined,
): number[] {
  const [firstEdge, lastEdge] = [edges[0]!, edges.at(-1)!]
  const beatsAt = (phase: number) => {
    const first = firstEdge + ((((phase - firstEdge) % period) + period) % period)
    const count = Math.max(1, Math.floor((lastEdge - first) / period + CORRECTED_GRID.leastOfLast))
    return Array.from({ length: count }, (_, i) => exactTime(first + i * period))
  }
  const supportAtPhase = (phase: number) =>
    beatsAt(phase).reduce((sum, beat) => sum + supportAt(material, beat).support, 0)
  const phases = Array.from(
    { length: CORRECTED_GRID.phases },
    (_, i) => firstEdge + (i * period) / CORRECTED_GRID.phases,
  )
  const supports = phases.map(supportAtPhase)
  const phase = anchor ?? phases[supports.indexOf(Math.max(...supports))]!
  const times = beatsAt(phase)
  return trimEdges([...times, exactTime(times.at(-1)! + period)], material.document)
}

/** The mean support by onsets, 0…1. */
function supportOf({ edges }: Grid, material: Material): number {
  const beats = edges.slice(0, -1)
  const support = beats.reduce((sum, beat) => sum + supportAt(material, beat).support, 0)
  return support / Math.max(1, beats.length)
}

/**
 * The multiple inside a range that onsets support best; `undefined` where the tempo is inside, or
 * none is.
 */
export function tempoWithin(
  material: Material,
  [low, high]: readonly [low: number, high: number],
): number | undefined {
  const { tempo } = material.document.track
  if (tempo >= low && tempo <= high) return undefined
  let best: number | undefined
  let highestScore = -Infinity
  for (const [factor, odds] of MULTIPLES) {
    const multiple = factor * tempo
    if (multiple < low || multiple > high) continue
    const score = odds + supportOf(gridAt(material, multiple), material)
    if (score <= highestScore) continue
    highestScore = score
    best = multiple
  }
  return best
}

/** If no beat is near the downbeat, all move alike, because their spacing is right. */
export function gridThrough(material: Material, grid: Grid, downbeat: number, tempo: number): Grid {
  const { edges, ratio } = grid
  if (nearBeat(edges, downbeat) !== undefined) return grid
  if (edges.length > 0)
    return { edges: trimEdges(moveBeats(edges, downbeat, material), material.document), ratio }
  return tempo > 0 ? { edges: trackNewBeats(material, 60 / tempo, downbeat), ratio } : grid
}

/** The index of the beat that a moment means. */
export function nearBeat(edges: Edges, time: number): number | undefined {
  if (edges.length < 2) return undefined
  const nearest = Math.min(edges.length - 2, nearestTo(edges, time))
  const length = edges[nearest + 1]! - edges[nearest]!
  const reach = Math.max(CORRECTED_GRID.near, CORRECTED_GRID.nearShare * length)
  return Math.abs(edges[nearest]! - time) <= reach ? nearest : undefined
}

/** The requested number if the beats keep it, else the measured one. */
export function statedTempo(edges: Edges, requestedTempo: number): number {
  const measured = tempoOfBeats(edges.slice(0, -1))
  return measured === 0 || isNearShare(measured, requestedTempo, CORRECTED_GRID.sameTempo)
    ? requestedTempo
    : measured
}

function moveBeats(edges: Edges, anchor: number, material: Material): number[] {
  const last = edges.length - 2
  const anchorBeat = Math.min(last, Math.max(0, firstFrom(edges, anchor) - 1))
  const lengthOf = (i: number) => edges[i + 1]! - edges[i]!
  // Outside the beats, their pace continues.
  const share = ((((anchor - edges[anchorBeat]!) / lengthOf(anchorBeat)) % 1) + 1) % 1
  const times = edges.slice(0, -1).map((start, i) => {
    const time = start + share * lengthOf(i)
    return Math.abs(time - anchor) < 1e-6 ? anchor : exactTime(time)
  })
  const beatBefore = exactTime(times[0]! - lengthOf(0))
  const end = exactTime(times[last]! + lengthOf(last))
  return beatBefore >= 0 && supportAt(material, beatBefore).support > 0
    ? [beatBefore, ...times, end]
    : [...times, end]
}

/** None if there is neither sound nor an anchor. */
function trackNewBeats(material: Material, pace: number, anchor: number | undefined): number[] {
  const { onsets, strengths, document } = material
  const soundingOnsets = onsets.filter((_, i) => strengths[i]! > 0)
  if (soundingOnsets.length === 0 && anchor === undefined) return []
  const start = Math.min(soundingOnsets[0] ?? 0, anchor ?? Infinity)
  const end = Math.max(soundingOnsets.at(-1) ?? document.track.duration, anchor ?? 0)
  const times = trackBeats({ material, from: start, to: end, pace, anchor }).map(exactTime)
  return trimEdges([...times, exactTime(times.at(-1)! + pace)], document)
}

/** Ascending times; the last is one at which a beat may end. */
export function trimEdges(
  times: readonly number[],
  { track, segments }: AnalysisDocument,
): number[] {
  const edges = times.filter((time, i) => i === 0 || time > times[i - 1]!)
  const usualGap = medianOf(edges.slice(1).map((time, i) => time - edges[i]!))
  const trackEnd = exactTimeBefore(track.duration)
  // A segment begins after each beat, but for the last moments.
  const lastSound = segments.at(-1)?.start ?? trackEnd
  const mayEnd = (time: number) =>
    time <= lastSound || (time <= trackEnd && time > trackEnd - CORRECTED_GRID.lastMoments)
  const beyond = edges.findIndex((time, i) => i > 0 && !mayEnd(time))
  if (beyond > 0) {
    edges.length = beyond
    if (lastSound - edges.at(-1)! >= CORRECTED_GRID.leastOfLast * usualGap) edges.push(lastSound)
  }
  return edges.length > 1 ? edges : []
}

function isNearShare(value: number, reference: number, share: number): boolean {
  return Math.abs(value / reference - 1) <= share
}
