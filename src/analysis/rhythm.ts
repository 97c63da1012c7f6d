import { Network, SCORES } from './activation/network.ts'
import { ACTIVATION } from './activation/network-weights.ts'
import { type BarEvidence, downbeatGains, downbeatOdds, weighted } from './bar-phase.ts'
import type { Chroma } from './chroma.ts'
import { between, exactTime, exactTimeBefore, type Interval } from './intervals.ts'
import { type RhythmSpectrum, SPECTRUM } from './novelty.ts'
import {
  beatOdds,
  LEAST,
  levelLead,
  meanOf,
  NOISE,
  phaseLeads,
  RHYTHM_CONFIDENCE,
} from './rhythm-confidence.ts'
import { smoothedTimes } from './smoothed-times.ts'
import { type Activations, type BarPath, viterbiPaths } from './state-space.ts'
import { logistic } from './statistics.ts'
import { paceAtEnd, steadiness, tempoOfBeats } from './tempo.ts'

const RHYTHM = {
  /** Beats in a bar, grouped as paths are found together; bars of two are written in pairs. */
  metres: [[2, 6], [3, 5], [4], [7]],
  /** Nats by which a beat in bars of five, six or seven is less likely than one in bars of three or four. */
  unusual: 0.5,
  /** Frames on either side of a beat's frame that are searched for its exact place. */
  near: 2,
  /** Cost of a change in beat length, relative to moving a sure beat by as much. */
  smoothing: 0.3,
  /** The last beat is left out if the end of the track cuts it shorter than this share of a beat. */
  leastOfLast: 0.5,
  /** With fewer beats there is no rhythm. */
  fewest: 3,
}

/** The features in which a rhythm is found. */
export interface Listened {
  spectrum: RhythmSpectrum
  chroma: Chroma
}

export interface Rhythm {
  /** Gap-free: each starts exactly where the one before ends. */
  beats: Interval[]
  /**
   * Gap-free, each of `timeSignature` beats. Beats before the first downbeat (a pickup) and after the
   * last whole bar belong to no bar.
   */
  bars: Interval[]
  /** BPM; 0 when there are no beats. */
  tempo: number
  tempoConfidence: number
  /** 3 to 7; music in bars of two beats is written in bars of four. */
  timeSignature: number
  timeSignatureConfidence: number
}

const NONE: Rhythm = {
  beats: [],
  bars: [],
  tempo: 0,
  tempoConfidence: 0,
  timeSignature: 4,
  timeSignatureConfidence: 0,
}

let network: Network | undefined

/**
 * The beats, bars, tempo and metre of a track. The network computes activations of a beat and of a
 * downbeat for each frame. The Viterbi path in each metre's state space gives its likeliest bars.
 * The likeliest metre wins; downbeats and changes of harmony decide its phase. Each beat is then
 * placed between frames, by the activations near it.
 *
 * Tracks only from the first to the last sound, because a tracker goes on counting in silence. It
 * does so in a sustained tone too: if no beat is heard at all, there is no rhythm. The last beat
 * has the length of the tempo there, but does not pass the end of the track.
 *
 * @param duration  of the track, in seconds
 * @param sound  the part that is not silent, in seconds
 */
export function trackRhythm(
  music: Listened,
  duration: number,
  sound: { start: number; end: number } = { start: 0, end: duration },
): Rhythm {
  network ??= new Network(ACTIVATION.form, ACTIVATION.weights)
  const found = findRhythm(music, { duration, sound, network })
  if (found === undefined) return NONE
  const { starts, edges, bars, metre, sureness } = found
  const { tempo: ofTempo, beat, bar, metre: ofMetre } = RHYTHM_CONFIDENCE
  if (sureness.beats.every((odds) => odds <= NOISE)) return NONE
  const ofBeats = sureness.beats.map((odds) => logistic(odds, beat))
  const tempo = tempoOfBeats(starts, ofBeats)
  return {
    beats: between(edges, (i) => ofBeats[i]!),
    bars: between(bars, (i) => logistic(sureness.bars[i]!, bar)),
    tempo,
    // Noise can lead to one tempo too, and music can have two: no tempo is surer than its beats,
    // nor than the share of beats that keep it.
    tempoConfidence: Math.min(
      logistic(sureness.tempo, ofTempo),
      meanOf(ofBeats),
      steadiness(starts, tempo),
    ),
    timeSignature: metre,
    timeSignatureConfidence: logistic(sureness.metre, ofMetre),
  }
}

/** A rhythm, and by how much it is likelier than others: in nats, bars in their cube roots. */
interface Found {
  /** When beats begin, in seconds. */
  starts: number[]
  /** The starts and the end of the last beat; `bars` likewise. */
  edges: number[]
  bars: number[]
  /** Beats in a bar. */
  metre: number
  sureness: { tempo: number; metre: number; beats: number[]; bars: number[] }
}

/** `undefined` if there is no sound or there are too few beats. */
export function findRhythm(
  { spectrum, chroma }: Listened,
  {
    duration,
    sound,
    network,
  }: { duration: number; sound: { start: number; end: number }; network: Network },
): Found | undefined {
  const { fps } = spectrum
  const first = Math.max(0, Math.floor(sound.start * fps))
  const last = Math.min(spectrum.frames, Math.ceil(sound.end * fps))
  const excerpt = excerptOf(spectrum, first, last)
  if (excerpt.levels.every((level) => level === 0)) return undefined
  const activations = activationsOf(excerpt, network)
  const evidence = { activations, chroma: weighted(chroma), first }
  const { path, metre, gains, lead } = likeliestBars(evidence)
  const { frames, places } = path
  if (frames.length < RHYTHM.fewest) return undefined
  const times = beatTimes(frames, evidence)
  const skipped = times.findIndex((time) => time >= 0)
  const starts = times.slice(skipped).filter((time) => time <= duration)
  if (starts.length < RHYTHM.fewest) return undefined
  const edges = [...starts, ...endOfLast(starts, duration)]
  if (edges.length <= RHYTHM.fewest) return undefined
  const phase = places.subarray(skipped).indexOf(0)
  const count = phase < 0 ? 0 : Math.floor((edges.length - 1 - phase) / metre)
  const firsts = Array.from({ length: count > 0 ? count + 1 : 0 }, (_, bar) => phase + bar * metre)
  const leads = phaseLeads(gains, places[0]!, metre)
  return {
    // A beat that the end of the track cuts short only ends the one before; its place is uncertain.
    starts: edges.slice(0, -1),
    edges,
    bars: firsts.map((i) => edges[i]!),
    metre,
    sureness: {
      tempo: levelLead(frames, activations),
      metre: lead,
      beats: beatOdds(frames, activations).slice(skipped),
      bars: firsts.map((i) => leads[skipped + i] ?? 0),
    },
  }
}

function excerptOf(spectrum: RhythmSpectrum, first: number, last: number): RhythmSpectrum {
  const { fps, bands, levels } = spectrum
  const frames = Math.max(0, last - first)
  return { fps, frames, bands, levels: levels.subarray(first * bands, (first + frames) * bands) }
}

/** The activations that a network gives to each frame. */
function activationsOf(spectrum: RhythmSpectrum, network: Network): Activations {
  const { fps, frames } = spectrum
  const scores = network.hear(spectrum)
  const over = (kind: number) =>
    Float32Array.from({ length: frames }, (_, frame) => {
      const at = frame * SCORES.count
      return Math.max(LEAST, scores[at + kind]! - scores[at + SCORES.none]!)
    })
  return { fps, beat: over(SCORES.beat), down: over(SCORES.down) }
}

/** Bars of one metre, in their likeliest phase. */
interface Bars {
  /** Beats in a bar. */
  metre: number
  path: BarPath
  /** For each beat, the nats by which it is likelier a downbeat than another beat. */
  gains: Float64Array
}

/** The likeliest bars of all metres, and the nats by which they lead over those of other metres. */
export function likeliestBars(evidence: BarEvidence): Bars & { lead: number } {
  const ranked = RHYTHM.metres
    .flatMap((metres) =>
      viterbiPaths(evidence.activations, metres).map((path, i) =>
        inPhase(path, metres[i]!, evidence),
      ),
    )
    .sort((a, b) => b.path.score - a.path.score)
  const best = ranked[0]!
  const next = ranked.find(({ metre }) => metre !== best.metre)!
  return { ...best, lead: best.path.score - next.path.score }
}

/** The same beats, in bars of the likeliest phase. */
function inPhase({ frames, places, score }: BarPath, beats: number, evidence: BarEvidence): Bars {
  const metre = beats === 2 ? 4 : beats
  const gains = downbeatGains(frames, evidence)
  const sums = new Float64Array(metre)
  let counted = RHYTHM.unusual * (metre > 4 ? frames.length : 0)
  gains.forEach((gain, i) => {
    sums[i % metre]! += gain
    if (places[i] === 0) counted += downbeatOdds(frames[i]!, evidence.activations)
  })
  const first = sums.indexOf(Math.max(...sums))
  let gained = 0
  for (let i = first % beats; i < metre; i += beats) gained += sums[i]!
  const path = {
    frames,
    places: places.map((_, i) => (i - first + metre) % metre),
    score: score + gained - counted,
  }
  return { metre, path, gains }
}

/** The starts of a path's beats, in seconds of the track; unsure beats are spaced more evenly. */
function beatTimes(frames: Int32Array, { activations, first }: BarEvidence): number[] {
  const places = Array.from(frames, (frame) => placeOf(activations, frame))
  const even = smoothedTimes(
    places.map(({ place }) => place),
    places.map(({ chance }) => chance),
    RHYTHM.smoothing,
  )
  return even.map((place) => exactTime((first + place) / activations.fps + SPECTRUM.late))
}

/** The likeliest place of a beat near its frame, and the highest probability there. */
function placeOf({ beat, down }: Activations, frame: number): { place: number; chance: number } {
  let sum = 0
  let weights = 0
  let highest = 0
  for (let step = -RHYTHM.near; step <= RHYTHM.near; step++) {
    const odds = Math.max(beat[frame + step] ?? LEAST, down[frame + step] ?? LEAST)
    const chance = logistic(odds)
    sum += step * chance
    weights += chance
    highest = Math.max(highest, chance)
  }
  return { place: frame + sum / weights, chance: highest }
}

/** The end of the last beat; none if the track ends too early: its start is then only an end. */
function endOfLast(starts: readonly number[], duration: number): [] | [number] {
  const pace = paceAtEnd(starts)
  const last = starts.at(-1)!
  const end = Math.min(exactTime(last + pace), exactTimeBefore(duration))
  return end - last < RHYTHM.leastOfLast * pace ? [] : [end]
}
