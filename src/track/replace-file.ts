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

/** No scan takes files of this name; the name of the process follows. */
const COPY_PREFIX = '.audile-'

export interface ReplaceOptions {
  /** Other names of the file would keep the old content. */
  breakHardLinks: boolean
}

/**
 * It and its folder are writable, and a copy can have its owner and group.
 *
 * @throws {DecodeError} naming what stands in the way
 */
export async function requireReplaceable(
  path: string,
  { breakHardLinks }: ReplaceOptions,
): Promise<Stats> {
  const info = await stat(path)
  await attemptWrite(() => access(path, constants.W_OK))
  await attemptWrite(() => access(dirname(path), constants.W_OK))
  if (info.nlink > 1 && !breakHardLinks) {
    const names = `The file has ${info.nlink} names (hard links)`
    throw new DecodeError(`${names}, of which only one would change; allow it by breakHardLinks.`)
  }
  if (!canOwn(info)) throw ownerError(info)
  return info
}

function canOwn({ uid, gid }: Stats): boolean {
  const user = process.geteuid?.()
  if (user === undefined || user === 0) return true
  return (
    uid === user && (gid === process.getegid?.() || process.getgroups?.().includes(gid) === true)
  )
}

function ownerError({ uid, gid }: Stats): DecodeError {
  const owner = `It belongs to the user ${uid} and the group ${gid}`
  return new DecodeError(`${owner}, which a copy of this process could not; run it as that user.`)
}

/**
 * A crash leaves the old file or the new one. Attributes stay, but the modification time changes,
 * so that players and backups see it. @param path - the file itself, no link to it @param change -
 * changes the copy; its error leaves the file as it was
 *
 * @throws {DecodeError} when the file may not be written, or another program changes it meanwhile
 */
export async function replaceFile<T>(
  path: string,
  change: (copy: string) => Promise<T>,
  { signal, ...options }: ReplaceOptions & { signal: AbortSignal },
): Promise<T> {
  const infoBefore = await requireReplaceable(path, options)
  const folder = dirname(path)
  const copy = join(folder, `${COPY_PREFIX}${PROCESS_NAME}-${randomUUID()}`)
  try {
    const { COPYFILE_EXCL, COPYFILE_FICLONE } = constants
    await attemptWrite(() => copyFile(path, copy, COPYFILE_EXCL | COPYFILE_FICLONE))
    await chmod(copy, 0o600)
    const result = await change(copy)
    // Before the mode, which may forbid to open it.
    await syncToDisk(copy)
    await copyAttributes(path, copy, infoBefore)
    signal.throwIfAborted()
    const infoNow = await stat(path)
    const isSame = (['size', 'mtimeMs', 'ctimeMs', 'ino'] as const).every(
      (field) => infoNow[field] === infoBefore[field],
    )
    if (!isSame) {
      throw new DecodeError(
        'Another program, or another writeTags, changed it meanwhile; try again.',
      )
    }
    await rename(copy, path)
    await syncToDisk(folder)
    return result
  } finally {
    await rm(copy, { force: true }).catch(() => {})
  }
}

/** Its times are those of the change. */
async function copyAttributes(path: string, copy: string, info: Stats): Promise<void> {
  const copyInfo = await stat(copy)
  await chown(copy, info.uid, info.gid).catch(() => {})
  await chmod(copy, info.mode)
  // Node neither reads nor writes these attributes; elsewhere its copyFile takes them along.
  if (process.platform === 'linux') await copyLinuxAttributes(path, copy)
  await utimes(copy, copyInfo.atime, copyInfo.mtime)
  const { mode, uid, gid } = await stat(copy)
  if (uid !== info.uid || gid !== info.gid) throw ownerError(info)
  if (mode !== info.mode) throw new DecodeError('Its mode could not be kept; write it elsewhere.')
}

const runProgram = promisify(execFile)

/** Needs `cp` of GNU coreutils: that of BusyBox cannot copy these attributes. */
async function copyLinuxAttributes(path: string, copy: string): Promise<void> {
  const preserve = '--preserve=mode,ownership,xattr'
  try {
    await runProgram('cp', [
      '--attributes-only',
      preserve,
      '--no-target-directory',
      '--',
      path,
      copy,
    ])
  } catch (error) {
    const { code, stderr } = error as { code?: number | string; stderr?: string }
    const isOther =
      code === 'ENOENT' || /unrecognized|invalid (?:option|argument)/.test(stderr ?? '')
    if (isOther) return
    const message = `Its extended attributes could not be kept: ${stderr?.trim() ?? code}.`
    throw new DecodeError(message, { cause: error })
  }
}

/** Killed processes left them. */
export async function removeLeftCopies(path: string): Promise<void> {
  const folder = dirname(path)
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(COPY_PREFIX) || !isOfEndedProcess(name.slice(COPY_PREFIX.length))) continue
    await rm(join(folder, name), { force: true }).catch(() => {})
  }
}

async function attemptWrite(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isFull = code === 'ENOSPC' || code === 'EDQUOT'
    const remedy = isFull ? 'free some space' : 'the file and its folder must be writable'
    throw new DecodeError(`It cannot be written: ${message}; ${remedy}.`, { cause: error })
  }
}

/** A file, or the names in a folder. */
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
