import { onAbort } from './abort.ts'

/** Lets calls wait until something, named by an id, changes. */
export class Changes {
  readonly #waiting = new Map<string, Set<(failure?: unknown) => void>>()

  /** Without an id, all calls. */
  wakeWaits(id?: string): void {
    const woken = id === undefined ? [...this.#waiting.values()] : [this.#waiting.get(id) ?? []]
    for (const set of woken) for (const wake of [...set]) wake()
  }

  /** What they wait for may never come. */
  failWaits(failure: unknown): void {
    for (const set of [...this.#waiting.values()]) for (const wake of [...set]) wake(failure)
  }

  /**
   * Resolves with the first result that is not `undefined`.
   *
   * @throws the signal's reason on abort, and what {@link failWaits} is given
   */
  async waitUntil<T>(id: string, signal: AbortSignal, readResult: () => T | undefined): Promise<T> {
    for (;;) {
      signal.throwIfAborted()
      const result = readResult()
      if (result !== undefined) return result
      await this.#waitForNext(id, signal)
    }
  }

  #waitForNext(id: string, signal: AbortSignal): Promise<void> {
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
