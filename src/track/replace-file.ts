import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import {
  access,
  chmod,
  chown,
  copyFile,
  open,
  readdir,
  rename,
  rm,
  stat,
  utimes,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isOfEndedProcess, PROCESS_NAME } from '../kernel/process-name.ts'
import { DecodeError } from '../values/errors.ts'

/** The names of copies begin with it, so that no scan takes them; the name of the process follows. */
const PREFIX = '.audile-'

/** What may be done to a file. */
export interface ReplaceOptions {
  /** Whether other names of the file may keep the old content. */
  breakHardLinks: boolean
}

/**
 * Requires that a file can be replaced without a loss: it and its folder are writable, and a copy
 * can have its owner and group.
 *
 * @throws {DecodeError} naming what stands in the way
 */
export async function requireReplaceable(
  path: string,
  { breakHardLinks }: ReplaceOptions,
): Promise<Stats> {
  const before = await stat(path)
  await attemptWrite(() => access(path, constants.W_OK))
  await attemptWrite(() => access(dirname(path), constants.W_OK))
  if (before.nlink > 1 && !breakHardLinks) {
    const names = `The file has ${before.nlink} names (hard links)`
    throw new DecodeError(`${names}, of which only one would change; allow it by breakHardLinks.`)
  }
  if (!canOwn(before)) throw notOwned(before)
  return before
}

function canOwn({ uid, gid }: Stats): boolean {
  const user = process.geteuid?.()
  if (user === undefined || user === 0) return true
  return (
    uid === user && (gid === process.getegid?.() || process.getgroups?.().includes(gid) === true)
  )
}

function notOwned({ uid, gid }: Stats): DecodeError {
  const owner = `It belongs to the user ${uid} and the group ${gid}`
  return new DecodeError(`${owner}, which a copy of this process could not; run it as that user.`)
}

/**
 * Replaces a file by a changed copy of it, all at once: a crash leaves the old file or the new one.
 * Mode, owner, group, extended attributes and access control lists stay. The modification time
 * becomes that of the change, because players and backups would miss a change that keeps it.
 *
 * @param path - the file itself, no link to it
 * @param change - changes the copy; what it returns is returned. An error leaves the file as it was
 * @throws {DecodeError} when the file may not be written, or another program changes it meanwhile
 */
export async function replaceFile<T>(
  path: string,
  change: (copy: string) => Promise<T>,
  { signal, ...options }: ReplaceOptions & { signal: AbortSignal },
): Promise<T> {
  const before = await requireReplaceable(path, options)
  const folder = dirname(path)
  const copy = join(folder, `${PREFIX}${PROCESS_NAME}-${randomUUID()}`)
  try {
    const { COPYFILE_EXCL, COPYFILE_FICLONE } = constants
    await attemptWrite(() => copyFile(path, copy, COPYFILE_EXCL | COPYFILE_FICLONE))
    await chmod(copy, 0o600)
    const changed = await change(copy)
    // Before the mode, which may forbid to open it.
    await syncToDisk(copy)
    await copyAttributes(path, copy, before)
    signal.throwIfAborted()
    const now = await stat(path)
    const isSame = (['size', 'mtimeMs', 'ctimeMs', 'ino'] as const).every(
      (field) => now[field] === before[field],
    )
    if (!isSame) {
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

/** Gives a copy what belongs to a file beside its content, except its times. */
async function copyAttributes(path: string, copy: string, before: Stats): Promise<void> {
  const changed = await stat(copy)
  await chown(copy, before.uid, before.gid).catch(() => {})
  await chmod(copy, before.mode)
  // Node neither reads nor writes these attributes; elsewhere its copyFile takes them along.
  if (process.platform === 'linux') await copyLinuxAttributes(path, copy)
  await utimes(copy, changed.atime, changed.mtime)
  const { mode, uid, gid } = await stat(copy)
  if (uid !== before.uid || gid !== before.gid) throw notOwned(before)
  if (mode !== before.mode) throw new DecodeError('Its mode could not be kept; write it elsewhere.')
}

const run = promisify(execFile)

/** Uses `cp` of GNU coreutils; the one of BusyBox cannot copy these attributes. */
async function copyLinuxAttributes(path: string, copy: string): Promise<void> {
  const preserve = '--preserve=mode,ownership,xattr'
  try {
    await run('cp', ['--attributes-only', preserve, '--no-target-directory', '--', path, copy])
  } catch (error) {
    const { code, stderr } = error as { code?: number | string; stderr?: string }
    const isOther =
      code === 'ENOENT' || /unrecognized|invalid (?:option|argument)/.test(stderr ?? '')
    if (isOther) return
    const message = `Its extended attributes could not be kept: ${stderr?.trim() ?? code}.`
    throw new DecodeError(message, { cause: error })
  }
}

/** Removes the copies beside a file that processes left when they were killed. */
export async function removeLeftCopies(path: string): Promise<void> {
  const folder = dirname(path)
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(PREFIX) || !isOfEndedProcess(name.slice(PREFIX.length))) continue
    await rm(join(folder, name), { force: true }).catch(() => {})
  }
}

async function attemptWrite(step: () => Promise<void>): Promise<void> {
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
