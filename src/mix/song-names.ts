import { creditOf } from '../naming/credit.ts'
import { titleOf } from '../naming/title.ts'
import type { MixRoom } from './room.ts'

/**
 * What names the song of a track: as it was recognised, as its tags name it without versions, and by
 * its samples. Two tracks that share one are recordings of one song.
 */
export function songsOf({ track }: MixRoom, num: number): (string | number)[] {
  const song = track.library.read().columns.song[num]!
  const id = track.library.idOf(num)
  const row = id === undefined ? undefined : track.store.byId(id)
  const found: (string | number)[] = song > 0 ? [song] : []
  if (row?.audioMd5) found.push(row.audioMd5)
  if (row?.artist && row.title) {
    found.push(`${creditOf(row.artist).parts[0]}: ${titleOf(row.title).base.key}`)
  }
  return found
}
