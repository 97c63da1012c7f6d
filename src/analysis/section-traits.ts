import type { Chroma } from './chroma.ts'
import type { Section } from './document.ts'
import type { Interval } from './intervals.ts'
import { keyOf, keyScores } from './key.ts'
import type { Levels } from './levels.ts'
import { LOUDNESS } from './version.ts'

/** What sections share with their track when they say nothing else. */
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
    const inside = beats.filter((beat) => beat.start >= start && beat.start < end)
    return {
      ...section,
      loudness: meanLoudness(levels, start, end),
      tempo: tempoOf(inside) ?? track.tempo,
      tempo_confidence: track.tempoConfidence,
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

/** From the median beat; undefined with fewer than four. */
function tempoOf(beats: readonly Interval[]): number | undefined {
  if (beats.length < 4) return undefined
  const lengths = beats.map(({ duration }) => duration).sort((a, b) => a - b)
  return 60 / lengths[lengths.length >> 1]!
}
