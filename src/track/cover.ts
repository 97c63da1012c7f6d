import { open, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { type Cover, imageType } from '../audio/cover.ts'
import { method } from '../kernel/method.ts'
import { findTrack, trackReference } from './find-track.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'

/** The most likely first. */
const COVER_FILE_NAMES = ['cover', 'folder', 'front', 'album'].flatMap((name) =>
  ['jpg', 'jpeg', 'png', 'webp', 'gif'].map((extension) => `${name}.${extension}`),
)

/**
 * `track/cover` (ours): the front cover in the tags of a track's file, or an image beside it that
 * is called `cover.jpg`, `folder.jpg` or so.
 */
export const trackCover = method({
  name: 'track/cover',
  parameters: z.strictObject(trackReference),
  async run(room: TrackRoom, reference, { signal }): Promise<{ cover?: Cover }> {
    const track = findTrack(room.store, reference)
    const { path, folder } = await audioOf(room, track)
    if (path === undefined) return {}
    const taggedCover = await room.tags.cover(path, signal)
    const bestCover =
      taggedCover ?? (folder === undefined ? undefined : await imageIn(room, folder))
    return bestCover ? { cover: bestCover } : {}
  },
})

/** The folder is absent where the bytes are a copy in the upload cache. */
async function audioOf(
  { uploads, store }: TrackRoom,
  { id, cached, md5 }: TrackRow,
): Promise<{ path?: string; folder?: string }> {
  for (const { path } of store.files.ofTrack(id)) {
    if (await isFile(path)) return { path, folder: dirname(path) }
  }
  if (!cached || md5 === null) return {}
  const path = uploads.pathOf(md5)
  return (await isFile(path)) ? { path } : {}
}

async function isFile(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => undefined)
  return info?.isFile() === true
}

async function imageIn({ config }: TrackRoom, folder: string): Promise<Cover | undefined> {
  const names = await readdir(folder).catch(() => [])
  const byName = new Map(names.map((name) => [name.toLowerCase(), name]))
  for (const name of COVER_FILE_NAMES) {
    const fileName = byName.get(name)
    const image = fileName && (await imageAt(join(folder, fileName), config.limits.tagBytes))
    if (image) return image
  }
  return undefined
}

async function imageAt(path: string, maxBytes: number): Promise<Cover | undefined> {
  // Opening a pipe of this name would wait for its writer.
  if (!(await isFile(path))) return undefined
  const file = await open(path, 'r').catch(() => undefined)
  try {
    const { size = 0 } = (await file?.stat()) ?? {}
    if (!file || size > maxBytes) return undefined
    const bytes = new Uint8Array(await file.readFile())
    const type = imageType(bytes)
    return type === undefined ? undefined : { type, bytes }
  } catch {
    return undefined
  } finally {
    await file?.close()
  }
}
