import type { Chroma } from './chroma.ts'
import type { Section } from './document.ts'
import { exactTime, type Interval } from './intervals.ts'
import { findKey, keyScores } from './key.ts'
import type { Levels } from './levels.ts'
import { LOUDNESS } from './loudness-measures.ts'
import type { Structure } from './structure.ts'
import { tempoOfBeats, tempoSteadiness } from './tempo.ts'

const SECTIONS = {
  cost: 3.2,
  /** The usual length, seconds. */
  length: 13,
  /** The cost of a squared octave away from it. */
  lengthWeight: 2.3,
  /** Rewards for a multiple of four and of eight bars, and their tolerance in bars. */
  fourWeight: 1.1,
  eightWeight: 0.55,
  tolerance: 0.4,
  /** Seconds; the first and the last section may be shorter. */
  shortest: 5,
  shortestOuter: 2,
  longest: 120,
  /** Evidence at which a boundary is as likely right as wrong. */
  doubt: 1.5,
}

/**
 * By dynamic programming: most evidence, usual lengths, multiples of four or eight bars (Marmoret,
 * Cohen & Bimbot, TISMIR 2023). The sections tile [0, duration].
 */
export function findSections({ times, units, barOf, evidence }: Structure): Interval[] {
  const best = new Float64Array(units + 1).fill(-Infinity)
  const bestStart = new Int32Array(units + 1)
  best[0] = 0
  for (let end = 1; end <= units; end++) {
    for (let start = end - 1; start >= 0; start--) {
      const seconds = times[end]! - times[start]!
      if (seconds > SECTIONS.longest && start > 0) break
      const isOuter = start === 0 || end === units
      if (seconds < (isOuter ? SECTIONS.shortestOuter : SECTIONS.shortest) && units > 1) continue
      const bars = barOf.length > 0 ? barOf[end]! - barOf[start]! : 0
      let score = best[start]!
      // A recording may end anywhere, so a short last section costs nothing.
      if (end === units) score -= SECTIONS.lengthWeight * Math.max(0, octavesOver(seconds)) ** 2
      else score += lengthScore(seconds, bars) + evidence[end]! - SECTIONS.cost
      if (score > best[end]!) {
        best[end] = score
        bestStart[end] = start
      }
    }
  }
  const cuts: number[] = []
  // A track without sections that are long enough is one section.
  for (let end = units; end > 0 && best[end]! > -Infinity; end = bestStart[end]!)
    if (bestStart[end]! > 0) cuts.push(bestStart[end]!)
  const starts = [0, ...cuts.reverse()]
  return starts.map((unit, i) => {
    const start = exactTime(times[unit]!)
    const end = exactTime(times[starts[i + 1] ?? units]!)
    const confidence = i === 0 ? 1 : 1 / (1 + Math.exp(SECTIONS.doubt - evidence[unit]!))
    return { start, duration: end - start, confidence }
  })
}

function lengthScore(seconds: number, bars: number): number {
  const score = -SECTIONS.lengthWeight * octavesOver(seconds) ** 2
  if (bars === 0) return score
  const barsOff = (multiple: number) => bars - multiple * Math.round(bars / multiple)
  const nearness = (multiple: number) =>
    Math.exp(-0.5 * (barsOff(multiple) / SECTIONS.tolerance) ** 2)
  return score + SECTIONS.fourWeight * nearness(4) + SECTIONS.eightWeight * nearness(8)
}

function octavesOver(seconds: number): number {
  return Math.log2(seconds / SECTIONS.length)
}

const SECTION_TEMPO = {
  /** In fewer, uneven beats look like another tempo. */
  fewestBeats: 8,
  /** With fewer, the confidence is at most this share of the track's. */
  ofFew: 0.5,
}

interface TrackTempo {
  tempo: number
  tempoConfidence: number
}

interface TrackValues extends TrackTempo {
  timeSignature: number
  timeSignatureConfidence: number
}

export function describeSections(
  sections: readonly Interval[],
  beats: readonly Interval[],
  levels: Levels,
  chroma: Chroma,
  track: TrackValues,
): Section[] {
  const trackScores = keyScores(chroma)
  const frameAt = (seconds: number): number => Math.round((seconds - chroma.start) * chroma.fps)
  return sections.map((section) => {
    const { start, duration } = section
    const end = start + duration
    const firstFrame = Math.min(chroma.frames - 1, Math.max(0, frameAt(start)))
    const endFrame = Math.max(firstFrame + 1, Math.min(chroma.frames, frameAt(end)))
    const { key, keyConfidence, mode, modeConfidence } = findKey(
      chroma,
      firstFrame,
      endFrame,
      trackScores,
    )
    const tempo = tempoBetween(beats, start, end, track)
    return {
      ...section,
      loudness: meanLoudness(levels, start, end),
      tempo: tempo.tempo,
      tempo_confidence: tempo.confidence,
      key,
      key_confidence: keyConfidence,
      mode,
      mode_confidence: modeConfidence,
      time_signature: track.timeSignature,
      time_signature_confidence: track.timeSignatureConfidence,
    }
  })
}

function meanLoudness({ loudness, fps, frames }: Levels, start: number, end: number): number {
  const firstFrame = Math.min(frames - 1, Math.floor(start * fps))
  const endFrame = Math.max(firstFrame + 1, Math.min(frames, Math.ceil(end * fps)))
  let power = 0
  for (let frame = firstFrame; frame < endFrame; frame++) power += 10 ** (loudness[frame]! / 10)
  return Math.max(LOUDNESS.floor, 10 * Math.log10(power / (endFrame - firstFrame)))
}

/** With too few beats, the tempo is the track's, less surely; without beats it is 0. */
export function tempoBetween(
  beats: readonly Interval[],
  start: number,
  end: number,
  { tempo, tempoConfidence }: TrackTempo,
): { tempo: number; confidence: number } {
  const beatsInside = beats.filter((beat) => beat.start >= start && beat.start < end)
  if (beatsInside.length === 0) return { tempo: 0, confidence: 0 }
  if (beatsInside.length < SECTION_TEMPO.fewestBeats) {
    const share = SECTION_TEMPO.ofFew * (beatsInside.length / SECTION_TEMPO.fewestBeats)
    return { tempo, confidence: tempoConfidence * share }
  }
  const last = beatsInside.at(-1)!
  const times = [...beatsInside.map((beat) => beat.start), last.start + last.duration]
  const ownTempo = tempoOfBeats(
    beatsInside.map((beat) => beat.start),
    beatsInside.map((beat) => beat.confidence),
  )
  return { tempo: ownTempo, confidence: tempoConfidence * tempoSteadiness(times, ownTempo) }
}
