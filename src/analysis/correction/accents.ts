import { firstFrom } from '../../audio/samples.ts'
import { cosineDistance } from '../statistics.ts'
import type { Material } from './material.ts'

/** Weights of a logistic model of which of two phases is the strong one. */
const ACCENTS = {
  /** For 10 dB. */
  level: 0.5,
  /** For harmonies without a common tone. */
  harmony: 2.5,
  /** For each second of the note that begins there. */
  duration: 1.5,
  /** Seconds around a beat within which its note begins. */
  reach: 0.05,
}

/** Accents have mean 0. */
export function accentsOf(beats: readonly number[], material: Material): Float64Array {
  const { level, harmony, duration } = ACCENTS
  const harmonies = beats.map((beat, i) => harmonyOf(material, beat, beats[i + 1] ?? beat))
  const accents = Float64Array.from(beats, (beat, i) => {
    const note = noteAt(material, beat)
    const change = i === 0 ? 0 : cosineDistance(harmonies[i - 1]!, harmonies[i]!)
    return (level * note.level) / 10 + harmony * change + duration * note.duration
  })
  const mean = accents.reduce((sum, value) => sum + value, 0) / Math.max(1, accents.length)
  return accents.map((value) => value - mean)
}

/** The loudest note that begins near a moment; if none does, the sounding note, with duration 0. */
function noteAt(
  { onsets, document: { segments } }: Material,
  time: number,
): { level: number; duration: number } {
  const { reach } = ACCENTS
  const first = firstFrom(onsets, time - reach)
  const near = segments.slice(first, firstFrom(onsets, time + reach))
  if (near.length === 0) return { level: segments[first - 1]?.loudness_max ?? 0, duration: 0 }
  const { loudness_max, duration } = near.reduce((best, note) =>
    note.loudness_max > best.loudness_max ? note : best,
  )
  return { level: loudness_max, duration }
}

function harmonyOf(
  { onsets, document: { segments } }: Material,
  start: number,
  nextStart: number,
): Float64Array {
  const energies = new Float64Array(12)
  const end = firstFrom(onsets, nextStart - ACCENTS.reach)
  for (let index = firstFrom(onsets, start - ACCENTS.reach); index < end; index++) {
    const { pitches, duration } = segments[index]!
    for (let p = 0; p < 12; p++) energies[p] = energies[p]! + duration * (pitches[p] ?? 0) ** 2
  }
  return energies
}
