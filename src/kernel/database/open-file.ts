import { statSync } from 'node:fs'

/**
 * The file that a database was opened from. SQLite holds it open, and would go on writing into it
 * for nobody after it was removed, or another one was put in its place.
 */
export class OpenFile {
  readonly #path: string
  readonly #file: string | undefined

  /** @param path - of a file that is open */
  constructor(path: string) {
    this.#path = path
    this.#file = this.#look()
  }

  /** What happened to the file, in a sentence that says what to do; `undefined` while it is there. */
  lost(): string | undefined {
    // It could not even be looked at when it was opened.
    if (this.#file === undefined) return undefined
    const now = this.#look()
    if (now === undefined || now === this.#file) return undefined
    return now === ''
      ? `${this.#path} was removed or renamed while it was open; what is written now would be lost. Put it back, or restore a backup, and open it again.`
      : `${this.#path} was replaced by another file while it was open; what is written now would not be in it. Open it again.`
  }

  /** Names the file itself; empty when there is none by the path, `undefined` when none can tell. */
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
