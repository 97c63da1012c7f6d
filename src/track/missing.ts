import { readdir } from 'node:fs/promises'
import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { nonEmpty } from '../options/parameter-types.ts'
import { absolutePath } from '../values/file-path.ts'
import { isBelow } from './folder-walk.ts'
import { isMissingFile } from './missing-files.ts'
import { removeTrack } from './remove.ts'
import type { TrackRoom } from './room.ts'
import { describe, type TrackProfile } from './track-answer.ts'

/** A known file that is gone. */
export interface MissingFile {
  file: string
  /** Its track; as it was, if it was removed with its last file. */
  track: TrackProfile
}

const parameters = z.strictObject({
  /** Paths of files. */
  files: z.array(nonEmpty).max(500),
  /** The watched folders. */
  folders: z.array(nonEmpty),
  /** Ids of tracks of which a file became another track's. */
  tracks: z.array(nonEmpty).max(500).default([]),
  /**
   * Whether they are removed, as `track/scan` has it, and those of `tracks` that have neither a file nor
   * a kept copy.
   */
  prune: z.boolean().default(false),
})

/** `track/missing` (ours): of some files, those that are known and gone. */
export const missing = method({
  name: 'track/missing',
  parameters,
  run(room: TrackRoom, { files, folders, tracks, prune }, { signal }): Promise<MissingFile[]> {
    const paths = files.map((file) => absolutePath(file))
    const roots = folders.map((folder) => absolutePath(folder, 'folders'))
    if (prune) for (const id of tracks) removeUseless(room, id)
    return markMissing(room, { paths, roots, prune }, signal)
  },
})

/**
 * Notes which of some files are gone, and tells those that are known.
 *
 * @param prune - whether they are removed: not in a folder that is empty, as its disk may not be mounted
 */
export async function markMissing(
  room: TrackRoom,
  { paths, roots, prune }: { paths: readonly string[]; roots: readonly string[]; prune: boolean },
  signal: AbortSignal,
): Promise<MissingFile[]> {
  const { store } = room
  const found: MissingFile[] = []
  for (const path of paths) {
    signal.throwIfAborted()
    // A file that moved has another path now.
    if (!store.files.byPath(path) || !(await isMissingFile(path))) continue
    const root = roots.find((one) => isBelow(path, one))
    const safe = prune && root !== undefined && (await holdsAnything(root))
    const told = store.atomically.step(() => note(room, path, safe))
    if (told) found.push(told)
  }
  return found
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
    room.changes.poke(row.id)
  }
  return { file: path, track }
}

/** Removes a track that has neither file nor kept copy. */
function removeUseless(room: TrackRoom, id: string): void {
  room.store.atomically.step(() => {
    const row = room.store.byId(id)
    if (row && !row.cached && room.store.files.ofTrack(id).length === 0) removeTrack(room, row)
  })
  room.changes.poke(id)
}

/** Whether a folder is there and not empty. */
async function holdsAnything(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  return names.length > 0
}
