import { unlessAborted } from '../kernel/abort.ts'
import { clearTimeout, setTimeout } from '../kernel/timers.ts'
import { ClosedError } from '../values/errors.ts'

/** For an engine that was closed on purpose: enough for a restart. */
export const RESTART_MILLISECONDS = 10_000

interface OutageWait {
  promise: Promise<void>
  come(): void
  giveUp(error: Error): void
  timer?: NodeJS.Timeout
}

/** A time without an engine to call, and the calls that wait for its end. */
export class Outage {
  #waiting: OutageWait | undefined

  beginOutage(): void {
    if (this.#waiting) return
    const waiting = {} as OutageWait
    waiting.promise = new Promise((come, giveUp) => {
      waiting.come = come
      waiting.giveUp = giveUp
    })
    // Without a waiting call, nobody else handles a rejection.
    waiting.promise.catch(() => {})
    this.#waiting = waiting
  }

  /** Rejects calls after some milliseconds, until the engine is back. */
  limitWait(milliseconds: number, reason: string): void {
    const waiting = this.#waiting
    if (!waiting) return
    clearTimeout(waiting.timer)
    waiting.timer = setTimeout(() => waiting.giveUp(new ClosedError(reason)), milliseconds)
    waiting.timer.unref()
  }

  /** The engine is back, or gone for good. */
  endOutage(): void {
    clearTimeout(this.#waiting?.timer)
    this.#waiting?.come()
    this.#waiting = undefined
  }

  /**
   * @throws {ClosedError} when the engine was closed on purpose, and is not back in time
   * @throws the signal's reason on abort
   */
  async awaitEnd(signal: AbortSignal): Promise<void> {
    while (this.#waiting) await unlessAborted(this.#waiting.promise, signal)
  }
}
