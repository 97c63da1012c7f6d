/** Those who wait for things, named by id, to change. */
export class Changes {
  readonly #waiting = new Map<string, Set<() => void>>()

  /** Has those who wait for a thing look again; without an id, all. */
  poke(id?: string): void {
    const woken = id === undefined ? [...this.#waiting.values()] : [this.#waiting.get(id) ?? []]
    for (const set of woken) for (const wake of [...set]) wake()
  }

  /** Resolves at the next {@link poke} of a thing, or on abort: the caller looks what there is. */
  next(id: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const set = this.#waiting.get(id) ?? new Set()
      this.#waiting.set(id, set)
      const wake = () => {
        set.delete(wake)
        if (set.size === 0) this.#waiting.delete(id)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      set.add(wake)
      signal.addEventListener('abort', wake, { once: true })
      if (signal.aborted) wake()
    })
  }
}
