import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { absolutePath } from '../values/file-path.ts'
import { FolderFilter } from './folder-filter.ts'
import { outermostFolders } from './folder-walk.ts'
import { selectAudio } from './listing.ts'
import type { TrackRoom } from './room.ts'
import { folderParameters } from './scan.ts'
import { type ChangedFiles, FolderWatch } from './watching.ts'

const watchParameters = z.strictObject({
  ...folderParameters,
  /** Seconds without changes after which a file counts as written, 0.1…60. Default 2. */
  settle: z.number().min(0.1).max(60).default(2),
})

/**
 * `track/watch` (ours): watches folders. `track/watch-next` returns the changes, `track/watch-end`
 * ends the watch.
 */
export const watchFolders = method({
  name: 'track/watch',
  parameters: watchParameters,
  async run(room: TrackRoom, query, { signal }): Promise<{ watch: number }> {
    const { folders, followSymlinks, settle } = query
    const roots = outermostFolders(folders.map((folder) => absolutePath(folder, 'folders')))
    const filter = new FolderFilter(query)
    const options = { roots, filter, followSymlinks, settle: 1000 * settle }
    return { watch: room.watches.addOperation(await FolderWatch.openWatch(options, signal)) }
  },
})

const watchReference = z.strictObject({
  /** The number of the watch. */
  watch: z.int(),
})

/** `track/watch-next` (ours): waits until files have changed, and returns them. */
export const watchNext = method({
  name: 'track/watch-next',
  parameters: watchReference,
  async run(room: TrackRoom, { watch }, { signal }): Promise<ChangedFiles> {
    const watching = room.watches.requireRunning(watch)
    const { written, gone: goneFiles } = await watching.nextChanges(signal)
    const knownFiles = written.filter(
      (path) => watching.isAudioByName(path) || room.store.files.byPath(path),
    )
    const unclearFiles = written.filter((path) => !knownFiles.includes(path))
    return { written: [...knownFiles, ...(await selectAudio(room, unclearFiles))], gone: goneFiles }
  },
})

/** `track/watch-end` (ours): ends a watch. */
export const watchEnd = method({
  name: 'track/watch-end',
  parameters: watchReference,
  async run({ watches }: TrackRoom, { watch }): Promise<{ watch: number }> {
    await watches.get(watch)?.closeWatch()
    watches.delete(watch)
    return { watch }
  },
})
