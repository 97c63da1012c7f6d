import { createHash, randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readFilePieces } from '../kernel/file-pieces.ts'
import { isOfEndedProcess, PROCESS_NAME } from '../kernel/process-name.ts'
import { AudileError, DatabaseError, DecodeError, ParameterError } from '../values/errors.ts'
import { misnaming } from '../values/file-names.ts'

export interface HashedFile {
  path: string
  md5: string
  /** Bytes that were read. */
  size: number
  /** Time of change before the first byte was read, in milliseconds since 1970. */
  modified: number
}

/** Prefix of the name of a file without a track; the name of the receiving process follows. */
const INCOMING = 'incoming-'
/** Prefix of the folder name of an in-memory database; the name of its process follows. */
const TEMPORARY = 'audile-'
/**
 * Milliseconds after which an untouched file without a track counts as left by a crash, if its
 * name does not already show that its process is gone.
 */
const ABANDONED = 3_600_000
/** No other user of the machine may read what people listen to. */
const OWNER_ONLY = { folder: 0o700, file: 0o600 }
const MD5 = /^[0-9a-f]{32}$/

/**
 * The folder of audio that came in as bytes. It lies beside the database and has its
 * name; the folder of an in-memory database is temporary.
 */
export class UploadCache {
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
   * Removes what a crash left: half-written files, files without a track, and the folders of
   * databases in memory.
   *
   * @param belongs - whether a track has the file with this md5
   */
  async sweep(now: number, belongs: (md5: string) => boolean): Promise<void> {
    await sweepTemporary()
    if (!existsSync(this.#folder)) return
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name)
      if (!(name.startsWith(INCOMING) || MD5.test(name)) || belongs(name)) continue
      // Another process may be about to register it.
      if (name.startsWith(INCOMING) && isOfEndedProcess(name.slice(INCOMING.length))) {
        await rm(path, { force: true })
        continue
      }
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
      if (now - mtimeMs > ABANDONED) await rm(path, { force: true })
    }
  }

  /**
   * Writes a stream to a file in the folder.
   *
   * @throws {ParameterError} `limit_exceeded` over `limits.uploadBytes`; what was written is removed
   * @throws {DatabaseError} when the folder cannot be written, or its disk is full
   */
  async receive(stream: AsyncIterable<Uint8Array>): Promise<HashedFile> {
    const path = join(this.#folder, `${INCOMING}${PROCESS_NAME}-${randomUUID()}`)
    const hash = createHash('md5')
    let bytes = 0
    const file = await this.#onDisk(() => {
      const made = mkdirSync(this.#folder, { recursive: true, mode: OWNER_ONLY.folder })
      if (made) syncFolder(dirname(this.#folder))
      return open(path, 'wx', OWNER_ONLY.file)
    })
    try {
      for await (const piece of stream) {
        bytes += piece.length
        this.#check(bytes)
        hash.update(piece)
        await this.#onDisk(() => file.writeFile(piece))
      }
      // An acknowledged upload survives a power cut, and so must its bytes.
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

  /** Turns an error of the folder into a DatabaseError; errors of the stream pass through. */
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
   * The path of the kept copy of these bytes. It is never stored: users can move the
   * database and its folder, or open them by another path.
   */
  pathOf(md5: string): string {
    return join(this.#folder, md5)
  }

  holds(md5: string): boolean {
    return existsSync(this.pathOf(md5))
  }

  /**
   * Gives received bytes their final name, inside the transaction that registers them: SQLite's
   * lock orders this and {@link discard} between processes. The name reaches the disk before the
   * transaction does.
   *
   * @throws {DatabaseError} when the folder cannot be written
   */
  keep(received: HashedFile): void {
    try {
      // The file may already exist and be open, and Windows does not replace an open file.
      if (this.holds(received.md5)) return
      renameSync(received.path, this.pathOf(received.md5))
      syncFolder(this.#folder)
    } catch (error) {
      throw this.#notWritable(error)
    }
  }

  /** Removes received bytes that were not kept. */
  async abandon({ path }: Pick<HashedFile, 'path'>): Promise<void> {
    // A later open sweeps what cannot be removed now.
    await rm(path, { force: true }).catch(() => {})
  }

  /**
   * Removes the kept copy of these bytes, if there is one, inside a transaction; see {@link keep}.
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
   * Reads the caller's file and computes its md5.
   *
   * @throws {DecodeError} when it cannot be read or is no regular file
   * @throws {ParameterError} `limit_exceeded` over `limits.uploadBytes`
   */
  async hash(path: string, signal?: AbortSignal): Promise<HashedFile> {
    try {
      const info = await stat(path)
      if (!info.isFile()) {
        throw new DecodeError(`${path} is not a file; to take in a folder use tracks.uploadFolder.`)
      }
      this.#check(info.size)
      const hash = createHash('md5')
      // The size can differ from that of `stat` if another program writes the file.
      const size = await readFilePieces(path, (piece) => hash.update(piece), signal)
      return { path, md5: hash.digest('hex'), size, modified: info.mtimeMs }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof AudileError) throw error
      const { code } = error as NodeJS.ErrnoException
      const absent = code === 'ENOENT' ? 'there is no such file' : (error as Error).message
      const why = (await misnaming(path)) ?? absent
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

/** Writes the names in a folder to the disk. */
function syncFolder(folder: string): void {
  // Windows cannot open folders.
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
    if (!name.startsWith(TEMPORARY) || !isOfEndedProcess(name.slice(TEMPORARY.length))) continue
    // It may belong to another user.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  }
}
