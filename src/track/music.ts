import type { LibraryValues } from './album-groups.ts'

/** What tracks have that are chosen without being asked for. An unknown value excludes none. */
const MUSIC = {
  /** Seconds: shorter ones are effects, jingles and announcements. */
  leastDuration: 30,
  /** LUFS: silence has the floor of all loudness. */
  silence: -60,
  /** Above it nearly all is spoken, or noise without pitch and beat. */
  mostSpeechiness: 0.66,
}

/** Which of these a caller settles, so that the usual bound does not hold. */
export interface Settled {
  duration?: unknown
  loudness?: unknown
  speechiness?: unknown
}

/**
 * Tells which tracks are music that may be chosen without being asked for: at least 30 s long,
 * neither silent nor spoken. What the caller's own conditions settle is not judged.
 */
export function isMusicIn(
  { duration, loudness, speechiness }: LibraryValues['columns'],
  settled: Settled = {},
): (num: number) => boolean {
  const leastDuration = settled.duration === undefined ? MUSIC.leastDuration : 0
  const silence = settled.loudness === undefined ? MUSIC.silence : Number.NEGATIVE_INFINITY
  const spoken = settled.speechiness === undefined ? MUSIC.mostSpeechiness : 1
  return (num) =>
    !(duration[num]! < leastDuration || loudness[num]! <= silence || speechiness[num]! > spoken)
}
