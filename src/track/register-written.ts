import type { ReceivedAudio } from '../input/receive-audio.ts'
import { DecodeError } from '../values/errors.ts'
import { replaceBytes } from './replace-bytes.ts'
import type { TrackRoom } from './room.ts'
import { releaseAudio } from './track-audio.ts'

/** Another process may write the file too. */
const MAX_TRIES = 10

/** As they are now, so that no scan looks at them. */
export async function registerWritten(
  room: TrackRoom,
  id: string,
  writtenFiles: readonly ReceivedAudio[],
): Promise<void> {
  const [first, ...others] = writtenFiles
  if (!first) return
  const { store, uploads } = room
  // Even if the call is aborted now.
  const { signal } = new AbortController()
  for (let tries = 0, audio = first; ; tries++) {
    const track = store.byId(id)
    if (!track) return
    if (track.cached) store.atomically.step(() => store.setCached({ id, cached: 0 }))
    const replaced = await replaceBytes(room, track, audio, signal)
    if (track.cached && track.md5 !== null) releaseAudio(room, track.md5)
    if (replaced) {
      store.atomically.step(() => {
        for (const { path, md5, size, modified } of others) {
          if (md5 === audio.md5) store.files.put({ path, trackId: id, size, modified })
        }
      })
      return
    }
    if (tries === MAX_TRIES) {
      throw new DecodeError(`${first.path} is written, but changes all the time; scan its folder.`)
    }
    audio = { ...(await uploads.hash(first.path, signal)), cached: false }
  }
}
