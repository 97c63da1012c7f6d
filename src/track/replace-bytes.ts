import { statSync } from 'node:fs'
import type { ReceivedAudio } from '../input/receive-audio.ts'
import { followTags } from '../song/from-track.ts'
import { analyzedOf } from './analyze-job.ts'
import { missingFiles } from './missing-files.ts'
import { ANALYZE_JOB, enqueueAnalysis } from './request-analysis.ts'
import type { TrackRoom } from './room.ts'
import { namedTagsOf, type TrackRow } from './store.ts'

/**
 * Gives a track other bytes with the same sound. Their tags replace the old ones and update its
 * song; the analysis stays. Without an analysis, the new bytes are analysed.
 *
 * @returns the path from which the file moved, if it did; `undefined` when meanwhile another track
 * got the bytes, this track got other bytes, or the file did
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
  // Imported tags stay when the file comes to exist; its own tags add what they lack.
  const foreignIds = [...read.foreignIds, ...store.foreignIds(id)]
  const tags = track.md5 === null ? { ...read, ...namedTagsOf(track), foreignIds } : read
  const gone = await missingFiles(store.files.ofTrack(id), path)
  const now = room.now()
  const replaced = store.atomically((): { from?: string } | undefined => {
    const row = store.byId(id)
    if (row?.md5 !== track.md5 || (store.byMd5(md5)?.id ?? id) !== id) return undefined
    // Inside the transaction: what another process writes now, it registers behind this one.
    if (!isUnchanged({ path, size, modified })) return undefined
    const before = analyzedOf(store, row, row.duration ?? 0)
    const isNew = store.files.byPath(path)?.trackId !== id
    store.replaceBytes({ id, md5, cached: false, url: row.url, tags, now })
    store.files.put({ path, trackId: id, size, modified })
    const [moved] = isNew ? gone : []
    // Only this file has the track's new bytes.
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
      domain.publishEvent('track.analysed', { trackId: id, songId: row.songId })
      domain.publishEvent('songs.changed', {})
    }
    return moved ? { from: moved.path } : {}
  })
  if (replaced) {
    const status = track.analyzerVersion === null ? 'pending' : 'complete'
    emit('track', { id, status, progress: status === 'pending' ? 0 : 1 })
    changes.wakeWaits(id)
  }
  return replaced
}

function isUnchanged({ path, size, modified }: Omit<ReceivedAudio, 'md5' | 'cached'>): boolean {
  const now = statSync(path, { throwIfNoEntry: false })
  return now?.size === size && now.mtimeMs === modified
}
