import { onAbort } from './abort.ts'

/** Tells calls that wait for things, named by id, that they changed. */
export class Changes {
  readonly #waiting = new Map<string, Set<() => void>>()

  /** Has the calls that wait for a thing look again; without an id, all. */
  poke(id?: string): void {
    const woken = id === undefined ? [...this.#waiting.values()] : [this.#waiting.get(id) ?? []]
    for (const set of woken) for (const wake of [...set]) wake()
  }

  /**
   * Looks at a thing now and after each {@link poke} of it, and resolves with what `look` returns,
   * once that is not `undefined`.
   *
   * @throws the signal's reason on abort, and what `look` throws
   */
  async until<T>(id: string, signal: AbortSignal, look: () => T | undefined): Promise<T> {
    for (;;) {
      signal.throwIfAborted()
      const found = look()
      if (found !== undefined) return found
      await this.#next(id, signal)
    }
  }

  #next(id: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const set = this.#waiting.get(id) ?? new Set()
      this.#waiting.set(id, set)
      let release = () => {}
      const wake = () => {
        set.delete(wake)
        if (set.size === 0) this.#waiting.delete(id)
        release()
        resolve()
      }
      set.add(wake)
      release = onAbort(signal, wake)
    })
  }
}
