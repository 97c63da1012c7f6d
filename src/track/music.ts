import type { FactName, FactValues } from '../song/facts.ts'
import type { LibraryValues } from './album-groups.ts'

type MusicColumns = LibraryValues['columns']

/** Of tracks that are chosen without being asked for. An unknown value excludes none. */
const MUSIC_LIMITS = {
  /** Seconds: shorter ones are effects, jingles and announcements. */
  leastDuration: 30,
  /** LUFS: silence has the floor of all loudness. */
  silence: -60,
  /** Above it nearly all is spoken, or noise. */
  mostSpeechiness: 0.66,
}
/** A noise in which neither beats nor a key are sure: wind, rain, insects. */
const NOISE_LIMITS = { leastSpeechiness: 0.15, tempoConfidence: 0.35, keyConfidence: 0.25 }

/** The usual bound of these does not hold. */
export interface SettledFacts {
  duration?: unknown
  loudness?: unknown
  speechiness?: unknown
}

/** An unknown value says no. */
export function isNoise(facts: FactValues<FactName>): boolean {
  const { speechiness, tempoConfidence, keyConfidence } = facts
  return (
    speechiness !== null &&
    tempoConfidence !== null &&
    keyConfidence !== null &&
    speechiness > NOISE_LIMITS.leastSpeechiness &&
    tempoConfidence < NOISE_LIMITS.tempoConfidence &&
    keyConfidence < NOISE_LIMITS.keyConfidence
  )
}

/**
 * Music may be chosen without being asked for: 30 s or longer, neither silent nor spoken, no noise.
 */
export function isMusicIn(
  { duration, loudness, speechiness, noise }: MusicColumns,
  settled: SettledFacts = {},
): (num: number) => boolean {
  const leastDuration = settled.duration === undefined ? MUSIC_LIMITS.leastDuration : 0
  const silence = settled.loudness === undefined ? MUSIC_LIMITS.silence : Number.NEGATIVE_INFINITY
  const spoken = settled.speechiness === undefined ? MUSIC_LIMITS.mostSpeechiness : 1
  const noisy = settled.speechiness === undefined ? 1 : 2
  return (num) =>
    !(
      duration[num]! < leastDuration ||
      loudness[num]! <= silence ||
      speechiness[num]! > spoken ||
      noise[num] === noisy
    )
}

/** To music only music, to a long sound no short one. */
export function settledByTrack(columns: MusicColumns, num: number): SettledFacts {
  if (isMusicIn(columns)(num)) return {}
  const isShort = columns.duration[num]! < MUSIC_LIMITS.leastDuration
  return { loudness: true, speechiness: true, ...(isShort && { duration: true }) }
}
