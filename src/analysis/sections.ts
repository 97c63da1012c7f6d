import type { Chroma } from './chroma.ts'
import type { Section } from './document.ts'
import { exactTime, type Interval } from './intervals.ts'
import { keyOf, keyScores } from './key.ts'
import type { Levels } from './levels.ts'
import { LOUDNESS } from './loudness-measures.ts'
import type { Structure } from './structure.ts'
import { steadiness, tempoOfBeats } from './tempo.ts'

/** Chosen together with the weights of the structure's curves. */
const SECTIONS = {
  /** The evidence that a boundary must have. */
  cost: 3.2,
  /** The usual length in seconds (medians of published documents: 12, 17, 23), … */
  length: 13,
  /** … and the cost of a squared octave away from it. */
  lengthWeight: 2.3,
  /** Rewards for a multiple of four and of eight bars, and their tolerance in bars. */
  fourWeight: 1.1,
  eightWeight: 0.55,
  tolerance: 0.4,
  /** Seconds; the first and the last section may be shorter. */
  shortest: 5,
  shortestOuter: 2,
  longest: 120,
  /** Evidence at which a boundary is as likely right as wrong (359 boundaries, within 0.5 s). */
  doubt: 1.5,
}

/**
 * Cuts a track into sections. It picks the boundaries with most evidence whose sections have usual
 * lengths: about a quarter of a minute and, where there is a beat, a multiple of four or eight bars
 * (as Marmoret, Cohen & Bimbot, TISMIR 2023, prefer block sizes). Solved exactly by dynamic programming.
 *
 * The sections tile [0, duration]; the first has confidence 1, by convention.
 */
export function findSections({ times, units, barOf, evidence }: Structure): Interval[] {
  const best = new Float64Array(units + 1).fill(-Infinity)
  const from = new Int32Array(units + 1)
  best[0] = 0
  for (let end = 1; end <= units; end++) {
    for (let start = end - 1; start >= 0; start--) {
      const seconds = times[end]! - times[start]!
      if (seconds > SECTIONS.longest && start > 0) break
      const outer = start === 0 || end === units
      if (seconds < (outer ? SECTIONS.shortestOuter : SECTIONS.shortest) && units > 1) continue
      const bars = barOf.length > 0 ? barOf[end]! - barOf[start]! : 0
      let score = best[start]!
      // A recording may end anywhere, so a short last section costs nothing.
      if (end === units) score -= SECTIONS.lengthWeight * Math.max(0, octavesOver(seconds)) ** 2
      else score += lengthScore(seconds, bars) + evidence[end]! - SECTIONS.cost
      if (score > best[end]!) {
        best[end] = score
        from[end] = start
      }
    }
  }
  const cuts: number[] = []
  // A track without sections that are long enough is one section.
  for (let end = units; end > 0 && best[end]! > -Infinity; end = from[end]!)
    if (from[end]! > 0) cuts.push(from[end]!)
  const starts = [0, ...cuts.reverse()]
  return starts.map((unit, i) => {
    const start = exactTime(times[unit]!)
    const end = exactTime(times[starts[i + 1] ?? units]!)
    const confidence = i === 0 ? 1 : 1 / (1 + Math.exp(SECTIONS.doubt - evidence[unit]!))
    return { start, duration: end - start, confidence }
  })
}

/** How usual a section of so many seconds and bars is. */
function lengthScore(seconds: number, bars: number): number {
  const score = -SECTIONS.lengthWeight * octavesOver(seconds) ** 2
  if (bars === 0) return score
  const off = (multiple: number) => bars - multiple * Math.round(bars / multiple)
  const near = (multiple: number) => Math.exp(-0.5 * (off(multiple) / SECTIONS.tolerance) ** 2)
  return score + SECTIONS.fourWeight * near(4) + SECTIONS.eightWeight * near(8)
}

function octavesOver(seconds: number): number {
  return Math.log2(seconds / SECTIONS.length)
}

const SECTION_TEMPO = {
  /** Two bars of four: in fewer, uneven beats look like another tempo. */
  fewestBeats: 8,
  /** With fewer, the confidence is at most this share of the track's. */
  ofFew: 0.5,
}

interface TrackTempo {
  tempo: number
  tempoConfidence: number
}

/** The values that sections take over from their track. */
interface Track extends TrackTempo {
  timeSignature: number
  timeSignatureConfidence: number
}

/** Gives each section its own loudness, tempo and key; the key depends on the track's too. */
export function describeSections(
  sections: readonly Interval[],
  beats: readonly Interval[],
  levels: Levels,
  chroma: Chroma,
  track: Track,
): Section[] {
  const trackScores = keyScores(chroma)
  const frameAt = (seconds: number): number => Math.round((seconds - chroma.start) * chroma.fps)
  return sections.map((section) => {
    const { start, duration } = section
    const end = start + duration
    const from = Math.min(chroma.frames - 1, Math.max(0, frameAt(start)))
    const to = Math.max(from + 1, Math.min(chroma.frames, frameAt(end)))
    const { key, keyConfidence, mode, modeConfidence } = keyOf(chroma, from, to, trackScores)
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

/** Mean power of the mono mix as dB, not below the floor. */
function meanLoudness({ loudness, fps, frames }: Levels, start: number, end: number): number {
  const from = Math.min(frames - 1, Math.floor(start * fps))
  const to = Math.max(from + 1, Math.min(frames, Math.ceil(end * fps)))
  let power = 0
  for (let frame = from; frame < to; frame++) power += 10 ** (loudness[frame]! / 10)
  return Math.max(LOUDNESS.floor, 10 * Math.log10(power / (to - from)))
}

/**
 * The tempo of the beats from `start` to `end`, by the estimator of the whole track. Its confidence is
 * the track's times the share of the beats that keep the tempo; where there are too few beats, the
 * tempo is the track's, and its confidence falls with their number; 0 without beats.
 */
export function tempoBetween(
  beats: readonly Interval[],
  start: number,
  end: number,
  { tempo, tempoConfidence }: TrackTempo,
): { tempo: number; confidence: number } {
  const inside = beats.filter((beat) => beat.start >= start && beat.start < end)
  if (inside.length === 0) return { tempo: 0, confidence: 0 }
  if (inside.length < SECTION_TEMPO.fewestBeats) {
    const share = SECTION_TEMPO.ofFew * (inside.length / SECTION_TEMPO.fewestBeats)
    return { tempo, confidence: tempoConfidence * share }
  }
  const last = inside.at(-1)!
  const times = [...inside.map((beat) => beat.start), last.start + last.duration]
  const own = tempoOfBeats(
    inside.map((beat) => beat.start),
    inside.map((beat) => beat.confidence),
  )
  return { tempo: own, confidence: tempoConfidence * steadiness(times, own) }
}
