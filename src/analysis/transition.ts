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
  /** The most bars where neither outro nor intro is known. */
  usual: 8,
  /** The most bars where keys clash. */
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
 * Plans the transition from one track to another. The mix-in of the second meets the mix-out of the
 * first at a bar line. Both play for 4, 8, 16 or 32 bars, at most as long as the outro and the intro.
 * The beats of both meet: those of the grid, or where the tempo drifts, those that were heard. Two
 * tracks that do not fit are cut.
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
  const [first, second] = [snapToGrid(from), snapToGrid(to)]
  const [cuesOfFirst, cuesOfSecond] = [cues(first, voices.from), cues(second)]
  const relation = keyRelation(first.track, second.track)
  const clashes = relation === 'clash' && isSure(first.track) && isSure(second.track)
  const common = {
    keyRelation: relation,
    gain: matchingGain(first.track.loudness, second.track.loudness),
  }
  const cutFor = (why: TransitionReason): Transition => ({
    kind: 'cut',
    from: endCue(first, cuesOfFirst),
    to: startCue(cuesOfSecond),
    bars: 0,
    tempoRatio: 1,
    ...common,
    why: [why],
    beats: [],
    path: [],
  })
  const { mixOut } = cuesOfFirst
  const { mixIn } = cuesOfSecond
  if (mixOut?.bar == null) return cutFor('no-mix-out')
  if (mixIn?.bar == null) return cutFor('no-mix-in')
  const beatRatio = beatRatioOf(first, second, mixOut.bar, mixIn.bar)
  if (beatRatio === undefined) return cutFor('tempo-differs')

  const outro =
    cuesOfFirst.outroStart?.bar === mixOut.bar
      ? endBarOf(first, cuesOfFirst) - mixOut.bar
      : undefined
  const intro = cuesOfSecond.introEnd
    ? (cuesOfSecond.introEnd.bar! - mixIn.bar) / beatRatio
    : undefined
  const longestKnown = intro ?? outro ?? TRANSITION.usual
  const longest = clashes ? Math.min(longestKnown, TRANSITION.clashing) : longestKnown
  const availableBars = Math.min(
    longest,
    endBarOf(first, cuesOfFirst) - mixOut.bar,
    (endBarOf(second, cuesOfSecond) - mixIn.bar) / beatRatio,
  )
  let refusal: TransitionReason = 'too-short'
  for (const bars of TRANSITION.lengths.filter((length) => length <= availableBars)) {
    const blend = joinBeats(first, second, {
      from: mixOut.bar,
      to: mixIn.bar,
      bars,
      times: beatRatio,
    })
    if (typeof blend === 'string') {
      refusal = blend
      continue
    }
    if (sungTogether(blend.beats, voices) > TRANSITION.sungBeats) {
      refusal = 'voices'
      continue
    }
    const why: TransitionReason[] = [TEMPI[beatRatio]]
    if (outro !== undefined && outro <= (intro ?? outro)) why.push('outro')
    if (intro !== undefined && intro <= (outro ?? intro)) why.push('intro')
    if (clashes) why.push('key-clash')
    if (refusal === 'voices') why.push('voices')
    return { kind: 'blend', from: mixOut, to: mixIn, bars, ...blend, ...common, why }
  }
  return cutFor(refusal)
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
type BeatRatio = 1 | 2 | 0.5

const TEMPI = { 1: 'tempo', 2: 'double-tempo', 0.5: 'half-tempo' } as const

/** `undefined` where the tempi are too far apart. */
function beatRatioOf(
  a: AnalysisDocument,
  b: AnalysisDocument,
  firstBar: number,
  secondBar: number,
): BeatRatio | undefined {
  const ratio = beatLengthFrom(b, secondBar) / beatLengthFrom(a, firstBar)
  return ([1, 2, 0.5] as const).find((candidate) => isPlayableSpeed(candidate * ratio))
}

/** The median of the next bars, seconds. */
function beatLengthFrom({ bars, beats }: AnalysisDocument, firstBar: number): number {
  const start = bars[firstBar]!.start
  const end = bars[firstBar + TRANSITION.usual]?.start ?? Infinity
  const nearBeats = beats.filter((beat) => beat.start >= start && beat.start < end)
  return medianOf(nearBeats.map(({ duration }) => duration))
}

function isPlayableSpeed(speed: number): boolean {
  return Math.abs(speed - 1) <= TRANSITION.tempo
}

/** The beats that sound together, or why they cannot. */
function joinBeats(
  a: AnalysisDocument,
  b: AnalysisDocument,
  {
    from,
    to,
    bars,
    times: beatRatio,
  }: { from: number; to: number; bars: number; times: BeatRatio },
): Pick<Transition, 'beats' | 'path' | 'tempoRatio'> | 'bars-differ' | 'tempo-drifts' {
  const firstBeats = beatsOfBars(a, from, bars)
  const secondBeats = beatsOfBars(b, to, bars * beatRatio)
  const sameBars =
    beatRatio === 1
      ? firstBeats.sizes.every((size, i) => size === secondBeats.sizes[i])
      : new Set([...firstBeats.sizes, ...secondBeats.sizes]).size === 1
  if (!sameBars || (firstBeats.times.length - 1) * beatRatio !== secondBeats.times.length - 1)
    return 'bars-differ'
  const step = beatRatio === 0.5 ? 2 : 1
  const beats = firstBeats.times
    .filter((_, i) => i % step === 0)
    .map((time, i) => ({ from: time, to: secondBeats.times[i * step * beatRatio]! }))
  const x = beats.map((pair) => pair.from)
  const y = beats.map((pair) => pair.to)
  const pieces = polylineOf({ x, y, tolerance: GRID_TOLERANCE })
  if (!pieces.every(({ slope }) => isPlayableSpeed(slope))) return 'tempo-drifts'
  const last = pieces.at(-1)!
  const end = last.value + last.slope * (x[last.to]! - x[last.at]!)
  const path = [...pieces.map(({ at, value }) => ({ from: x[at]!, to: value }))]
  path.push({ from: x.at(-1)!, to: end })
  return { beats, path, tempoRatio: (end - path[0]!.to) / (x.at(-1)! - x[0]!) }
}

/** With the end of the last beat, and the number of beats in each bar. */
function beatsOfBars(
  { bars, beats }: AnalysisDocument,
  firstBar: number,
  count: number,
): { times: number[]; sizes: number[] } {
  const beatsOfEachBar = bars.slice(firstBar, firstBar + count).map(({ start, duration }) =>
    // Documents of other analysers are rounded.
    beats.filter((beat) => beat.start > start - 0.01 && beat.start < start + duration - 0.01),
  )
  const last = bars[firstBar + count - 1]
  const starts = beatsOfEachBar.flat().map(({ start }) => start)
  return {
    times: last ? [...starts, last.start + last.duration] : starts,
    sizes: beatsOfEachBar.map((bar) => bar.length),
  }
}

/** The bar after the last that sounds, for half of it at least. */
function endBarOf({ bars }: AnalysisDocument, { end }: Cues): number {
  return Math.max(0, nearestTo(edgesOf(bars), end?.time ?? 0))
}

function endCue({ track }: AnalysisDocument, { end }: Cues): Cue {
  return end ?? { time: track.duration, bar: null, confidence: 0 }
}

function startCue({ start }: Cues): Cue {
  return start ?? { time: 0, bar: null, confidence: 0 }
}

type ConfidentKey = Pick<AnalysisDocument['track'], 'key' | 'mode' | 'key_confidence'>

function isSure({ key_confidence }: ConfidentKey): boolean {
  return key_confidence >= TRANSITION.sureKey
}

/** 0 where a track has no loudness. */
function matchingGain(firstLoudness: number | null, secondLoudness: number | null): number {
  const isKnown = (loudness: number | null) => loudness !== null && loudness > LOUDNESS.floor
  return isKnown(firstLoudness) && isKnown(secondLoudness)
    ? Number(firstLoudness) - Number(secondLoudness)
    : 0
}
