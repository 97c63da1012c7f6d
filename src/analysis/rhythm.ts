import { Network, SCORES } from './activation/network.ts'
import { ACTIVATION } from './activation/network-weights.ts'
import { type BarEvidence, downbeatGains, downbeatOdds, weightedByLoudness } from './bar-phase.ts'
import { beatTimes, endOfLast } from './beat-times.ts'
import type { Chroma } from './chroma.ts'
import type { Interval } from './intervals.ts'
import type { Sounding } from './levels.ts'
import type { RhythmSpectrum } from './novelty.ts'
import {
  beatOdds,
  LEAST_ODDS,
  levelLead,
  meanValue,
  NOISE_ODDS,
  phaseLeads,
  RHYTHM_CONFIDENCE,
} from './rhythm-confidence.ts'
import { partsBetween, pausesIn } from './rhythm-parts.ts'
import { type Activations, type BarPath, viterbiPaths } from './state-space.ts'
import { type Logit, logistic } from './statistics.ts'
import { tempoOfBeats, tempoSteadiness } from './tempo.ts'

const RHYTHM = {
  /** Beats in a bar, grouped as paths are found together; bars of two are written in pairs. */
  metres: [[2, 6], [3, 5], [4], [7]],
  /** Nats by which a beat in bars of five, six or seven is less likely. */
  unusual: 0.5,
  fewest: 3,
}

export interface RhythmFeatures {
  spectrum: RhythmSpectrum
  chroma: Chroma
}

export interface Rhythm {
  /** Each starts exactly where the one before ends, but for pauses. */
  beats: Interval[]
  /** Beats before the first downbeat, and after the last whole bar, belong to no bar. */
  bars: Interval[]
  /** BPM; 0 when there are no beats. */
  tempo: number
  tempoConfidence: number
  /** 3 to 7; music in bars of two beats is written in bars of four. */
  timeSignature: number
  timeSignatureConfidence: number
}

const NO_RHYTHM: Rhythm = {
  beats: [],
  bars: [],
  tempo: 0,
  tempoConfidence: 0,
  timeSignature: 4,
  timeSignatureConfidence: 0,
}

let network: Network | undefined

/**
 * The likeliest Viterbi path of all metres through the network's activations. It tracks from the
 * first to the last sound only, because a tracker goes on counting in silence. In a long pause
 * there are no beats.
 *
 * @param duration - of the track, in seconds
 */
export function trackRhythm(
  music: RhythmFeatures,
  duration: number,
  sound: Sounding = { start: 0, end: duration },
): Rhythm {
  network ??= new Network(ACTIVATION.form, ACTIVATION.weights)
  const timedRhythm = findRhythm(music, { duration, sound, network })
  if (timedRhythm === undefined) return NO_RHYTHM
  const { beats, bars, metre, sureness } = timedRhythm
  const { tempo: tempoLogit, beat: beatLogit, bar: barLogit, metre: metreLogit } = RHYTHM_CONFIDENCE
  if (beats.every(({ nats }) => nats <= NOISE_ODDS)) return NO_RHYTHM
  const withConfidences = (list: readonly TimedInterval[], logit: Logit): Interval[] =>
    list.map(({ start, duration, nats }) => ({
      start,
      duration,
      confidence: logistic(nats, logit),
    }))
  const ratedBeats = withConfidences(beats, beatLogit)
  const starts = beats.map(({ start }) => start)
  const beatConfidences = ratedBeats.map(({ confidence }) => confidence)
  const tempo = tempoOfBeats(starts, beatConfidences)
  return {
    beats: ratedBeats,
    bars: withConfidences(bars, barLogit),
    tempo,
    // Noise can lead to one tempo too: no tempo is surer than its beats, nor than the share that
    // keep it.
    tempoConfidence: Math.min(
      logistic(sureness.tempo, tempoLogit),
      meanValue(beatConfidences),
      tempoSteadiness(starts, tempo),
    ),
    timeSignature: metre,
    timeSignatureConfidence: logistic(sureness.metre, metreLogit),
  }
}

/** The nats by which it is likelier than others; of bars, their cube roots. */
interface TimedInterval extends Omit<Interval, 'confidence'> {
  nats: number
}

interface TimedRhythm {
  beats: TimedInterval[]
  bars: TimedInterval[]
  metre: number
  /** In nats. */
  sureness: { tempo: number; metre: number }
}

export function findRhythm(
  { spectrum, chroma }: RhythmFeatures,
  { duration, sound, network }: { duration: number; sound: Sounding; network: Network },
): TimedRhythm | undefined {
  const { fps } = spectrum
  const firstFrame = Math.max(0, Math.floor(sound.start * fps))
  const endFrame = Math.min(spectrum.frames, Math.ceil(sound.end * fps))
  const excerpt = spectrumBetween(spectrum, firstFrame, endFrame)
  if (excerpt.levels.every((level) => level === 0)) return undefined
  const evidence = {
    activations: activationsOf(excerpt, network),
    chroma: weightedByLoudness(chroma),
    first: firstFrame,
  }
  const parts = partsBetween(pausesIn(evidence, sound), evidence)
  const { bars: barsOfParts, lead } = likeliestOf(parts)
  const metre = barsOfParts[0]!.metre
  const timedParts = parts.flatMap((part, i) => {
    const partStart = parts[i - 1] ? part.first / fps : 0
    const next = parts[i + 1]
    return (
      placeBeatsAndBars(barsOfParts[i]!, part, partStart, next ? next.first / fps : duration) ?? []
    )
  })
  const count = timedParts.reduce((sum, { beats }) => sum + beats.length, 0)
  if (count === 0) return undefined
  return {
    beats: timedParts.flatMap(({ beats }) => beats),
    bars: timedParts.flatMap(({ bars }) => bars),
    metre,
    sureness: {
      tempo: timedParts.reduce((sum, { beats, level }) => sum + beats.length * level, 0) / count,
      metre: lead,
    },
  }
}

function placeBeatsAndBars(
  { path: { frames, places }, metre, gains }: Bars,
  part: BarEvidence,
  partStart: number,
  partEnd: number,
): { beats: TimedInterval[]; bars: TimedInterval[]; level: number } | undefined {
  if (frames.length < RHYTHM.fewest) return undefined
  const times = beatTimes(frames, part)
  const skipped = times.findIndex((time) => time >= partStart)
  const starts = times.slice(skipped).filter((time) => time <= partEnd)
  if (starts.length < RHYTHM.fewest) return undefined
  // A beat that the end of the track cuts short only ends the one before; its place is uncertain.
  const edges = [...starts, ...endOfLast(starts, partEnd)]
  if (edges.length <= RHYTHM.fewest) return undefined
  const phase = places.subarray(skipped).indexOf(0)
  const count = phase < 0 ? 0 : Math.floor((edges.length - 1 - phase) / metre)
  const firsts = Array.from({ length: count > 0 ? count + 1 : 0 }, (_, bar) => phase + bar * metre)
  const leads = phaseLeads(gains, places[0]!, metre)
  const odds = beatOdds(frames, part.activations).slice(skipped)
  return {
    beats: timedIntervals(edges, odds),
    bars: timedIntervals(
      firsts.map((i) => edges[i]!),
      firsts.map((i) => leads[skipped + i] ?? 0),
    ),
    level: levelLead(frames, part.activations),
  }
}

function timedIntervals(edges: readonly number[], nats: readonly number[]): TimedInterval[] {
  return edges
    .slice(0, -1)
    .map((start, i) => ({ start, duration: edges[i + 1]! - start, nats: nats[i]! }))
}

function spectrumBetween(spectrum: RhythmSpectrum, first: number, last: number): RhythmSpectrum {
  const { fps, bands, levels } = spectrum
  const frames = Math.max(0, last - first)
  return { fps, frames, bands, levels: levels.subarray(first * bands, (first + frames) * bands) }
}

function activationsOf(spectrum: RhythmSpectrum, network: Network): Activations {
  const { fps, frames } = spectrum
  const scores = network.scoreSpectrum(spectrum)
  const oddsOf = (kind: number) =>
    Float32Array.from({ length: frames }, (_, frame) => {
      const row = frame * SCORES.count
      return Math.max(LEAST_ODDS, scores[row + kind]! - scores[row + SCORES.none]!)
    })
  return { fps, beat: oddsOf(SCORES.beat), down: oddsOf(SCORES.down) }
}

/** In their likeliest phase. */
interface Bars {
  metre: number
  path: BarPath
  /** For each beat, the nats by which it is likelier a downbeat than another beat. */
  gains: Float64Array
}

/** With the nats by which they lead over those of other metres. */
export function likeliestBars(evidence: BarEvidence): Bars & { lead: number } {
  const { bars, lead } = likeliestOf([evidence])
  return { ...bars[0]!, lead }
}

function likeliestOf(parts: readonly BarEvidence[]): { bars: Bars[]; lead: number } {
  const ranked = RHYTHM.metres
    .flatMap((metres) => {
      const paths = parts.map(({ activations }) => viterbiPaths(activations, metres))
      return metres.map((beats, i) => {
        const bars = parts.map((part, p) => barsInPhase(paths[p]![i]!, beats, part))
        return { bars, score: bars.reduce((sum, { path }) => sum + path.score, 0) }
      })
    })
    .sort((a, b) => b.score - a.score)
  const best = ranked[0]!
  const next = ranked.find(({ bars }) => bars[0]!.metre !== best.bars[0]!.metre)!
  return { bars: best.bars, lead: best.score - next.score }
}

function barsInPhase(
  { frames, places, score }: BarPath,
  beats: number,
  evidence: BarEvidence,
): Bars {
  const metre = beats === 2 ? 4 : beats
  const gains = downbeatGains(frames, evidence)
  const sums = new Float64Array(metre)
  let deducted = RHYTHM.unusual * (metre > 4 ? frames.length : 0)
  gains.forEach((gain, i) => {
    sums[i % metre]! += gain
    if (places[i] === 0) deducted += downbeatOdds(frames[i]!, evidence.activations)
  })
  const first = sums.indexOf(Math.max(...sums))
  let gained = 0
  for (let i = first % beats; i < metre; i += beats) gained += sums[i]!
  const path = {
    frames,
    places: places.map((_, i) => (i - first + metre) % metre),
    score: score + gained - deducted,
  }
  return { metre, path, gains }
}
