import type { Audile } from '../../../src/index.ts'

/**
 * The database that all clients of a process work with. When it is closed under them they meet here,
 * and one opens it anew for all.
 */
export class OpenLibrary {
  readonly #open: () => Promise<Audile>
  #current: Promise<Audile>

  constructor(open: () => Promise<Audile>) {
    this.#open = open
    this.#current = open()
  }

  get current(): Promise<Audile> {
    return this.#current
  }

  /** Closes what is open, unless another one was opened since, and opens it again. */
  renew(old: Promise<Audile>): Promise<Audile> {
    if (old !== this.#current) return this.#current
    const opening = async () => {
      await (await old).close()
      return this.#open()
    }
    this.#current = opening()
    return this.#current
  }

  async close(): Promise<void> {
    await (await this.#current).close()
  }
}
