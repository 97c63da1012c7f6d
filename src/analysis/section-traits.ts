import type { Chroma } from './chroma.ts'
import type { Section } from './document.ts'
import type { Interval } from './intervals.ts'
import { keyOf, keyScores } from './key.ts'
import type { Levels } from './levels.ts'
import { LOUDNESS } from './loudness.ts'
import { steadiness, tempoOfBeats } from './tempo.ts'

/** The tempo of a section. */
const SECTION_TEMPO = {
  /** Two bars of four: in fewer, uneven beats look like another tempo. */
  fewestBeats: 8,
  /** With fewer, the confidence is at most this share of the track's. */
  ofFew: 0.5,
}

/** What sections take over from their track. */
interface Track {
  tempo: number
  tempoConfidence: number
  timeSignature: number
  timeSignatureConfidence: number
}

/** Gives each section its own loudness, tempo and key; the key leans on the whole track's. */
export function describeSections(
  sections: readonly Interval[],
  beats: readonly Interval[],
  levels: Levels,
  chroma: Chroma,
  track: Track,
): Section[] {
  const trackScores = keyScores(chroma)
  return sections.map((section) => {
    const { start, duration } = section
    const end = start + duration
    const from = Math.min(chroma.frames - 1, Math.round(start * chroma.fps))
    const to = Math.max(from + 1, Math.min(chroma.frames, Math.round(end * chroma.fps)))
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
 * tempo is the track's, and its confidence falls with their number.
 */
function tempoBetween(
  beats: readonly Interval[],
  start: number,
  end: number,
  { tempo, tempoConfidence }: Track,
): { tempo: number; confidence: number } {
  const inside = beats.filter((beat) => beat.start >= start && beat.start < end)
  if (inside.length < SECTION_TEMPO.fewestBeats) {
    const share = SECTION_TEMPO.ofFew * (inside.length / SECTION_TEMPO.fewestBeats)
    return { tempo, confidence: tempoConfidence * share }
  }
  const last = inside.at(-1)!
  const times = [...inside.map((beat) => beat.start), last.start + last.duration]
  const own = tempoOfBeats(times)
  return { tempo: own, confidence: tempoConfidence * steadiness(times, own) }
}
