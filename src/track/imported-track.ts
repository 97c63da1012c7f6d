import { IMPORTED } from '../artist/apply-record.ts'
import { formatForeignId, parseForeignId } from '../values/ids.ts'
import { type TrackReference, trackById } from './find-track.ts'
import type { TrackRoom } from './room.ts'
import type { TrackProfile } from './track-answer.ts'

/**
 * A track that an import names but nobody uploaded; its status is `unknown`. `undefined` for an
 * uploaded track, and when no import names it.
 */
export function importedTrack(
  { store, song: { store: songs } }: TrackRoom,
  { id, md5, file }: TrackReference,
): TrackProfile | undefined {
  if (id === undefined || (md5 ?? file) !== undefined || trackById(store, id)) return undefined
  const foreign = parseForeignId(id)
  const found = foreign
    ? songs.ids.importedForeignTrack(foreign.catalog, foreign.id)
    : songs.ids.importedTrack(id)
  const song = found && songs.byNum(found.song)
  if (!found || !song) return undefined
  const { catalog, foreignId, trackId, foreignReleaseId, previewUrl, releaseImage } = found
  const answer: TrackProfile = {
    id: trackId,
    status: 'unknown',
    files: [],
    title: song.title,
    songId: song.id,
  }
  if (song.artistName !== null) answer.artist = song.artistName
  if (song.release !== null) answer.release = song.release
  if (catalog !== IMPORTED) {
    answer.catalog = catalog
    answer.foreignId = formatForeignId({ catalog, type: 'track', id: foreignId })
  }
  if (foreignReleaseId !== null) {
    const bare = parseForeignId(foreignReleaseId)?.id ?? foreignReleaseId
    answer.foreignReleaseId = formatForeignId({ catalog, type: 'release', id: bare })
  }
  if (previewUrl !== null) answer.previewUrl = previewUrl
  if (releaseImage !== null) answer.releaseImage = releaseImage
  return answer
}
