import { messageOf } from '../errors.ts'
import type { LogLevel } from '../kernel/host.ts'
import { performance, sleep } from '../kernel/timers.ts'

/** Milliseconds before the second try; each further one waits twice as long. */
const FIRST_WAIT = 200
const LONGEST_WAIT = 10_000
/** Milliseconds between two warnings about the same outage. */
const WARN_AGAIN = 60_000

/** An error that no repetition of the call can help. */
export class Final extends Error {
  /** Whether the server refused it. */
  readonly isRefusal: boolean = false
}

/** What {@link Persistence} tells: the server's name, for messages and counts. */
export type Server = 'queue' | 'store'

/**
 * Repeats calls to servers until they succeed: a server that restarts, or refuses for a while, fails
 * no job. Waits grow, with jitter so that a fleet does not come back all at once.
 */
export class Persistence {
  /** Calls that were refused, by server. */
  readonly refused: Record<Server, number> = { queue: 0, store: 0 }
  readonly #log: (level: LogLevel, message: string, detail?: unknown) => void
  readonly #warned: Record<Server, number> = { queue: -WARN_AGAIN, store: -WARN_AGAIN }

  constructor(log: (level: LogLevel, message: string, detail?: unknown) => void) {
    this.#log = log
  }

  /**
   * @param signal - ends the repetition
   * @throws {Final} when it is one; the signal's reason on abort
   */
  async call<T>(server: Server, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      signal.throwIfAborted()
      try {
        return await work()
      } catch (error) {
        signal.throwIfAborted()
        const isFinal = error instanceof Final
        if (!isFinal || error.isRefusal) {
          this.refused[server]++
          this.#warn(server, error)
        }
        if (isFinal) throw error
      }
      await pausing(wait * (0.5 + Math.random()), signal)
    }
  }

  #warn(server: Server, error: unknown): void {
    const now = performance.now()
    if (now - this.#warned[server] < WARN_AGAIN) return
    this.#warned[server] = now
    const what = `The fleet's ${server} does not answer (${messageOf(error)}); it is tried again.`
    this.#log('warn', what, error)
  }
}

/**
 * Waits without keeping the process alive.
 *
 * @throws the signal's reason on abort
 */
export async function pausing(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal, ref: false })
  } catch {
    signal.throwIfAborted()
  }
}
