import { Network, SCORES } from './activation/network.ts'
import { ACTIVATION } from './activation/network-weights.ts'
import { type BarEvidence, downbeatGains, downbeatOdds, weighted } from './bar-phase.ts'
import { beatTimes, endOfLast } from './beat-times.ts'
import type { Chroma } from './chroma.ts'
import type { Interval } from './intervals.ts'
import type { Sounding } from './levels.ts'
import type { RhythmSpectrum } from './novelty.ts'
import {
  beatOdds,
  LEAST,
  levelLead,
  meanOf,
  NOISE,
  phaseLeads,
  RHYTHM_CONFIDENCE,
} from './rhythm-confidence.ts'
import { partsBetween, pausesIn } from './rhythm-parts.ts'
import { type Activations, type BarPath, viterbiPaths } from './state-space.ts'
import { type Logit, logistic } from './statistics.ts'
import { steadiness, tempoOfBeats } from './tempo.ts'

const RHYTHM = {
  /** Beats in a bar, grouped as paths are found together; bars of two are written in pairs. */
  metres: [[2, 6], [3, 5], [4], [7]],
  /** Nats by which a beat in bars of five, six or seven is less likely than one in bars of three or four. */
  unusual: 0.5,
  /** With fewer beats there is no rhythm. */
  fewest: 3,
}

/** The features in which a rhythm is found. */
export interface Listened {
  spectrum: RhythmSpectrum
  chroma: Chroma
}

export interface Rhythm {
  /** Each starts exactly where the one before ends, but for pauses. */
  beats: Interval[]
  /**
   * Likewise, each of `timeSignature` beats. Beats before the first downbeat (a pickup) and after the
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
 * does so in a sustained tone too: if no beat is heard at all, there is no rhythm. In a long pause there
 * is none either, and the beats after it start anew. The last beat has the length of the tempo there,
 * but does not pass the end of the track.
 *
 * @param duration  of the track, in seconds
 */
export function trackRhythm(
  music: Listened,
  duration: number,
  sound: Sounding = { start: 0, end: duration },
): Rhythm {
  network ??= new Network(ACTIVATION.form, ACTIVATION.weights)
  const found = findRhythm(music, { duration, sound, network })
  if (found === undefined) return NONE
  const { beats, bars, metre, sureness } = found
  const { tempo: ofTempo, beat, bar, metre: ofMetre } = RHYTHM_CONFIDENCE
  if (beats.every(({ nats }) => nats <= NOISE)) return NONE
  const sure = (list: readonly Timed[], logit: Logit): Interval[] =>
    list.map(({ start, duration, nats }) => ({
      start,
      duration,
      confidence: logistic(nats, logit),
    }))
  const sureBeats = sure(beats, beat)
  const starts = beats.map(({ start }) => start)
  const ofBeats = sureBeats.map(({ confidence }) => confidence)
  const tempo = tempoOfBeats(starts, ofBeats)
  return {
    beats: sureBeats,
    bars: sure(bars, bar),
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

/** A beat or a bar, and by how much it is likelier than others: in nats, of bars in their cube roots. */
interface Timed extends Omit<Interval, 'confidence'> {
  nats: number
}

interface Found {
  beats: Timed[]
  bars: Timed[]
  /** Beats in a bar. */
  metre: number
  /** In nats. */
  sureness: { tempo: number; metre: number }
}

/** `undefined` if there is no sound or there are too few beats. */
export function findRhythm(
  { spectrum, chroma }: Listened,
  { duration, sound, network }: { duration: number; sound: Sounding; network: Network },
): Found | undefined {
  const { fps } = spectrum
  const first = Math.max(0, Math.floor(sound.start * fps))
  const last = Math.min(spectrum.frames, Math.ceil(sound.end * fps))
  const excerpt = excerptOf(spectrum, first, last)
  if (excerpt.levels.every((level) => level === 0)) return undefined
  const evidence = { activations: activationsOf(excerpt, network), chroma: weighted(chroma), first }
  const parts = partsBetween(pausesIn(evidence, sound), evidence)
  const { bars: barsOfParts, lead } = likeliestOf(parts)
  const metre = barsOfParts[0]!.metre
  const found = parts.flatMap((part, i) => {
    const from = parts[i - 1] ? part.first / fps : 0
    const next = parts[i + 1]
    return timesOf(barsOfParts[i]!, part, from, next ? next.first / fps : duration) ?? []
  })
  const count = found.reduce((sum, { beats }) => sum + beats.length, 0)
  if (count === 0) return undefined
  return {
    beats: found.flatMap(({ beats }) => beats),
    bars: found.flatMap(({ bars }) => bars),
    metre,
    sureness: {
      tempo: found.reduce((sum, { beats, level }) => sum + beats.length * level, 0) / count,
      metre: lead,
    },
  }
}

/** The beats and bars of a part; `undefined` where it has too few. */
function timesOf(
  { path: { frames, places }, metre, gains }: Bars,
  part: BarEvidence,
  from: number,
  to: number,
): { beats: Timed[]; bars: Timed[]; level: number } | undefined {
  if (frames.length < RHYTHM.fewest) return undefined
  const times = beatTimes(frames, part)
  const skipped = times.findIndex((time) => time >= from)
  const starts = times.slice(skipped).filter((time) => time <= to)
  if (starts.length < RHYTHM.fewest) return undefined
  // A beat that the end of the track cuts short only ends the one before; its place is uncertain.
  const edges = [...starts, ...endOfLast(starts, to)]
  if (edges.length <= RHYTHM.fewest) return undefined
  const phase = places.subarray(skipped).indexOf(0)
  const count = phase < 0 ? 0 : Math.floor((edges.length - 1 - phase) / metre)
  const firsts = Array.from({ length: count > 0 ? count + 1 : 0 }, (_, bar) => phase + bar * metre)
  const leads = phaseLeads(gains, places[0]!, metre)
  const odds = beatOdds(frames, part.activations).slice(skipped)
  return {
    beats: timed(edges, odds),
    bars: timed(
      firsts.map((i) => edges[i]!),
      firsts.map((i) => leads[skipped + i] ?? 0),
    ),
    level: levelLead(frames, part.activations),
  }
}

function timed(edges: readonly number[], nats: readonly number[]): Timed[] {
  return edges
    .slice(0, -1)
    .map((start, i) => ({ start, duration: edges[i + 1]! - start, nats: nats[i]! }))
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
  const { bars, lead } = likeliestOf([evidence])
  return { ...bars[0]!, lead }
}

/** The same for parts of a track, whose bars have one metre. */
function likeliestOf(parts: readonly BarEvidence[]): { bars: Bars[]; lead: number } {
  const ranked = RHYTHM.metres
    .flatMap((metres) => {
      const paths = parts.map(({ activations }) => viterbiPaths(activations, metres))
      return metres.map((beats, i) => {
        const bars = parts.map((part, p) => inPhase(paths[p]![i]!, beats, part))
        return { bars, score: bars.reduce((sum, { path }) => sum + path.score, 0) }
      })
    })
    .sort((a, b) => b.score - a.score)
  const best = ranked[0]!
  const next = ranked.find(({ bars }) => bars[0]!.metre !== best.bars[0]!.metre)!
  return { bars: best.bars, lead: best.score - next.score }
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
