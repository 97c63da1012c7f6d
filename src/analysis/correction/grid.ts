import { firstFrom } from '../../audio/samples.ts'
import type { AnalysisDocument } from '../document.ts'
import { exactTime, exactTimeBefore } from '../intervals.ts'
import { medianOf } from '../statistics.ts'
import { tempoOfBeats } from '../tempo.ts'
import { type Edges, type Material, nearestTo, supportAt } from './material.ts'
import { RATIOS, type Ratio, regrouped } from './regrouping.ts'
import { tracked } from './tracking.ts'

const GRID = {
  /** Tempi that differ by at most this share are the same. */
  sameTempo: 0.01,
  /** A number this near to a simple ratio of the tempo means the ratio: people round what they tap. */
  sameRatio: 0.025,
  /** Newly tracked beats are used instead if onsets support them this much more, on average. */
  lead: 0.2,
  /** A moment means the nearest beat within so many seconds, or this share of a beat. */
  near: 0.07,
  nearShare: 0.2,
  /** The shortest last beat, as a share of the usual one. */
  leastOfLast: 0.5,
  /** The usual change between beats that people play, as a share of one; more is chance. */
  played: 0.04,
  /** Phases of even beats that are compared: 10 ms apart at 120 BPM. */
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

/** The beats of a document, corrected. */
export interface Grid {
  edges: Edges
  /** Their ratio to the document's beats; 1 if they were newly tracked. */
  ratio: Ratio
}

/** Beats at a tempo: those of the document in a simple ratio, else newly tracked ones. */
export function gridAt(material: Material, tempo: number, downbeat?: number): Grid {
  const { edges, document } = material
  const present = document.track.tempo
  const factor = present > 0 ? tempo / present : 0
  if (isNear(factor, 1, GRID.sameTempo)) return { edges, ratio: [1, 1] }
  const other = (): Grid => ({ edges: anew(material, 60 / tempo, downbeat), ratio: [1, 1] })
  const ratio = RATIOS.find(([parts, of]) => isNear(factor, parts / of, GRID.sameRatio))
  if (!ratio || document.beats.length < 2 * ratio[1]) return other()
  const anchor = downbeat === undefined ? undefined : nearBeat(edges, downbeat)
  const near: Grid = { edges: ended(regrouped(material, ratio, anchor), document), ratio }
  const [parts, of] = ratio
  // A tempo that is wrong may be near any of these by chance; an octave is the usual mistake.
  if (parts * of === 2 || isNear(factor, parts / of, GRID.sameTempo)) return near
  const far = other()
  return supportOf(far, material) > supportOf(near, material) + GRID.lead ? far : near
}

/**
 * Beats of the tempo that was asked for: those that were found within 1 % of it, as people play, or in a
 * simple ratio that onsets support better; else even ones in the phase of most onsets.
 */
export function gridAsAsked(
  material: Material,
  near: Grid,
  tempo: number,
  downbeat: number | undefined,
): Grid {
  const starts = near.edges.slice(0, -1)
  const measured = tempoOfBeats(starts)
  if (measured === 0) return near
  const isAnew = near.edges !== material.edges && near.ratio[0] === near.ratio[1]
  const isPlayed = !isAnew || unevennessOf(starts) <= GRID.played
  if (isPlayed && isNear(measured, tempo, GRID.sameTempo)) return near
  const even: Grid = { edges: evenly(material, near.edges, 60 / tempo, downbeat), ratio: [1, 1] }
  const [parts, of] = near.ratio
  const isRatio = parts !== of && isNear(measured, tempo, GRID.sameRatio)
  return isRatio && supportOf(near, material) > supportOf(even, material) ? near : even
}

/** The usual change from one beat to the next, as a share of a beat. */
function unevennessOf(starts: readonly number[]): number {
  const gaps = starts.slice(1).map((start, i) => start - starts[i]!)
  const changes = gaps.slice(1).map((gap, i) => Math.abs(gap - gaps[i]!))
  return medianOf(changes) / medianOf(gaps)
}

/** Even beats between the ends of others, in the phase of most onsets or through an anchor. */
function evenly(
  material: Material,
  edges: Edges,
  period: number,
  anchor: number | undefined,
): number[] {
  const [from, to] = [edges[0]!, edges.at(-1)!]
  const beatsAt = (phase: number) => {
    const first = from + ((((phase - from) % period) + period) % period)
    const count = Math.max(1, Math.floor((to - first) / period + GRID.leastOfLast))
    return Array.from({ length: count }, (_, i) => exactTime(first + i * period))
  }
  const supportAtPhase = (phase: number) =>
    beatsAt(phase).reduce((sum, beat) => sum + supportAt(material, beat).support, 0)
  const phases = Array.from({ length: GRID.phases }, (_, i) => from + (i * period) / GRID.phases)
  const supports = phases.map(supportAtPhase)
  const phase = anchor ?? phases[supports.indexOf(Math.max(...supports))]!
  const times = beatsAt(phase)
  return ended([...times, exactTime(times.at(-1)! + period)], material.document)
}

/** How far onsets support the beats, 0…1. */
function supportOf({ edges }: Grid, material: Material): number {
  const beats = edges.slice(0, -1)
  const support = beats.reduce((sum, beat) => sum + supportAt(material, beat).support, 0)
  return support / Math.max(1, beats.length)
}

/**
 * The multiple of the document's tempo inside a range whose beats fall on the strongest onsets.
 * `undefined` where the tempo is inside, or no multiple is.
 */
export function tempoWithin(
  material: Material,
  [low, high]: readonly [low: number, high: number],
): number | undefined {
  const { tempo } = material.document.track
  if (tempo >= low && tempo <= high) return undefined
  let best: number | undefined
  let most = -Infinity
  for (const [factor, odds] of MULTIPLES) {
    const multiple = factor * tempo
    if (multiple < low || multiple > high) continue
    const score = odds + supportOf(gridAt(material, multiple), material)
    if (score <= most) continue
    most = score
    best = multiple
  }
  return best
}

/**
 * Beats with one at the downbeat. If none is near it, all move by the same share of a beat, because
 * their spacing is right. If there are no beats, they are tracked at the tempo.
 */
export function gridThrough(material: Material, grid: Grid, downbeat: number, tempo: number): Grid {
  const { edges, ratio } = grid
  if (nearBeat(edges, downbeat) !== undefined) return grid
  if (edges.length > 0)
    return { edges: ended(moved(edges, downbeat, material), material.document), ratio }
  return tempo > 0 ? { edges: anew(material, 60 / tempo, downbeat), ratio } : grid
}

/** The beat that a moment means, by its index. */
export function nearBeat(edges: Edges, time: number): number | undefined {
  if (edges.length < 2) return undefined
  const at = Math.min(edges.length - 2, nearestTo(edges, time))
  const length = edges[at + 1]! - edges[at]!
  const reach = Math.max(GRID.near, GRID.nearShare * length)
  return Math.abs(edges[at]! - time) <= reach ? at : undefined
}

/** The tempo of corrected beats: the given number if they keep it, else the measured one. */
export function toldTempo(edges: Edges, given: number): number {
  const measured = tempoOfBeats(edges.slice(0, -1))
  return measured === 0 || isNear(measured, given, GRID.sameTempo) ? given : measured
}

/** Beats moved so that one of them is at the anchor. */
function moved(edges: Edges, anchor: number, material: Material): number[] {
  const last = edges.length - 2
  const at = Math.min(last, Math.max(0, firstFrom(edges, anchor) - 1))
  const lengthOf = (i: number) => edges[i + 1]! - edges[i]!
  // Outside the beats, their pace continues.
  const share = ((((anchor - edges[at]!) / lengthOf(at)) % 1) + 1) % 1
  const times = edges.slice(0, -1).map((start, i) => {
    const time = start + share * lengthOf(i)
    return Math.abs(time - anchor) < 1e-6 ? anchor : exactTime(time)
  })
  const before = exactTime(times[0]! - lengthOf(0))
  const end = exactTime(times[last]! + lengthOf(last))
  return before >= 0 && supportAt(material, before).support > 0
    ? [before, ...times, end]
    : [...times, end]
}

/** Newly tracked beats where there is sound; none if there is neither sound nor an anchor. */
function anew(material: Material, pace: number, anchor: number | undefined): number[] {
  const { onsets, strengths, document } = material
  const heard = onsets.filter((_, i) => strengths[i]! > 0)
  if (heard.length === 0 && anchor === undefined) return []
  const from = Math.min(heard[0] ?? 0, anchor ?? Infinity)
  const to = Math.max(heard.at(-1) ?? document.track.duration, anchor ?? 0)
  const times = tracked({ material, from, to, pace, anchor }).map(exactTime)
  return ended([...times, exactTime(times.at(-1)! + pace)], document)
}

/** Ascending times; the last is one at which a beat may end. */
export function ended(times: readonly number[], { track, segments }: AnalysisDocument): number[] {
  const edges = times.filter((time, i) => i === 0 || time > times[i - 1]!)
  const usual = medianOf(edges.slice(1).map((time, i) => time - edges[i]!))
  const whole = exactTimeBefore(track.duration)
  // A segment begins after each beat, but for the last moments.
  const heard = segments.at(-1)?.start ?? whole
  const mayEnd = (time: number) =>
    time <= heard || (time <= whole && time > whole - GRID.lastMoments)
  const beyond = edges.findIndex((time, i) => i > 0 && !mayEnd(time))
  if (beyond > 0) {
    edges.length = beyond
    if (heard - edges.at(-1)! >= GRID.leastOfLast * usual) edges.push(heard)
  }
  return edges.length > 1 ? edges : []
}

function isNear(value: number, to: number, share: number): boolean {
  return Math.abs(value / to - 1) <= share
}
