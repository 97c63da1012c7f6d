import type { Tags } from '../audio/tags.ts'
import type { ReceivedAudio } from '../input/receive-audio.ts'
import { followTags } from '../song/from-track.ts'
import { analyzedOf } from './analyze-job.ts'
import { missingFiles } from './missing-files.ts'
import { ANALYZE_JOB, enqueueAnalysis } from './request-analysis.ts'
import type { TrackRoom } from './room.ts'
import { type TrackRow, type TrackStore, tagsOf } from './store.ts'

/**
 * Gives a track other bytes with the same sound: their tags replace the old ones, its song follows
 * them, and the analysis stays. A track without an analysis gets one of the new bytes.
 *
 * @returns the path from which the file moved, if it did; `undefined` when others were quicker, and the
 * bytes belong to another track now, or this one has others
 */
export async function replaceBytes(
  room: TrackRoom,
  track: TrackRow,
  { path, md5, size, modified }: ReceivedAudio,
  signal: AbortSignal,
): Promise<{ from?: string } | undefined> {
  const { store, song, domain, emit, cancel, changes } = room
  const { id } = track
  const read = await room.tags.read(path, signal)
  const tags = track.md5 === null ? { ...read, ...importedTags(store, track, read) } : read
  const gone = await missingFiles(store.files.ofTrack(id), path)
  const now = room.now()
  const replaced = store.atomically((): { from?: string } | undefined => {
    const row = store.byId(id)
    if (row?.md5 !== track.md5 || store.byMd5(md5)) return undefined
    const before = analyzedOf(store, row, row.duration ?? 0)
    const isNew = store.files.byPath(path)?.trackId !== id
    store.replaceBytes({ id, md5, cached: false, url: row.url ?? undefined, tags, now })
    store.files.put({ path, trackId: id, size, modified })
    const [moved] = isNew ? gone : []
    // No file of the track has its bytes but this one.
    for (const file of store.files.ofTrack(id)) {
      if (file.path !== path) store.files.setPresent({ path: file.path, present: 0 })
    }
    if (moved) store.files.remove(moved.path)
    if (row.analyzerVersion === null) {
      cancel(ANALYZE_JOB, id)
      store.setPending({ id, now })
      enqueueAnalysis(room, id, {}, { size, modified })
    } else if (row.songId !== null) {
      const after = store.byId(id) as TrackRow
      followTags(song, analyzedOf(store, after, row.duration ?? 0), before)
      domain.publish('track.analysed', { trackId: id, songId: row.songId })
      domain.publish('songs.changed', {})
    }
    return moved ? { from: moved.path } : {}
  })
  if (replaced) {
    const status = track.analyzerVersion === null ? 'pending' : 'complete'
    emit('track', { id, status, progress: status === 'pending' ? 0 : 1 })
    changes.poke(id)
  }
  return replaced
}

/** What an import said of a track whose file comes now; the tags of the file add what it did not say. */
function importedTags(store: TrackStore, track: TrackRow, read: Tags): Tags {
  const { title, artist, release } = track
  return {
    ...tagsOf(track),
    ...(title !== null && { title }),
    ...(artist !== null && { artist }),
    ...(release !== null && { release }),
    foreignIds: [...read.foreignIds, ...store.foreignIds(track.id)],
  }
}
