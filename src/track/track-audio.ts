import { stat } from 'node:fs/promises'
import { DecodeError } from '../errors.ts'
import type { SeenFile } from './request-analysis.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'

/**
 * The file of a track, if it still holds the bytes that were uploaded.
 *
 * @throws {DecodeError} when it does not, or cannot be read
 */
export async function locateAudio(
  { uploads }: TrackRoom,
  track: TrackRow,
  seen: SeenFile,
  signal: AbortSignal,
): Promise<{ path: string; size: number }> {
  const path = track.cached && track.md5 !== null ? uploads.pathOf(track.md5) : track.path
  if (path === null) {
    throw new DecodeError(`The audio of ${track.id} was not kept; upload it again.`)
  }
  const { size, mtimeMs } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'the file is gone' : error.message
    throw new DecodeError(`Cannot read ${path}: ${why}; upload it again.`, { cause: error })
  })
  if (size === seen?.size && mtimeMs === seen.modified) return { path, size }
  const { md5 } = await uploads.hash(path, signal)
  if (md5 === track.md5) return { path, size }
  throw new DecodeError(
    `${path} has changed since it was uploaded (its md5 was ${track.md5}, now ${md5}); upload it again.`,
  )
}

/**
 * Removes the kept copy of bytes that no track has any more, after the transaction that decided so:
 * inside it, a full disk at its commit or a crash before would leave a track without its bytes. It
 * runs in another transaction, so that no other process registers the same bytes at the same time.
 */
export function releaseAudio({ store, uploads, host }: TrackRoom, md5: string): void {
  if (!uploads.holds(md5)) return
  try {
    store.atomically(() => {
      if (!store.isCached(md5)) uploads.discard(md5)
    })
  } catch (error) {
    // On Windows another program may have it open; a later open sweeps it.
    host.log('warn', `Could not remove the kept audio ${md5}.`, error)
  }
}
