import { open, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { type Cover, imageType } from '../audio/cover.ts'
import { method } from '../kernel/method.ts'
import { findTrack, trackReference } from './find-track.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'

/** The image files that programs put beside the tracks of an album, the most likely first. */
const BESIDE = ['cover', 'folder', 'front', 'album'].flatMap((name) =>
  ['jpg', 'jpeg', 'png', 'webp', 'gif'].map((extension) => `${name}.${extension}`),
)

/**
 * `track/cover` (ours): the picture of a track, read from its file now: the front cover in its tags, or
 * an image beside it that is called `cover.jpg`, `folder.jpg` or so. Without either, or when the file is
 * gone, there is none.
 */
export const cover = method({
  name: 'track/cover',
  parameters: z.strictObject(trackReference),
  async run(room: TrackRoom, given, { signal }): Promise<{ cover?: Cover }> {
    const track = findTrack(room.store, given)
    const { path, folder } = await audioOf(room, track)
    if (path === undefined) return {}
    const own = await room.tags.cover(path, signal)
    const found = own ?? (folder === undefined ? undefined : await imageIn(room, folder))
    return found ? { cover: found } : {}
  },
})

/** The path of a track's bytes, and their folder if it is a folder of the user's. */
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
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true
}

async function imageIn({ config }: TrackRoom, folder: string): Promise<Cover | undefined> {
  const names = await readdir(folder).catch(() => [])
  const byName = new Map(names.map((name) => [name.toLowerCase(), name]))
  for (const name of BESIDE) {
    const there = byName.get(name)
    const image = there && (await imageAt(join(folder, there), config.limits.tagBytes))
    if (image) return image
  }
  return undefined
}

async function imageAt(path: string, most: number): Promise<Cover | undefined> {
  // Opening a pipe of this name would wait for its writer.
  if (!(await isFile(path))) return undefined
  const file = await open(path, 'r').catch(() => undefined)
  try {
    const { size = 0 } = (await file?.stat()) ?? {}
    if (!file || size > most) return undefined
    const bytes = new Uint8Array(await file.readFile())
    const type = imageType(bytes)
    return type === undefined ? undefined : { type, bytes }
  } catch {
    return undefined
  } finally {
    await file?.close()
  }
}
