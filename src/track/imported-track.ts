import { IMPORTED_SPACE } from '../artist/apply-record.ts'
import { formatForeignId, parseForeignId } from '../values/ids.ts'
import { known } from '../values/known.ts'
import { type TrackReference, trackById } from './find-track.ts'
import type { TrackRoom } from './room.ts'
import type { TrackProfile } from './track-answer.ts'

/**
 * Nobody uploaded it: its status is `unknown`. `undefined` for an uploaded track, and when no
 * import names it.
 */
export function importedTrack(
  { store, song: { store: songs } }: TrackRoom,
  { id, md5, file }: TrackReference,
): TrackProfile | undefined {
  if (id === undefined || (md5 ?? file) !== undefined || trackById(store, id)) return undefined
  const foreign = parseForeignId(id)
  const importedRow = foreign
    ? songs.ids.importedForeignTrack(foreign.catalog, foreign.id)
    : songs.ids.importedTrack(id)
  const song = importedRow && songs.byNum(importedRow.song)
  if (!importedRow || !song) return undefined
  const { catalog, foreignId, trackId, foreignReleaseId, previewUrl, releaseImage } = importedRow
  const { id: songId, title, artistName: artist, release } = song
  const files: TrackProfile['files'] = []
  const bare = foreignReleaseId && (parseForeignId(foreignReleaseId)?.id ?? foreignReleaseId)
  return known({
    id: trackId,
    status: 'unknown',
    files,
    title,
    songId,
    artist,
    release,
    ...(catalog !== IMPORTED_SPACE && {
      catalog,
      foreignId: formatForeignId({ catalog, type: 'track', id: foreignId }),
    }),
    foreignReleaseId: bare && formatForeignId({ catalog, type: 'release', id: bare }),
    previewUrl,
    releaseImage,
  })
}
