import { statSync } from 'node:fs'
import type { ReceivedAudio } from '../input/receive-audio.ts'
import { followTags } from '../song/from-track.ts'
import { analyzedTrack } from './analyze-job.ts'
import { missingFiles } from './missing-files.ts'
import { ANALYZE_JOB, enqueueAnalysis } from './request-analysis.ts'
import type { TrackRoom } from './room.ts'
import { namedTagsOf, type TrackRow } from './store.ts'

/**
 * The bytes must have the same sound: the analysis stays.
 *
 * @returns the path from which the file moved, if it did; `undefined` when the track or the file
 * changed meanwhile
 */
export async function replaceBytes(
  room: TrackRoom,
  track: TrackRow,
  { path, md5, size, modified }: ReceivedAudio,
  signal: AbortSignal,
): Promise<{ from?: string } | undefined> {
  const { store, song, domain, emit, cancel, changes } = room
  const { id } = track
  const fileTags = await room.tags.read(path, signal)
  // Imported tags stay; those of the file add what they lack.
  const foreignIds = [...fileTags.foreignIds, ...store.foreignIds(id)]
  const tags = track.md5 === null ? { ...fileTags, ...namedTagsOf(track), foreignIds } : fileTags
  const goneFiles = await missingFiles(store.files.ofTrack(id), path)
  const now = room.now()
  const replaced = store.atomically((): { from?: string } | undefined => {
    const row = store.byId(id)
    if (row?.md5 !== track.md5 || (store.byMd5(md5)?.id ?? id) !== id) return undefined
    // What another process writes now, it registers behind this one.
    if (!isUnchanged({ path, size, modified })) return undefined
    const earlierTrack = analyzedTrack(store, row, row.duration ?? 0)
    const isNew = store.files.byPath(path)?.trackId !== id
    store.replaceBytes({ id, md5, cached: false, url: row.url, tags, now })
    store.files.put({ path, trackId: id, size, modified })
    const [movedFile] = isNew ? goneFiles : []
    // Only this file has the track's new bytes.
    for (const file of store.files.ofTrack(id)) {
      if (file.path !== path) store.files.setPresent({ path: file.path, present: 0 })
    }
    if (movedFile) store.files.remove(movedFile.path)
    if (row.analyzerVersion === null) {
      cancel(ANALYZE_JOB, id)
      store.setPending({ id, now })
      enqueueAnalysis(room, id, {}, { size, modified })
    } else if (row.songId !== null) {
      const changedRow = store.byId(id) as TrackRow
      followTags(song, analyzedTrack(store, changedRow, row.duration ?? 0), earlierTrack)
      domain.publishEvent('track.analysed', { trackId: id, songId: row.songId })
      domain.publishEvent('songs.changed', {})
    }
    return movedFile ? { from: movedFile.path } : {}
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
