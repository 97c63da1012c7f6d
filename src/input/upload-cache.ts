import { createHash, randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readFilePieces } from '../kernel/file-pieces.ts'
import { isOfEndedProcess, PROCESS_NAME } from '../kernel/process-name.ts'
import { AudileError, DatabaseError, DecodeError, ParameterError } from '../values/errors.ts'
import { explainMisnaming } from '../values/file-names.ts'

export interface HashedFile {
  path: string
  md5: string
  size: number
  /** Before the first byte was read, in milliseconds since 1970. */
  modified: number
}

/** A file without a track; the name of the receiving process follows. */
const INCOMING_PREFIX = 'incoming-'
/** The folder of an in-memory database; the name of its process follows. */
const TEMPORARY_PREFIX = 'audile-'
/** For untouched files without a track whose name does not show that their process is gone. */
const ABANDONED_UPLOAD_MILLISECONDS = 3_600_000
/** No other user of the machine may read what people listen to. */
const OWNER_ONLY = { folder: 0o700, file: 0o600 }
const MD5_NAME = /^[0-9a-f]{32}$/

/** Beside the database and with its name; temporary for an in-memory database. */
export class UploadCache {
  readonly #folder: string
  readonly #isTemporary: boolean
  readonly #maxBytes: number

  constructor(database: string, maxBytes: number) {
    this.#isTemporary = database === ':memory:'
    this.#folder = this.#isTemporary
      ? join(tmpdir(), `${TEMPORARY_PREFIX}${PROCESS_NAME}-${randomUUID()}`)
      : `${database}-audio`
    this.#maxBytes = maxBytes
  }

  /**
   * Removes what a crash left.
   * @param hasTrack - whether a track has the file with this md5
   */
  async sweep(now: number, hasTrack: (md5: string) => boolean): Promise<void> {
    await sweepTemporary()
    if (!existsSync(this.#folder)) return
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name)
      if (!(name.startsWith(INCOMING_PREFIX) || MD5_NAME.test(name)) || hasTrack(name)) continue
      // Another process may be about to register it.
      if (
        name.startsWith(INCOMING_PREFIX) &&
        isOfEndedProcess(name.slice(INCOMING_PREFIX.length))
      ) {
        await rm(path, { force: true })
        continue
      }
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
      if (now - mtimeMs > ABANDONED_UPLOAD_MILLISECONDS) await rm(path, { force: true })
    }
  }

  /**
   * @throws {ParameterError} `limit_exceeded` over `limits.uploadBytes`; what was written is
   * removed
   * @throws {DatabaseError} when the folder cannot be written, or its disk is full
   */
  async receive(stream: AsyncIterable<Uint8Array>): Promise<HashedFile> {
    const path = join(this.#folder, `${INCOMING_PREFIX}${PROCESS_NAME}-${randomUUID()}`)
    const hash = createHash('md5')
    let bytes = 0
    const file = await this.#toDatabaseError(() => {
      const madeFolder = mkdirSync(this.#folder, { recursive: true, mode: OWNER_ONLY.folder })
      if (madeFolder) syncFolderNow(dirname(this.#folder))
      return open(path, 'wx', OWNER_ONLY.file)
    })
    try {
      for await (const piece of stream) {
        bytes += piece.length
        this.#checkSize(bytes)
        hash.update(piece)
        await this.#toDatabaseError(() => file.writeFile(piece))
      }
      // An acknowledged upload survives a power cut, and so must its bytes.
      await this.#toDatabaseError(() => file.sync())
    } catch (error) {
      await file.close()
      await this.abandon({ path })
      throw error
    }
    await file.close()
    const { size, mtimeMs } = await stat(path)
    return { path, md5: hash.digest('hex'), size, modified: mtimeMs }
  }

  /** Errors of the stream pass through. */
  async #toDatabaseError<T>(step: () => T | Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      throw this.#notWritableError(error)
    }
  }

  #notWritableError(error: unknown): DatabaseError {
    const { code = '', message } = error as NodeJS.ErrnoException
    const remedy = /ENOSPC|EDQUOT/.test(code)
      ? 'the disk is full, free some space'
      : 'the folder must be writable, like the database'
    return new DatabaseError(`Cannot keep audio in ${this.#folder}: ${message}; ${remedy}.`, {
      cause: error,
    })
  }

  /** Never stored: users can move the database and its folder. */
  pathOf(md5: string): string {
    return join(this.#folder, md5)
  }

  holds(md5: string): boolean {
    return existsSync(this.pathOf(md5))
  }

  /**
   * Called inside the transaction that registers the bytes: SQLite's lock orders it and {@link
   * discard}.
   * @throws {DatabaseError} when the folder cannot be written
   */
  keep(received: HashedFile): void {
    try {
      // The file may exist and be open, and Windows does not replace an open file.
      if (this.holds(received.md5)) return
      renameSync(received.path, this.pathOf(received.md5))
      syncFolderNow(this.#folder)
    } catch (error) {
      throw this.#notWritableError(error)
    }
  }

  /** They were not kept. */
  async abandon({ path }: Pick<HashedFile, 'path'>): Promise<void> {
    // A later open sweeps what cannot be removed now.
    await rm(path, { force: true }).catch(() => {})
  }

  /**
   * Inside a transaction; see {@link keep}.
   * @throws {DatabaseError} when the folder cannot be written
   */
  discard(md5: string): void {
    try {
      rmSync(this.pathOf(md5), { force: true })
    } catch (error) {
      throw this.#notWritableError(error)
    }
  }

  /**
   * @throws {DecodeError} when it cannot be read or is no regular file
   * @throws {ParameterError} `limit_exceeded` over `limits.uploadBytes`
   */
  async hash(path: string, signal?: AbortSignal): Promise<HashedFile> {
    try {
      const info = await stat(path)
      if (!info.isFile()) {
        throw new DecodeError(`${path} is not a file; to take in a folder use tracks.uploadFolder.`)
      }
      this.#checkSize(info.size)
      const hash = createHash('md5')
      // The size can differ from that of `stat` if another program writes the file.
      const size = await readFilePieces(path, (piece) => hash.update(piece), signal)
      return { path, md5: hash.digest('hex'), size, modified: info.mtimeMs }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof AudileError) throw error
      const { code } = error as NodeJS.ErrnoException
      const reason = code === 'ENOENT' ? 'there is no such file' : (error as Error).message
      const explanation = (await explainMisnaming(path)) ?? reason
      throw new DecodeError(`Cannot read ${path}: ${explanation}.`, { cause: error })
    }
  }

  /** Only that of a database in memory. */
  close(): void {
    if (this.#isTemporary) rmSync(this.#folder, { recursive: true, force: true })
  }

  #checkSize(bytes: number): void {
    if (bytes <= this.#maxBytes) return
    throw new ParameterError(
      'limit_exceeded',
      `The audio has more than the ${this.#maxBytes} bytes of limits.uploadBytes; raise the limit if it is meant.`,
    )
  }
}

/** The names in it reach the disk. */
function syncFolderNow(folder: string): void {
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
    if (
      !name.startsWith(TEMPORARY_PREFIX) ||
      !isOfEndedProcess(name.slice(TEMPORARY_PREFIX.length))
    )
      continue
    // It may belong to another user.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  }
}
