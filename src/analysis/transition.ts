import { edgesOf, nearestTo } from './correction/material.ts'
import { type Cue, type Cues, cues } from './cues/cues.ts'
import { type VoiceStretch, voicedShare } from './cues/voices.ts'
import type { AnalysisDocument } from './document.ts'
import { GRID_TOLERANCE } from './grid-markers.ts'
import { snapToGrid } from './gridded.ts'
import { type KeyRelation, keyRelation } from './key-relation.ts'
import { LOUDNESS } from './loudness-measures.ts'
import { polylineOf } from './polyline.ts'
import { medianOf } from './statistics.ts'

const TRANSITION = {
  /** The share by which a tempo may be changed, as in searches for tracks that mix. */
  tempo: 0.06,
  /** Lengths in bars, the preferred first. */
  lengths: [32, 16, 8, 4],
  /** The most bars of one whose outro and intro are not known, … */
  usual: 8,
  /** … and of one whose keys clash. */
  clashing: 4,
  /** Beats in which both may sing at once: breaths and reverberation. */
  sungBeats: 2,
  /** Keys that are less sure do not clash. */
  sureKey: 0.5,
} as const

/**
 * Why a transition is as it is. Of blends: the tempi match as they are, or one is the double or the
 * half of the other; the outro or intro set the length; a clash of keys made it short. Of cuts: one of
 * the two has no bars to mix by, or not enough; the tempi are too far apart; the bars have other
 * numbers of beats; or a tempo changes too much on the way. Of both: two would sing at once.
 */
export type TransitionReason =
  | 'tempo'
  | 'double-tempo'
  | 'half-tempo'
  | 'outro'
  | 'intro'
  | 'key-clash'
  | 'voices'
  | 'no-mix-out'
  | 'no-mix-in'
  | 'too-short'
  | 'tempo-differs'
  | 'bars-differ'
  | 'tempo-drifts'

/** A moment in each of two tracks, seconds of each. */
export interface Meeting {
  /** In the track that plays. */
  from: number
  /** In the track that comes. */
  to: number
}

/** Where someone sings in two tracks. */
export interface Voices {
  /** In the track that plays. */
  from?: readonly VoiceStretch[] | undefined
  /** In the track that comes. */
  to?: readonly VoiceStretch[] | undefined
}

/** How to go from one track to another. */
export interface Transition {
  /** `blend`: both play for some bars. `cut`: the second begins where the first ends. */
  kind: 'blend' | 'cut'
  /** Where it begins in the first track. */
  from: Cue
  /** Where the second track begins then. */
  to: Cue
  /** How long both play, in bars of the first track; 0 in a cut. */
  bars: number
  /** The mean speed of the second track in a blend, 1: as recorded. 0.94…1.06; 1 in a cut. */
  tempoRatio: number
  /** The key of the second track, seen from that of the first. Assumes that pitches are kept. */
  keyRelation: KeyRelation
  /** Decibels by which the second track is turned up, so that both are equally loud; may be negative. */
  gain: number
  /** What decided. */
  why: TransitionReason[]
  /** The beats that sound together, in order, with the moment after the last; empty in a cut. */
  beats: Meeting[]
  /**
   * How the second track is played so that they do: at `from` of the first track it is at `to`, and
   * between two points its speed is constant. It keeps every pair of `beats` within 10 ms. Empty in a
   * cut.
   */
  path: Meeting[]
}

/**
 * Plans the transition from one track to another: from the mix-out of the first, at a bar line, with
 * the mix-in of the second, for 4, 8, 16 or 32 bars, at most as long as the outro and the intro. It
 * follows the grids of both, and the beats as they are where the tempo drifts. Two tracks that do not fit are cut.
 *
 * @param from - the document of the track that plays
 * @param to - the document of the track that comes
 * @param voices - where someone sings in each, as `track.sounds()` tells it: then no two sing at once
 * @throws {ParameterError} when a part that is needed is missing in a document
 *
 * @example
 * ```ts
 * import { transition } from 'audile/analysis'
 *
 * const next = (await music.tracks.search({ mixesWith: track })).tracks[0]
 * if (next) {
 *   const { kind, from, to, bars, tempoRatio } = transition(await track.analysis(), await next.analysis())
 *   console.log(`${kind} at ${from.time} s to ${to.time} s, ${bars} bars, speed ${tempoRatio}`)
 * }
 * ```
 */
export function transition(
  from: AnalysisDocument,
  to: AnalysisDocument,
  voices: Voices = {},
): Transition {
  const [a, b] = [snapToGrid(from), snapToGrid(to)]
  const [one, other] = [cues(a, voices.from), cues(b)]
  const relation = keyRelation(a.track, b.track)
  const clashes = relation === 'clash' && isSure(a.track) && isSure(b.track)
  const common = { keyRelation: relation, gain: gainOf(a.track.loudness, b.track.loudness) }
  const cut = (why: TransitionReason): Transition => ({
    kind: 'cut',
    from: lastOf(a, one),
    to: firstOf(other),
    bars: 0,
    tempoRatio: 1,
    ...common,
    why: [why],
    beats: [],
    path: [],
  })
  const { mixOut } = one
  const { mixIn } = other
  if (mixOut?.bar == null) return cut('no-mix-out')
  if (mixIn?.bar == null) return cut('no-mix-in')
  const times = timesOf(a, b, mixOut.bar, mixIn.bar)
  if (times === undefined) return cut('tempo-differs')

  const outro = one.outroStart?.bar === mixOut.bar ? barsTo(a, one) - mixOut.bar : undefined
  const intro = other.introEnd ? (other.introEnd.bar! - mixIn.bar) / times : undefined
  const most = intro ?? outro ?? TRANSITION.usual
  const longest = clashes ? Math.min(most, TRANSITION.clashing) : most
  const room = Math.min(
    longest,
    barsTo(a, one) - mixOut.bar,
    (barsTo(b, other) - mixIn.bar) / times,
  )
  let refused: TransitionReason = 'too-short'
  for (const bars of TRANSITION.lengths.filter((length) => length <= room)) {
    const found = joined(a, b, { from: mixOut.bar, to: mixIn.bar, bars, times })
    if (typeof found === 'string') {
      refused = found
      continue
    }
    if (sungTogether(found.beats, voices) > TRANSITION.sungBeats) {
      refused = 'voices'
      continue
    }
    const why: TransitionReason[] = [TEMPI[times]]
    if (outro !== undefined && outro <= (intro ?? outro)) why.push('outro')
    if (intro !== undefined && intro <= (outro ?? intro)) why.push('intro')
    if (clashes) why.push('key-clash')
    if (refused === 'voices') why.push('voices')
    return { kind: 'blend', from: mixOut, to: mixIn, bars, ...found, ...common, why }
  }
  return cut(refused)
}

/** The beats in which someone sings in both tracks. */
function sungTogether(beats: readonly Meeting[], { from = [], to = [] }: Voices): number {
  const isSung = (voices: readonly VoiceStretch[], start: number, end: number) =>
    voicedShare(voices, start, end) > 0.5
  return beats.filter((beat, i) => {
    const next = beats[i + 1]
    return next && isSung(from, beat.from, next.from) && isSung(to, beat.to, next.to)
  }).length
}

/** Beats of the second track for each of the first. */
type Times = 1 | 2 | 0.5

const TEMPI = { 1: 'tempo', 2: 'double-tempo', 0.5: 'half-tempo' } as const

/** By how many beats of the second track each of the first is met; `undefined`: by none. */
function timesOf(
  a: AnalysisDocument,
  b: AnalysisDocument,
  from: number,
  to: number,
): Times | undefined {
  const ratio = beatNear(b, to) / beatNear(a, from)
  return ([1, 2, 0.5] as const).find((times) => isNear(times * ratio))
}

/** The usual length of the beats in bars from one on, seconds. */
function beatNear({ bars, beats }: AnalysisDocument, from: number): number {
  const start = bars[from]!.start
  const end = bars[from + TRANSITION.usual]?.start ?? Infinity
  const near = beats.filter((beat) => beat.start >= start && beat.start < end)
  return medianOf(near.map(({ duration }) => duration))
}

function isNear(speed: number): boolean {
  return Math.abs(speed - 1) <= TRANSITION.tempo
}

/** The beats of two stretches that sound together, or why they cannot. */
function joined(
  a: AnalysisDocument,
  b: AnalysisDocument,
  { from, to, bars, times }: { from: number; to: number; bars: number; times: Times },
): Pick<Transition, 'beats' | 'path' | 'tempoRatio'> | 'bars-differ' | 'tempo-drifts' {
  const own = beatsOfBars(a, from, bars)
  const met = beatsOfBars(b, to, bars * times)
  const sameBars =
    times === 1
      ? own.sizes.every((size, i) => size === met.sizes[i])
      : new Set([...own.sizes, ...met.sizes]).size === 1
  if (!sameBars || (own.times.length - 1) * times !== met.times.length - 1) return 'bars-differ'
  const step = times === 0.5 ? 2 : 1
  const beats = own.times
    .filter((_, i) => i % step === 0)
    .map((time, i) => ({ from: time, to: met.times[i * step * times]! }))
  const x = beats.map((pair) => pair.from)
  const y = beats.map((pair) => pair.to)
  const pieces = polylineOf({ x, y, tolerance: GRID_TOLERANCE })
  if (!pieces.every(({ slope }) => isNear(slope))) return 'tempo-drifts'
  const last = pieces.at(-1)!
  const end = last.value + last.slope * (x[last.to]! - x[last.at]!)
  const path = [...pieces.map(({ at, value }) => ({ from: x[at]!, to: value }))]
  path.push({ from: x.at(-1)!, to: end })
  return { beats, path, tempoRatio: (end - path[0]!.to) / (x.at(-1)! - x[0]!) }
}

/** The starts of the beats in some bars, with the end of the last, and the beats in each bar. */
function beatsOfBars(
  { bars, beats }: AnalysisDocument,
  from: number,
  count: number,
): { times: number[]; sizes: number[] } {
  const inside = bars.slice(from, from + count).map(({ start, duration }) =>
    // Documents of other analysers are rounded.
    beats.filter((beat) => beat.start > start - 0.01 && beat.start < start + duration - 0.01),
  )
  const last = bars[from + count - 1]
  const starts = inside.flat().map(({ start }) => start)
  return {
    times: last ? [...starts, last.start + last.duration] : starts,
    sizes: inside.map((bar) => bar.length),
  }
}

/** The bar after the last that sounds, for half of it at least. */
function barsTo({ bars }: AnalysisDocument, { end }: Cues): number {
  return Math.max(0, nearestTo(edgesOf(bars), end?.time ?? 0))
}

function lastOf({ track }: AnalysisDocument, { end }: Cues): Cue {
  return end ?? { time: track.duration, bar: null, confidence: 0 }
}

function firstOf({ start }: Cues): Cue {
  return start ?? { time: 0, bar: null, confidence: 0 }
}

type Keyed = Pick<AnalysisDocument['track'], 'key' | 'mode' | 'key_confidence'>

function isSure({ key_confidence }: Keyed): boolean {
  return key_confidence >= TRANSITION.sureKey
}

/** 0 where a track has no loudness. */
function gainOf(from: number | null, to: number | null): number {
  const isKnown = (loudness: number | null) => loudness !== null && loudness > LOUDNESS.floor
  return isKnown(from) && isKnown(to) ? Number(from) - Number(to) : 0
}
