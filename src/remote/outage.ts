import { unlessAborted } from '../kernel/abort.ts'
import { clearTimeout, setTimeout } from '../kernel/timers.ts'
import { ClosedError } from '../values/errors.ts'

/**
 * Milliseconds that calls wait for an engine that was closed on purpose: what a service takes to start
 * anew. After a cut they wait until it is given up.
 */
export const LEFT_PATIENCE = 10_000

interface Waiting {
  promise: Promise<void>
  come(): void
  giveUp(error: Error): void
  timer?: NodeJS.Timeout
}

/** The times in which there is no engine to call, and who waits then. */
export class Outage {
  #waiting: Waiting | undefined

  /** There is no engine now. */
  begin(): void {
    if (this.#waiting) return
    const waiting = {} as Waiting
    waiting.promise = new Promise((come, giveUp) => {
      waiting.come = come
      waiting.giveUp = giveUp
    })
    // Nobody may be waiting.
    waiting.promise.catch(() => {})
    this.#waiting = waiting
  }

  /** From some milliseconds on calls are rejected, until the engine is there again. */
  limit(milliseconds: number, why: string): void {
    const waiting = this.#waiting
    if (!waiting) return
    clearTimeout(waiting.timer)
    waiting.timer = setTimeout(() => waiting.giveUp(new ClosedError(why)), milliseconds)
    waiting.timer.unref()
  }

  /** The engine is there again, or will never be. */
  end(): void {
    clearTimeout(this.#waiting?.timer)
    this.#waiting?.come()
    this.#waiting = undefined
  }

  /**
   * Waits until there is an engine, or never will be.
   *
   * @throws {ClosedError} when it was closed on purpose, and is not there again
   * @throws the signal's reason on abort
   */
  async over(signal: AbortSignal): Promise<void> {
    while (this.#waiting) await unlessAborted(this.#waiting.promise, signal)
  }
}
