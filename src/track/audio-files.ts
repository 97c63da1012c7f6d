import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { z } from 'zod'
import { looksLikeAudio, readHead } from '../input/require-audio.ts'
import { method } from '../kernel/method.ts'
import { DecodeError } from '../values/errors.ts'
import { explainMisnaming } from '../values/file-names.ts'
import { absolutePath } from '../values/file-path.ts'
import { requireFolders } from './folder-walk.ts'
import type { TrackRoom } from './room.ts'

/** A page of audio files. */
export interface ScanPage {
  files: string[]
  /** Whether more files follow. */
  more: boolean
}

interface FolderEntry {
  path: string
  kind: 'file' | 'link' | 'unreadable folder'
}

/**
 * `track/audio-files` (ours): the audio files below a folder, recognised by content, in pages by
 * path. Unreadable files are listed, because their upload says why; names with a leading dot and
 * links to folders are not.
 */
export const listAudioFiles = method({
  name: 'track/audio-files',
  parameters: z.strictObject({
    /** Path of the folder. */
    folder: z.string().min(1),
    /** The last path of the page before. */
    after: z.string().optional(),
    /** How many are answered at most, 1…1,000. Default 1,000. */
    results: z.int().min(1).max(1000).default(1000),
  }),
  async run(room: TrackRoom, { folder, after, results }, { signal }): Promise<ScanPage> {
    const root = absolutePath(folder, 'folder')
    await requireFolders([root])
    const entries = await readdir(root, { withFileTypes: true }).catch((error: Error) => {
      throw new DecodeError(`Cannot read ${root}: ${error.message}.`, { cause: error })
    })
    const files: string[] = []
    for await (const entry of walkInOrder(root, entries, after)) {
      signal.throwIfAborted()
      if (!(await isAudio(entry, room))) continue
      if (files.length === results) return { files, more: true }
      files.push(entry.path)
    }
    return { files, more: false }
  },
})

/** Folders before `after` are not read. */
async function* walkInOrder(
  folder: string,
  entries: readonly Dirent[],
  after: string | undefined,
): AsyncGenerator<FolderEntry> {
  // A folder sorts with its separator, so that `after` alone says where a page ended.
  const sorted = entries
    .filter(({ name }) => !name.startsWith('.'))
    .map((entry) => ({ entry, path: join(folder, entry.name, entry.isDirectory() ? sep : '') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  const isNext = (path: string) => after === undefined || path > after
  for (const { entry, path } of sorted) {
    if (entry.isDirectory()) {
      const resumed = after?.startsWith(path)
      if (!resumed && !isNext(path)) continue
      const folderEntries = await readFolder(path)
      const folderPath = join(folder, entry.name)
      if (folderEntries) yield* walkInOrder(path, folderEntries, resumed ? after : undefined)
      else if (isNext(folderPath)) yield { path: folderPath, kind: 'unreadable folder' }
    } else if ((entry.isFile() || entry.isSymbolicLink()) && isNext(path)) {
      yield { path, kind: entry.isSymbolicLink() ? 'link' : 'file' }
    }
  }
}

function readFolder(folder: string): Promise<readonly Dirent[] | undefined> {
  return readdir(folder, { withFileTypes: true }).catch(() => undefined)
}

async function isAudio({ path, kind }: FolderEntry, room: TrackRoom): Promise<boolean> {
  if (kind === 'unreadable folder') return true
  try {
    return looksLikeAudio(room, await readHead(path))
  } catch {
    // A link to a folder or to nothing cannot be uploaded.
    return kind === 'file' || (await explainMisnaming(path)) !== undefined
  }
}
