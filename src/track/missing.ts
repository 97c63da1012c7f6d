import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { nonEmpty } from '../options/parameter-types.ts'
import { absolutePath } from '../values/file-path.ts'
import { type EmptiedFolder, EmptiedFolders, type Prune, prune } from './emptied-folders.ts'
import { isMissingFile } from './missing-files.ts'
import { removeTrack } from './remove.ts'
import type { TrackRoom } from './room.ts'
import { describeTrack, type TrackProfile } from './track-answer.ts'

export interface MissingFile {
  file: string
  /** Its track; the last state, if the track was removed with its last file. */
  track: TrackProfile
}

export interface MarkedFiles {
  missing: MissingFile[]
  /** Folders whose files were not removed. */
  emptied: EmptiedFolder[]
}

/** `track/missing` (ours): those of the given files that are known and gone. */
export const findMissing = method({
  name: 'track/missing',
  parameters: z.strictObject({
    /** Paths of files. */
    files: z.array(nonEmpty).max(500),
    /** The watched folders. */
    folders: z.array(nonEmpty),
    /** Ids of tracks that lost a file to another track. */
    tracks: z.array(nonEmpty).max(500).default([]),
    /**
     * As in `track/scan`; also removes those of `tracks` that have neither a file nor a kept copy.
     */
    prune,
  }),
  run(room: TrackRoom, { files, folders, tracks, prune }, { signal }): Promise<MarkedFiles> {
    const paths = files.map((file) => absolutePath(file))
    const roots = folders.map((folder) => absolutePath(folder, 'folders'))
    if (prune !== false) for (const id of tracks) removeWithoutAudio(room, id)
    const emptied = new EmptiedFolders(room.store.files, roots)
    return markMissing(room, { paths, folders: emptied, prune }, signal)
  },
})

/** Nothing of an emptied folder is removed, because its disk may not be mounted. */
export async function markMissing(
  room: TrackRoom,
  { paths, folders, prune }: { paths: readonly string[]; folders: EmptiedFolders; prune: Prune },
  signal: AbortSignal,
): Promise<MarkedFiles> {
  const { store } = room
  const missing: MissingFile[] = []
  const emptied = new Map<string, EmptiedFolder>()
  for (const path of paths) {
    signal.throwIfAborted()
    // The old path of a moved file is no longer known.
    if (!store.files.byPath(path) || !(await isMissingFile(path))) continue
    const emptiedFolder = prune === true ? await folders.outermostAround(path, signal) : undefined
    if (emptiedFolder) emptied.set(emptiedFolder.folder, emptiedFolder)
    const missingFile = store.atomically.step(() =>
      noteMissing(room, path, prune !== false && !emptiedFolder),
    )
    if (missingFile) missing.push(missingFile)
  }
  return { missing, emptied: [...emptied.values()] }
}

function noteMissing(room: TrackRoom, path: string, isPruned: boolean): MissingFile | undefined {
  const { store } = room
  const file = store.files.byPath(path)
  const row = file && store.byId(file.trackId)
  if (!row) return undefined
  if (!isPruned) {
    store.files.setPresent({ path, present: 0 })
    return { file: path, track: describeTrack(store, row, undefined) }
  }
  store.files.remove(path)
  const track = describeTrack(store, row, undefined)
  if (!row.cached && track.files.length === 0) {
    removeTrack(room, row)
    room.changes.wakeWaits(row.id)
  }
  return { file: path, track }
}

function removeWithoutAudio(room: TrackRoom, id: string): void {
  room.store.atomically.step(() => {
    const row = room.store.byId(id)
    if (row && !row.cached && room.store.files.ofTrack(id).length === 0) removeTrack(room, row)
  })
  room.changes.wakeWaits(id)
}
