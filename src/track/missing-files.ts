import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { FileRow } from '../input/file-store.ts'
import { explainMisnaming } from '../values/file-names.ts'

/**
 * False when this is unknown, because a folder or a disk cannot be read. @param sameBytesPath - a
 * path that has the same bytes now: where file systems ignore case, a renamed file's old path still
 * opens it
 */
export async function isMissingFile(path: string, sameBytesPath?: string): Promise<boolean> {
  try {
    const info = await stat(path)
    if (!info.isFile()) return true
    if (
      sameBytesPath === undefined ||
      sameBytesPath === path ||
      foldPath(sameBytesPath) !== foldPath(path)
    )
      return false
    const otherInfo = await stat(sameBytesPath)
    // With a second hard link, both names may exist.
    return info.ino === otherInfo.ino && info.dev === otherInfo.dev && info.nlink === 1
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR'
    return isAbsent && (await explainMisnaming(path)) === undefined
  }
}

function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

export async function missingFiles(
  files: readonly FileRow[],
  sameBytesPath: string,
): Promise<FileRow[]> {
  const goneFiles: FileRow[] = []
  for (const file of files) {
    if (file.path !== sameBytesPath && (await isMissingFile(file.path, sameBytesPath)))
      goneFiles.push(file)
  }
  // A file of the same name is taken for the one that moved.
  const name = basename(sameBytesPath)
  const nameDistance = ({ path }: FileRow) => (basename(path) === name ? 0 : 1)
  return goneFiles.sort((a, b) => nameDistance(a) - nameDistance(b))
}
