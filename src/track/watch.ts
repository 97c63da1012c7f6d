import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { absolutePath } from '../values/file-path.ts'
import { FolderFilter } from './folder-filter.ts'
import { outermost } from './folder-walk.ts'
import { audioAmong } from './listing.ts'
import type { TrackRoom } from './room.ts'
import { folderParameters } from './scan.ts'
import { type Changed, Watching } from './watching.ts'

const parameters = z.strictObject({
  ...folderParameters,
  /**
   * Seconds without changes after which a file counts as written, 0.1…60. Default 2. A deleted file
   * is reported a second later, because it may have been renamed.
   */
  settle: z.number().min(0.1).max(60).default(2),
})

/**
 * `track/watch` (ours): starts to watch folders. `track/watch-next` returns the changes, and
 * `track/watch-end` ends the watch.
 */
export const watch = method({
  name: 'track/watch',
  parameters,
  async run(room: TrackRoom, given, { signal }): Promise<{ watch: number }> {
    const { folders, followSymlinks, settle } = given
    const roots = outermost(folders.map((folder) => absolutePath(folder, 'folders')))
    const filter = new FolderFilter(given)
    const options = { roots, filter, followSymlinks, settle: 1000 * settle }
    return { watch: room.watches.add(await Watching.open(options, signal)) }
  },
})

const numbered = z.strictObject({
  /** The number of the watch. */
  watch: z.int(),
})

/** `track/watch-next` (ours): waits until files have changed, and returns them. */
export const watchNext = method({
  name: 'track/watch-next',
  parameters: numbered,
  async run(room: TrackRoom, { watch }, { signal }): Promise<Changed> {
    const watching = room.watches.running(watch)
    const { written, gone } = await watching.next(signal)
    const known = written.filter(
      (path) => watching.isAudioByName(path) || room.store.files.byPath(path),
    )
    const others = written.filter((path) => !known.includes(path))
    return { written: [...known, ...(await audioAmong(room, others))], gone }
  },
})

/** `track/watch-end` (ours): ends a watch. */
export const watchEnd = method({
  name: 'track/watch-end',
  parameters: numbered,
  async run({ watches }: TrackRoom, { watch }): Promise<{ watch: number }> {
    await watches.get(watch)?.close()
    watches.delete(watch)
    return { watch }
  },
})
