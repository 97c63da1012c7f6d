import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { AudileError, DatabaseError, DecodeError, ParameterError } from '../errors.ts'
import { isGone, PROCESS_NAME } from '../kernel/jobs/liveness.ts'

/** Bytes that are on disk, and their md5. */
export interface Stored {
  path: string
  md5: string
  /** Size and time of change as they were before the first byte was read. */
  size: number
  modified: number
}

/** A file that came in as bytes but is not known to belong to a track yet; then who takes it in. */
const INCOMING = 'incoming-'
/** The folder of a database in memory; then whose it is. */
const TEMPORARY = 'audile-'
/**
 * A file without a track that nobody has touched for so long was left by a crash, if its name does
 * not tell that the process is gone. In milliseconds.
 */
const ABANDONED = 3_600_000
const READ_BYTES = 1 << 20
/** What people listen to is for no other user of the machine to read. */
const OWNER_ONLY = { folder: 0o700, file: 0o600 }
const MD5 = /^[0-9a-f]{32}$/

/**
 * The folder for audio that came in as bytes: beside the database, named after it; for a database
 * in memory a temporary folder that goes with it.
 */
export class Spool {
  readonly #folder: string
  readonly #temporary: boolean
  readonly #maxBytes: number

  constructor(database: string, maxBytes: number) {
    this.#temporary = database === ':memory:'
    this.#folder = this.#temporary
      ? join(tmpdir(), `${TEMPORARY}${PROCESS_NAME}-${randomUUID()}`)
      : `${database}-audio`
    this.#maxBytes = maxBytes
  }

  /**
   * Removes what a crash left: half-written files, those that no track came to own, and the folders
   * of databases in memory.
   *
   * @param owned - whether a track has its bytes here
   */
  async sweep(now: number, owned: (md5: string) => boolean): Promise<void> {
    await sweepTemporary()
    if (!existsSync(this.#folder)) return
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name)
      if (!(name.startsWith(INCOMING) || MD5.test(name)) || owned(name)) continue
      // Another process may be about to register it.
      if (name.startsWith(INCOMING) && isGone(name.slice(INCOMING.length))) {
        await rm(path, { force: true })
        continue
      }
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
      if (now - mtimeMs > ABANDONED) await rm(path, { force: true })
    }
  }

  /**
   * Writes a stream to the folder, hashing it on the way.
   *
   * @throws {ParameterError} `limit_exceeded` over `limits.uploadBytes`; what was written is removed
   * @throws {DatabaseError} when the folder cannot be written, or its disk is full
   */
  async receive(next: () => Promise<Uint8Array | undefined>): Promise<Stored> {
    const path = join(this.#folder, `${INCOMING}${PROCESS_NAME}-${randomUUID()}`)
    const hash = createHash('md5')
    let bytes = 0
    const file = await this.#onDisk(() => {
      const made = mkdirSync(this.#folder, { recursive: true, mode: OWNER_ONLY.folder })
      if (made) syncFolder(dirname(this.#folder))
      return open(path, 'wx', OWNER_ONLY.file)
    })
    try {
      for (let chunk = await next(); chunk; chunk = await next()) {
        const piece = chunk
        bytes += piece.length
        this.#check(bytes)
        hash.update(piece)
        await this.#onDisk(() => file.writeFile(piece))
      }
      // The upload is acknowledged with the database's own durability; so must its bytes be.
      await this.#onDisk(() => file.sync())
    } catch (error) {
      await file.close()
      await this.abandon({ path })
      throw error
    }
    await file.close()
    const { size, mtimeMs } = await stat(path)
    return { path, md5: hash.digest('hex'), size, modified: mtimeMs }
  }

  /** Does a step with the folder; what the source of the bytes throws is not its error. */
  async #onDisk<T>(step: () => T | Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      throw this.#notWritable(error)
    }
  }

  #notWritable(error: unknown): DatabaseError {
    const { code = '', message } = error as NodeJS.ErrnoException
    const remedy = /ENOSPC|EDQUOT/.test(code)
      ? 'the disk is full, free some space'
      : 'the folder must be writable, like the database'
    return new DatabaseError(`Cannot keep audio in ${this.#folder}: ${message}; ${remedy}.`, {
      cause: error,
    })
  }

  /**
   * Where the kept copy of these bytes is. Told anew each time: the database and its folder may be
   * moved, or reached by another path.
   */
  pathOf(md5: string): string {
    return join(this.#folder, md5)
  }

  /** Whether there is a kept copy of these bytes. */
  holds(md5: string): boolean {
    return existsSync(this.pathOf(md5))
  }

  /**
   * Gives received bytes their lasting name. At once, inside the transaction that says so: SQLite's
   * lock orders it and {@link discard}, which is called in one too, between processes. The name is
   * on the disk before the transaction is.
   *
   * @throws {DatabaseError} when the folder cannot be written
   */
  keep(stored: Stored): void {
    try {
      // The same bytes that are there already may be open, which on Windows forbids to replace them.
      if (this.holds(stored.md5)) return
      renameSync(stored.path, this.pathOf(stored.md5))
      syncFolder(this.#folder)
    } catch (error) {
      throw this.#notWritable(error)
    }
  }

  /** Removes received bytes that were not kept. */
  async abandon({ path }: Pick<Stored, 'path'>): Promise<void> {
    // What cannot be removed now is swept at a later open; it is no reason to refuse what was done.
    await rm(path, { force: true }).catch(() => {})
  }

  /**
   * Removes the kept copy of these bytes, if there is one.
   *
   * @throws {DatabaseError} when the folder cannot be written
   */
  discard(md5: string): void {
    try {
      rmSync(this.pathOf(md5), { force: true })
    } catch (error) {
      throw this.#notWritable(error)
    }
  }

  /**
   * The md5 of a file of the caller's.
   *
   * @throws {DecodeError} when it cannot be read or is no regular file
   * @throws {ParameterError} `limit_exceeded` over `limits.uploadBytes`
   */
  async hash(path: string, signal?: AbortSignal): Promise<Stored> {
    try {
      const info = await stat(path)
      if (!info.isFile()) {
        throw new DecodeError(`${path} is not a file; to take in a folder use tracks.uploadFolder.`)
      }
      this.#check(info.size)
      const hash = createHash('md5')
      const chunks = createReadStream(path, {
        highWaterMark: READ_BYTES,
        ...(signal && { signal }),
      })
      // Of what was read: a file that is written meanwhile may have had another.
      let size = 0
      for await (const chunk of chunks as AsyncIterable<Buffer>) {
        hash.update(chunk)
        size += chunk.length
      }
      return { path, md5: hash.digest('hex'), size, modified: info.mtimeMs }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof AudileError) throw error
      const { code } = error as NodeJS.ErrnoException
      const why = code === 'ENOENT' ? 'there is no such file' : (error as Error).message
      throw new DecodeError(`Cannot read ${path}: ${why}.`, { cause: error })
    }
  }

  /** Removes the folder of a database in memory. */
  close(): void {
    if (this.#temporary) rmSync(this.#folder, { recursive: true, force: true })
  }

  #check(bytes: number): void {
    if (bytes <= this.#maxBytes) return
    throw new ParameterError(
      'limit_exceeded',
      `The audio has more than the ${this.#maxBytes} bytes of limits.uploadBytes; raise the limit if it is meant.`,
    )
  }
}

/** Has the disk hold the names in a folder. */
function syncFolder(folder: string): void {
  // Windows opens no folders.
  if (process.platform === 'win32') return
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

async function sweepTemporary(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(TEMPORARY) || !isGone(name.slice(TEMPORARY.length))) continue
    // It may be another user's.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  }
}
