import { creditOf } from '../naming/credit.ts'
import { titleOf } from '../naming/title.ts'
import type { TrackRow } from '../track/store.ts'

/** A last word that tells a version at another speed: `celtic_fast`. */
const SPEED = / (?:fast|faster|slow|slower|slowed|hurry|(?:sped|speed) up)$/

/**
 * What names the song of a track: as it was recognised, as its tags name it without versions (those
 * at another speed too), and by its samples. Two tracks that share one are recordings of one song.
 */
export function songNames({ songId, audioMd5, artist, title }: TrackRow): string[] {
  const named =
    artist && title && `${creditOf(artist).parts[0]}: ${titleOf(title).base.key.replace(SPEED, '')}`
  return [songId, audioMd5, named].flatMap((name) => name || [])
}
