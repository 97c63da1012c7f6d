import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, chown, copyFile, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isMissingFile, PROCESS_NAME } from '../kernel/jobs/liveness.ts'
import { DecodeError } from '../values/errors.ts'

/** The names of copies begin with it, so that no scan takes them; the name of the process follows. */
const PREFIX = '.audile-'

/**
 * Replaces a file by a changed copy of it, all at once: a crash leaves the old file or the new one.
 * Mode and owner stay. The modification time becomes that of the change, because players and
 * backups would miss a change that keeps it.
 *
 * @param path - the file itself, no link to it
 * @param change - changes the copy; what it returns is returned. An error leaves the file as it was
 * @throws {DecodeError} when the file may not be written, or another program changes it meanwhile
 */
export async function replaceFile<T>(
  path: string,
  change: (copy: string) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const before = await stat(path)
  const folder = dirname(path)
  const copy = join(folder, `${PREFIX}${PROCESS_NAME}-${randomUUID()}`)
  try {
    await writable(() => access(path, constants.W_OK))
    await writable(() => copyFile(path, copy, constants.COPYFILE_EXCL))
    const changed = await change(copy)
    // Only the superuser can give a file away. The mode came with the copy.
    await chown(copy, before.uid, before.gid).catch(() => {})
    await syncToDisk(copy)
    signal.throwIfAborted()
    const { size, mtimeMs, ino } = await stat(path)
    if (size !== before.size || mtimeMs !== before.mtimeMs || ino !== before.ino) {
      throw new DecodeError(
        'Another program, or another writeTags, changed it meanwhile; try again.',
      )
    }
    await rename(copy, path)
    await syncToDisk(folder)
    return changed
  } finally {
    await rm(copy, { force: true }).catch(() => {})
  }
}

/** Removes the copies beside a file that processes left when they were killed. */
export async function removeLeftCopies(path: string): Promise<void> {
  const folder = dirname(path)
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(PREFIX) || !isMissingFile(name.slice(PREFIX.length))) continue
    await rm(join(folder, name), { force: true }).catch(() => {})
  }
}

async function writable(step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isFull = code === 'ENOSPC' || code === 'EDQUOT'
    const remedy = isFull ? 'free some space' : 'the file and its folder must be writable'
    throw new DecodeError(`It cannot be written: ${message}; ${remedy}.`, { cause: error })
  }
}

/** Writes a file, or the names in a folder, to the disk. */
async function syncToDisk(path: string): Promise<void> {
  // Windows neither opens folders, nor syncs what is open for reading.
  const isFolder = (await stat(path)).isDirectory()
  if (isFolder && process.platform === 'win32') return
  const file = await open(path, isFolder ? 'r' : 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
