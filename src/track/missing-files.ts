import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { FileRow } from '../input/file-store.ts'
import { explainMisnaming } from '../values/file-names.ts'

/**
 * Whether the file at a path is gone. False when this is unknown, because a folder or a disk cannot
 * be read.
 *
 * @param found - a path that has the same bytes now. Where file systems ignore case or the form of
 * accents, the old path still opens the file after such a renaming; it counts as gone.
 */
export async function isMissingFile(path: string, found?: string): Promise<boolean> {
  try {
    const info = await stat(path)
    if (!info.isFile()) return true
    if (found === undefined || found === path || folded(found) !== folded(path)) return false
    const there = await stat(found)
    // With a second hard link, both names may exist.
    return info.ino === there.ino && info.dev === there.dev && info.nlink === 1
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR'
    return isAbsent && (await explainMisnaming(path)) === undefined
  }
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

export async function missingFiles(files: readonly FileRow[], found: string): Promise<FileRow[]> {
  const gone: FileRow[] = []
  for (const file of files) {
    if (file.path !== found && (await isMissingFile(file.path, found))) gone.push(file)
  }
  // A file with the same name comes first: it is taken for the one that moved.
  const name = basename(found)
  const differs = ({ path }: FileRow) => (basename(path) === name ? 0 : 1)
  return gone.sort((a, b) => differs(a) - differs(b))
}
