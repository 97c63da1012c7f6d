import { onAbort } from './abort.ts'

/** Limits how much work runs at once. The rest waits, first come, first served. */
export class Limiter {
  readonly #width: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  /** @param width - the most work that runs at once */
  constructor(width: number) {
    this.#width = width
  }

  /**
   * Does `work`, after waiting for a free place.
   *
   * @throws the signal's reason when it aborts during the wait
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#width) await this.#turn(signal)
    else this.#running++
    try {
      return await work()
    } finally {
      // The place passes directly to the next in line, so that a new call cannot take it.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const enter = () => {
        release()
        resolve()
      }
      const release = onAbort(signal, () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(signal.reason)
      })
      this.#waiting.push(enter)
    })
  }
}
