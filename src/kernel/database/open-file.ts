import { statSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { DatabaseError } from '../../values/errors.ts'
import { clearInterval, setInterval } from '../timers.ts'

const FILE_CHECK_MILLISECONDS = 1_000

/**
 * After the file was removed or replaced, SQLite would go on writing, and the writes would be lost.
 */
export class OpenFile {
  readonly #path: string
  readonly #file: string | undefined
  readonly #lost = new AbortController()
  /** Aborts when the file was removed or replaced, with an error that says what to do. */
  readonly lost: AbortSignal = this.#lost.signal
  readonly #timer: NodeJS.Timeout | undefined

  constructor(db: Database) {
    this.#path = db.name
    if (db.memory) return
    this.#file = this.#identifyFile()
    this.#timer = setInterval(() => this.#checkFile(), FILE_CHECK_MILLISECONDS)
    this.#timer.unref()
  }

  stopWatching(): void {
    clearInterval(this.#timer)
  }

  #checkFile(): void {
    const current = this.#identifyFile()
    if (this.#file === undefined || current === undefined || current === this.#file) return
    this.stopWatching()
    const why =
      current === ''
        ? 'was removed or renamed while it was open; what is written now would be lost. Put it back, or restore a backup, and open it again.'
        : 'was replaced by another file while it was open; what is written now would not be in it. Open it again.'
    this.#lost.abort(new DatabaseError(`${this.#path} ${why}`))
  }

  /** Empty when there is no file, `undefined` when it is unknown. */
  #identifyFile(): string | undefined {
    try {
      const info = statSync(this.#path, { bigint: true, throwIfNoEntry: false })
      return info ? `${info.dev}:${info.ino}` : ''
    } catch {
      // A network drive that does not answer says nothing.
      return undefined
    }
  }
}
