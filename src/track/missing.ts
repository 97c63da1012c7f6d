import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { nonEmpty } from '../options/parameter-types.ts'
import { absolutePath } from '../values/file-path.ts'
import { type EmptiedFolder, EmptiedFolders, type Prune, prune } from './emptied-folders.ts'
import { isMissingFile } from './missing-files.ts'
import { removeTrack } from './remove.ts'
import type { TrackRoom } from './room.ts'
import { describe, type TrackProfile } from './track-answer.ts'

/** A known file that is gone. */
export interface MissingFile {
  file: string
  /** Its track; the last state, if the track was removed with its last file. */
  track: TrackProfile
}

/** What is gone of some files. */
export interface MissingFiles {
  missing: MissingFile[]
  /** Folders whose files were not removed. */
  emptied: EmptiedFolder[]
}

/** `track/missing` (ours): those of the given files that are known and gone. */
export const missing = method({
  name: 'track/missing',
  parameters: z.strictObject({
    /** Paths of files. */
    files: z.array(nonEmpty).max(500),
    /** The watched folders. */
    folders: z.array(nonEmpty),
    /** Ids of tracks that lost a file to another track. */
    tracks: z.array(nonEmpty).max(500).default([]),
    /**
     * Whether to remove missing files, as in `track/scan`, and those of `tracks` that have neither a
     * file nor a kept copy.
     */
    prune,
  }),
  run(room: TrackRoom, { files, folders, tracks, prune }, { signal }): Promise<MissingFiles> {
    const paths = files.map((file) => absolutePath(file))
    const roots = folders.map((folder) => absolutePath(folder, 'folders'))
    if (prune !== false) for (const id of tracks) removeUseless(room, id)
    const emptied = new EmptiedFolders(room.store.files, roots)
    return markMissing(room, { paths, folders: emptied, prune }, signal)
  },
})

/**
 * Marks those of the given files that are known and gone, and returns them. They are not removed
 * where a folder holds none of its files any more, because its disk may not be mounted.
 */
export async function markMissing(
  room: TrackRoom,
  { paths, folders, prune }: { paths: readonly string[]; folders: EmptiedFolders; prune: Prune },
  signal: AbortSignal,
): Promise<MissingFiles> {
  const { store } = room
  const missing: MissingFile[] = []
  const emptied = new Map<string, EmptiedFolder>()
  for (const path of paths) {
    signal.throwIfAborted()
    // The old path of a moved file is no longer known.
    if (!store.files.byPath(path) || !(await isMissingFile(path))) continue
    const around = prune === true ? await folders.around(path, signal) : undefined
    if (around) emptied.set(around.folder, around)
    const missingFile = store.atomically.step(() => note(room, path, prune !== false && !around))
    if (missingFile) missing.push(missingFile)
  }
  return { missing, emptied: [...emptied.values()] }
}

function note(room: TrackRoom, path: string, prune: boolean): MissingFile | undefined {
  const { store } = room
  const file = store.files.byPath(path)
  const row = file && store.byId(file.trackId)
  if (!row) return undefined
  if (!prune) {
    store.files.setPresent({ path, present: 0 })
    return { file: path, track: describe(store, row, undefined) }
  }
  store.files.remove(path)
  const track = describe(store, row, undefined)
  if (!row.cached && track.files.length === 0) {
    removeTrack(room, row)
    room.changes.wakeWaits(row.id)
  }
  return { file: path, track }
}

function removeUseless(room: TrackRoom, id: string): void {
  room.store.atomically.step(() => {
    const row = room.store.byId(id)
    if (row && !row.cached && room.store.files.ofTrack(id).length === 0) removeTrack(room, row)
  })
  room.changes.wakeWaits(id)
}
