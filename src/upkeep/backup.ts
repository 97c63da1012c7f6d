import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { AudileError, DatabaseError, invalidParameter } from '../errors.ts'
import { method } from '../kernel/method.ts'
import type { UpkeepRoom } from './room.ts'

const parameters = z.strictObject({
  /** Path of the copy. */
  path: z.string().min(1),
  /** Whether a file at the path is replaced, once the copy is whole. Default false. */
  overwrite: z.boolean().default(false),
  /** Whether kept audio is copied too, into the folder `<path>-audio`. Default true. */
  audio: z.boolean().default(true),
  /** The name of the work in `upkeep` events, which tell its progress. */
  task: z.string().optional(),
})

/** A copy of a database. */
export interface Backup {
  /** The absolute path of the file. */
  path: string
  /** Its size. */
  bytes: number
  /** The files of kept audio that are with it now, in the folder `<path>-audio`. */
  audioFiles: number
}

/** Pages between which other work can come: 1 MB. */
const PAGES = 256
/** Files of kept audio that are listed together. */
const FILES = 100

/** `upkeep/backup` (ours): copies the database to another file while it is used. */
export const backup = method({
  name: 'upkeep/backup',
  parameters,
  async run(
    context: UpkeepRoom,
    { path: given, overwrite, audio, task },
    { signal },
  ): Promise<Backup> {
    const path = resolve(given)
    if (!existsSync(dirname(path))) {
      throw invalidParameter(
        'path',
        `"${given}"; the folder ${dirname(path)} does not exist, make it first`,
      )
    }
    if (existsSync(path) && !overwrite) {
      throw invalidParameter(
        'path',
        `"${given}" exists already; name another file, or set overwrite`,
      )
    }
    const tell = (done: number, total: number) => {
      if (task !== undefined) context.emit('upkeep', { task, done, total })
    }
    if (isSameFile(path, context.store.path())) {
      throw invalidParameter('path', `"${given}" is the database itself; name another file`)
    }
    // The name that was asked for is given last: whatever bears it is a whole copy.
    const partial = `${path}.partial-${randomUUID()}`
    try {
      await context.store.copyTo(partial, (done, total) => {
        signal.throwIfAborted()
        tell(done, total)
        return PAGES
      })
      signal.throwIfAborted()
      context.store.settle(partial)
      await sync(partial)
      const audioFiles = audio ? await copyAudio(context, `${path}-audio`, signal) : 0
      const { size } = await stat(partial)
      await rename(partial, path)
      await sync(dirname(path))
      tell(1, 1)
      return { path, bytes: size, audioFiles }
    } catch (error) {
      for (const end of ['', '-journal', '-wal', '-shm']) await rm(partial + end, { force: true })
      signal.throwIfAborted()
      throw asBackupError(error, path)
    }
  },
})

function isSameFile(one: string, other: string): boolean {
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other)
}

async function copyAudio(
  { store, audio }: UpkeepRoom,
  folder: string,
  signal: AbortSignal,
): Promise<number> {
  let files = 0
  for (let after = ''; ; ) {
    const names = store.keptAfter(after, FILES)
    for (const md5 of names) {
      signal.throwIfAborted()
      if (await audio.copy(md5, folder)) files++
    }
    const last = names.at(-1)
    if (last === undefined) return files
    after = last
  }
}

/** Has the disk hold what was written. */
async function sync(path: string): Promise<void> {
  try {
    const file = await open(path, 'r')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    // Windows opens no folders, and syncs no file that is open for reading only.
    if (process.platform !== 'win32') throw error
  }
}

function asBackupError(error: unknown, path: string): unknown {
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
