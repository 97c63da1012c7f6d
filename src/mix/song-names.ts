import { creditOf } from '../naming/credit.ts'
import { titleOf } from '../naming/title.ts'
import type { LibraryValues } from '../track/album-groups.ts'
import type { MixRoom } from './room.ts'

/**
 * What names the song of a track: as it was recognised, as its tags name it without versions, and by
 * its samples. Two tracks that share one are recordings of one song.
 */
export function songsOf(
  { track }: MixRoom,
  { song: songs }: Pick<LibraryValues['columns'], 'song'>,
  num: number,
): (string | number)[] {
  const song = songs[num]!
  const id = track.library.idOf(num)
  const row = id === undefined ? undefined : track.store.byId(id)
  const found: (string | number)[] = song > 0 ? [song] : []
  if (row?.audioMd5) found.push(row.audioMd5)
  if (row?.artist && row.title) {
    found.push(`${creditOf(row.artist).parts[0]}: ${titleOf(row.title).base.key}`)
  }
  return found
}
