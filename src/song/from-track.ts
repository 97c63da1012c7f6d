import { basename, extname } from 'node:path'
import type { Prints } from '../fingerprint/evidence.ts'
import { FINGERPRINT_VERSION } from '../fingerprint/version.ts'
import { newId } from '../ids.ts'
import { ingest } from '../recording/ingest.ts'
import { needsPacking, PACK_JOB } from '../recording/pack-job.ts'
import type { SongContext } from './context.ts'

/** An analysed track, as far as it tells which song it is. */
export interface AnalyzedTrack {
  id: string
  /** The song that it was found to be before, if it was analysed before. */
  songId: string | null
  title: string | null
  artist: string | null
  release: string | null
  year: number | null
  path: string | null
  /** Seconds. */
  duration: number
}

/**
 * The song that a track of one's own is a recording of; inside the transaction that completes its
 * analysis. A recording that is known by its sound joins that song; any other is a song of its own.
 * Its fingerprints go into the index.
 */
export function songOfTrack(
  context: Omit<SongContext, 'withAudio' | 'takeFingerprints' | 'tagsOf'>,
  track: AnalyzedTrack,
  prints: Prints,
): string {
  const { store, recordings, recognizer } = context
  // Another analysis may have come before, with other fingerprints.
  recordings.removeByTrack(track.id)
  const known = track.songId ?? recognizer.whole(prints, track.duration)
  const songId = known !== undefined && store.byId(known) ? known : newId('song', context.now())
  const artistId = artistOf(context, track.artist)
  const facts = {
    id: songId,
    title: track.title ?? (songId === known ? '' : titleOf(track)),
    artistId,
    release: track.release,
    duration: track.duration,
    year: track.year,
  }
  if (songId === known) store.fillIn(facts)
  else store.add({ ...facts, imported: false, now: context.now() })
  ingest(
    recordings,
    {
      songId,
      trackId: track.id,
      duration: track.duration,
      fingerprintVersion: FINGERPRINT_VERSION,
      codeMd5: null,
    },
    recognizer.indexed(prints),
  )
  if (needsPacking(recordings)) context.enqueue({ kind: PACK_JOB, subject: 'index' })
  return songId
}

/** Removes a song, and its artist, with the last track that made them. */
export function forgetSongOf(
  { store, artists }: Pick<SongContext, 'store' | 'artists'>,
  songId: string,
): void {
  const artistId = store.removeUnused(songId)
  if (artistId !== null) artists.removeUnused(artistId)
}

function artistOf(
  { artists, now }: Pick<SongContext, 'artists' | 'now'>,
  name: string | null,
): string | null {
  if (name === null) return null
  const known = artists.byName(name)
  if (known) return known.id
  const id = newId('artist', now())
  artists.add({ id, name, imported: false, now: now() })
  return id
}

/** Without a tag, the file's name is what its owner knows it by. */
function titleOf({ path }: AnalyzedTrack): string {
  return path === null ? '' : basename(path, extname(path))
}
