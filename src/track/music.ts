import type { FactName, FactValues } from '../song/facts.ts'
import type { LibraryValues } from './album-groups.ts'

type Columns = LibraryValues['columns']

/** What tracks have that are chosen without being asked for. An unknown value excludes none. */
const MUSIC = {
  /** Seconds: shorter ones are effects, jingles and announcements. */
  leastDuration: 30,
  /** LUFS: silence has the floor of all loudness. */
  silence: -60,
  /** Above it nearly all is spoken, or noise without pitch and beat. */
  mostSpeechiness: 0.66,
}
/** Wind, rain, insects: a noise in which neither beats nor a key are sure. */
const NOISE = { leastSpeechiness: 0.15, tempoConfidence: 0.35, keyConfidence: 0.25 }

/** Which of these a caller settles, so that the usual bound does not hold. */
export interface Settled {
  duration?: unknown
  loudness?: unknown
  speechiness?: unknown
}

/** Whether a track is a sound of nature, a machine, a crowd; an unknown value says no. */
export function isNoise(facts: FactValues<FactName>): boolean {
  const { speechiness, tempoConfidence, keyConfidence } = facts
  return (
    speechiness !== null &&
    tempoConfidence !== null &&
    keyConfidence !== null &&
    speechiness > NOISE.leastSpeechiness &&
    tempoConfidence < NOISE.tempoConfidence &&
    keyConfidence < NOISE.keyConfidence
  )
}

/**
 * Tells which tracks are music that may be chosen without being asked for: at least 30 s long,
 * neither silent nor spoken, no noise. What the caller's own conditions settle is not judged.
 */
export function isMusicIn(
  { duration, loudness, speechiness, noise }: Columns,
  settled: Settled = {},
): (num: number) => boolean {
  const leastDuration = settled.duration === undefined ? MUSIC.leastDuration : 0
  const silence = settled.loudness === undefined ? MUSIC.silence : Number.NEGATIVE_INFINITY
  const spoken = settled.speechiness === undefined ? MUSIC.mostSpeechiness : 1
  const noisy = settled.speechiness === undefined ? 1 : 2
  return (num) =>
    !(
      duration[num]! < leastDuration ||
      loudness[num]! <= silence ||
      speechiness[num]! > spoken ||
      noise[num] === noisy
    )
}

/** What may be like a track: to music only music, to a long sound no short one. */
export function settledBy(columns: Columns, num: number): Settled {
  if (isMusicIn(columns)(num)) return {}
  const isShort = columns.duration[num]! < MUSIC.leastDuration
  return { loudness: true, speechiness: true, ...(isShort && { duration: true }) }
}
