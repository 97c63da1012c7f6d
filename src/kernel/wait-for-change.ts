import { onAbort } from './abort.ts'

/** Lets calls wait until something, named by an id, changes. */
export class Changes {
  readonly #waiting = new Map<string, Set<(failure?: unknown) => void>>()

  /** Wakes the calls that wait for an id; without an id, all calls. */
  poke(id?: string): void {
    const woken = id === undefined ? [...this.#waiting.values()] : [this.#waiting.get(id) ?? []]
    for (const set of woken) for (const wake of [...set]) wake()
  }

  /** Ends all waits with an error, when what they wait for may never come. */
  fail(failure: unknown): void {
    for (const set of [...this.#waiting.values()]) for (const wake of [...set]) wake(failure)
  }

  /**
   * Calls `look` now and after each {@link poke} of the id. Resolves with the first result that is not
   * `undefined`.
   *
   * @throws the signal's reason on abort, what `look` throws, and what {@link fail} is given
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
    return new Promise((resolve, reject) => {
      const set = this.#waiting.get(id) ?? new Set()
      this.#waiting.set(id, set)
      let release = () => {}
      const wake = (failure?: unknown) => {
        set.delete(wake)
        if (set.size === 0) this.#waiting.delete(id)
        release()
        if (failure === undefined) resolve()
        else reject(failure)
      }
      set.add(wake)
      release = onAbort(signal, () => wake())
    })
  }
}
