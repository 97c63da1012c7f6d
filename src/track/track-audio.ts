import { stat } from 'node:fs/promises'
import { DecodeError } from '../values/errors.ts'
import type { SeenFile } from './request-analysis.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'

interface AudioPlace {
  path: string
  /** Its size and modification time when it had these bytes. */
  seen: SeenFile
}

export async function locateAudio(
  room: TrackRoom,
  track: TrackRow,
  seenFile: SeenFile,
  signal: AbortSignal,
): Promise<{ path: string; size: number }> {
  let failure: unknown
  for (const place of audioPlaces(room, track, seenFile)) {
    try {
      return { path: place.path, size: await requireSeen(room, track, place, signal) }
    } catch (error) {
      signal.throwIfAborted()
      failure ??= error
    }
  }
  throw failure ?? new DecodeError(`The audio of ${track.id} was not kept; upload it again.`)
}

function audioPlaces(
  { uploads, store }: TrackRoom,
  track: TrackRow,
  seenFile: SeenFile,
): AudioPlace[] {
  if (track.cached && track.md5 !== null)
    return [{ path: uploads.pathOf(track.md5), seen: seenFile }]
  return store.files.ofTrack(track.id).map(({ path, size, modified }) => ({
    path,
    seen: size === null || modified === null ? null : { size, modified },
  }))
}

/** @returns its size @throws {DecodeError} when it is gone, or its bytes have changed */
export async function requireSeen(
  { uploads }: TrackRoom,
  track: TrackRow,
  { path, seen: seenFile }: AudioPlace,
  signal: AbortSignal,
): Promise<number> {
  const { size, mtimeMs } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'the file is gone' : error.message
    throw new DecodeError(`Cannot read ${path}: ${why}; upload it again.`, { cause: error })
  })
  if (size === seenFile?.size && mtimeMs === seenFile.modified) return size
  const { md5 } = await uploads.hash(path, signal)
  if (md5 === track.md5) return size
  throw new DecodeError(
    `${path} has changed since it was uploaded (its md5 was ${track.md5}, now ${md5}); upload it again.`,
  )
}

/**
 * Call it after the transaction that released the bytes has committed. Its own transaction keeps
 * other processes from registering them meanwhile.
 */
export function releaseAudio({ store, uploads, host }: TrackRoom, md5: string): void {
  if (!uploads.holds(md5)) return
  try {
    store.atomically(() => {
      if (!store.isCached(md5)) uploads.discard(md5)
    })
  } catch (error) {
    // On Windows another program may have it open; the next `open` removes it.
    host.log('warn', `Could not remove the kept audio ${md5}.`, error)
  }
}
