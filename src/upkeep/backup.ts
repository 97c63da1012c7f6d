import { randomUUID } from 'node:crypto'
import { constants, existsSync, realpathSync } from 'node:fs'
import { copyFile, link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { AudileError, DatabaseError, invalidParameter } from '../values/errors.ts'
import type { UpkeepRoom } from './room.ts'

/** A copy of a database. */
export interface Backup {
  /** The absolute path of the file. */
  path: string
  /** Its size. */
  bytes: number
  /** The number of files in the folder `<path>-audio`, with the audio that audile keeps. */
  audioFiles: number
}

/** Copied before other work can run: 1 MB. */
const STEP_PAGES = 256

/** `upkeep/backup` (ours): copies the database to another file while it is used. */
export const backupDatabase = method({
  name: 'upkeep/backup',
  parameters: z.strictObject({
    /** The file of the copy. */
    path: z.string().min(1),
    /** Whether an existing file is replaced. Default false. */
    overwrite: z.boolean().default(false),
    /** Whether kept audio is copied too, into the folder `<path>-audio`. Default true. */
    audio: z.boolean().default(true),
    /** Names the task in `upkeep` events, which report its progress. */
    task: z.string().optional(),
  }),
  async run(
    room: UpkeepRoom,
    { path: copyPath, overwrite, audio, task },
    { signal },
  ): Promise<Backup> {
    const { store, emit } = room
    const path = resolve(copyPath)
    if (!existsSync(dirname(path))) {
      throw invalidParameter(
        'path',
        `"${copyPath}"; the folder ${dirname(path)} does not exist, make it first`,
      )
    }
    if (existsSync(path) && !overwrite) {
      throw invalidParameter(
        'path',
        `"${copyPath}" exists already; name another file, or set overwrite`,
      )
    }
    if (isSameFile(path, store.databasePath())) {
      throw invalidParameter('path', `"${copyPath}" is the database itself; name another file`)
    }
    const reportProgress = (done: number, total: number) => {
      if (task !== undefined) emit('upkeep', { task, done, total })
    }
    // Renamed at the end, so that the path always names a whole copy.
    const partial = `${path}.partial-${randomUUID()}`
    try {
      await store.copyTo(partial, (done, total) => {
        signal.throwIfAborted()
        reportProgress(done, total)
        return STEP_PAGES
      })
      signal.throwIfAborted()
      store.settle(partial)
      await syncPath(partial)
      const audioFiles = audio ? await copyAudio(room, `${path}-audio`, signal) : 0
      const { size } = await stat(partial)
      await rename(partial, path)
      await syncPath(dirname(path))
      reportProgress(1, 1)
      return { path, bytes: size, audioFiles }
    } catch (error) {
      for (const suffix of ['', '-journal', '-wal', '-shm'])
        await rm(partial + suffix, { force: true })
      signal.throwIfAborted()
      throw toBackupError(error, path)
    }
  },
})

function isSameFile(path: string, otherPath: string): boolean {
  return existsSync(path) && existsSync(otherPath) && realpathSync(path) === realpathSync(otherPath)
}

async function copyAudio(
  { store, uploads }: UpkeepRoom,
  folder: string,
  signal: AbortSignal,
): Promise<number> {
  let files = 0
  for (const md5 of store.cachedMd5s()) {
    signal.throwIfAborted()
    // Private to its owner, like the original folder.
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (await copyOrLink(uploads.pathOf(md5), join(folder, md5))) files++
  }
  return files
}

/**
 * Links a file, which never changes, or copies it; an existing one has the same bytes by its md5.
 */
async function copyOrLink(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw error
      if (error.code !== 'EEXIST') return copyFile(source, target, constants.COPYFILE_FICLONE)
    })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

async function syncPath(path: string): Promise<void> {
  try {
    const file = await open(path, 'r')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    // Windows cannot open a folder, nor sync a file that is open only for reading.
    if (process.platform !== 'win32') throw error
  }
}

function toBackupError(error: unknown, path: string): unknown {
  if (error instanceof AudileError || !(error instanceof Error)) return error
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined || (error.name === 'SqliteError' && !/FULL|IOERR|CANTOPEN/.test(code))) {
    return error
  }
  const remedy = /ENOSPC|EDQUOT|FULL/.test(code)
    ? 'the disk is full, free some space or name another one'
    : 'check the path and its permissions'
  return new DatabaseError(`Cannot write ${path}: ${error.message} (${code}); ${remedy}.`, {
    cause: error,
  })
}
