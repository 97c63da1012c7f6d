import { creditOf } from '../naming/credit.ts'
import { titleOf } from '../naming/title.ts'
import type { TrackRow } from '../track/store.ts'

/** A version at another speed: `celtic_fast`. */
const SPEED_WORDS = / (?:fast|faster|slow|slower|slowed|hurry|(?:sped|speed) up)$/

/** Two tracks that share one are recordings of one song. */
export function songNames({ songId, audioMd5, artist, title }: TrackRow): string[] {
  const titleName =
    artist &&
    title &&
    `${creditOf(artist).parts[0]}: ${titleOf(title).base.key.replace(SPEED_WORDS, '')}`
  return [songId, audioMd5, titleName].flatMap((name) => name || [])
}
