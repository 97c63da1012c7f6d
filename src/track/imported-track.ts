import { IMPORTED } from '../artist/apply-record.ts'
import { formatForeignId, parseForeignId } from '../ids.ts'
import type { SongStore } from '../song/store.ts'
import type { TrackAnswer } from './track-answer.ts'

/**
 * A track that is known from an import only: it was never submitted for analysis, so its status is
 * `unknown`. `undefined` when no import names it.
 */
export function importedTrack(songs: SongStore, id: string): TrackAnswer | undefined {
  const foreign = parseForeignId(id)
  const found = foreign
    ? songs.ids.importedForeignTrack(foreign.catalog, foreign.id)
    : songs.ids.importedTrack(id)
  const song = found && songs.byNum(found.song)
  if (!found || !song) return undefined
  const { catalog, foreignId, trackId, foreignReleaseId, previewUrl, releaseImage } = found
  const answer: TrackAnswer = {
    id: trackId ?? formatForeignId({ catalog, type: 'track', id: foreignId }),
    status: 'unknown',
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
