import { unlessAborted } from '../kernel/abort.ts'
import { clearTimeout, setTimeout } from '../kernel/timers.ts'
import { ClosedError } from '../values/errors.ts'

/**
 * Milliseconds that calls wait for an engine that was closed on purpose: enough for a restart.
 * After a cut they wait until the client gives the engine up.
 */
export const LEFT_PATIENCE = 10_000

interface Waiting {
  promise: Promise<void>
  come(): void
  giveUp(error: Error): void
  timer?: NodeJS.Timeout
}

/** A time without an engine to call, and the calls that wait for its end. */
export class Outage {
  #waiting: Waiting | undefined

  begin(): void {
    if (this.#waiting) return
    const waiting = {} as Waiting
    waiting.promise = new Promise((come, giveUp) => {
      waiting.come = come
      waiting.giveUp = giveUp
    })
    // Without a waiting call, nobody else handles a rejection.
    waiting.promise.catch(() => {})
    this.#waiting = waiting
  }

  /** Rejects calls after some milliseconds, until the engine is back. */
  limit(milliseconds: number, why: string): void {
    const waiting = this.#waiting
    if (!waiting) return
    clearTimeout(waiting.timer)
    waiting.timer = setTimeout(() => waiting.giveUp(new ClosedError(why)), milliseconds)
    waiting.timer.unref()
  }

  /** Ends the outage: the engine is back, or gone for good. */
  end(): void {
    clearTimeout(this.#waiting?.timer)
    this.#waiting?.come()
    this.#waiting = undefined
  }

  /**
   * Waits for the end of an outage.
   *
   * @throws {ClosedError} when the engine was closed on purpose, and is not back in time
   * @throws the signal's reason on abort
   */
  async over(signal: AbortSignal): Promise<void> {
    while (this.#waiting) await unlessAborted(this.#waiting.promise, signal)
  }
}
