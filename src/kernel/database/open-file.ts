import { statSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { DatabaseError } from '../../values/errors.ts'
import { clearInterval, setInterval } from '../timers.ts'

/** Milliseconds between two checks of the file. */
const WATCH = 1_000

/**
 * Watches the file of an open database. SQLite keeps the file open. After the file was removed or
 * replaced, SQLite would go on writing to it, and those writes would be lost.
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
    this.#file = this.#look()
    this.#timer = setInterval(() => this.#watch(), WATCH)
    this.#timer.unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #watch(): void {
    const now = this.#look()
    if (this.#file === undefined || now === undefined || now === this.#file) return
    this.close()
    const why =
      now === ''
        ? 'was removed or renamed while it was open; what is written now would be lost. Put it back, or restore a backup, and open it again.'
        : 'was replaced by another file while it was open; what is written now would not be in it. Open it again.'
    this.#lost.abort(new DatabaseError(`${this.#path} ${why}`))
  }

  /** Identifies the file at the path; empty when there is none, `undefined` when it is unknown. */
  #look(): string | undefined {
    try {
      const info = statSync(this.#path, { bigint: true, throwIfNoEntry: false })
      return info ? `${info.dev}:${info.ino}` : ''
    } catch {
      // A network drive that does not answer says nothing about the file.
      return undefined
    }
  }
}
