import { ParameterError } from '../errors.ts'
import type { TrackRow, TrackStore } from './store.ts'

/** Those who wait for tracks to leave the state `pending`. */
export class TrackWaiters {
  readonly #store: TrackStore
  readonly #waiting = new Map<string, Set<() => void>>()

  constructor(store: TrackStore) {
    this.#store = store
  }

  /**
   * Resolves with the track once it is not pending.
   *
   * @throws the signal's reason on abort; the analysis goes on
   * @throws {ParameterError} `unknown_identifier` when the track is removed meanwhile
   */
  async settled(id: string, signal: AbortSignal): Promise<TrackRow> {
    for (;;) {
      signal.throwIfAborted()
      const row = this.#store.byId(id)
      if (!row) throw unknownIdentifier(id)
      if (row.status !== 'pending') return row
      await this.#change(id, signal)
    }
  }

  /** Has those who wait for a track look again; without an id, all. */
  poke(id?: string): void {
    const woken = id === undefined ? [...this.#waiting.values()] : [this.#waiting.get(id) ?? []]
    for (const set of woken) for (const wake of [...set]) wake()
  }

  #change(id: string, signal: AbortSignal): Promise<void> {
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
    })
  }
}

/** The service's recorded answer to an id or md5 that nobody knows. */
export function unknownIdentifier(id: string): ParameterError {
  return new ParameterError('unknown_identifier', `The Identifier specified does not exist: ${id}`)
}
