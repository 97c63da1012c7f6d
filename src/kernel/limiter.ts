import { onAbort } from './abort.ts'

/** Lets so many in at a time; the others wait for their turn, first come, first served. */
export class Limiter {
  readonly #width: number
  readonly #waiting: (() => void)[] = []
  #inside = 0

  constructor(width: number) {
    this.#width = width
  }

  /**
   * Does `work` when there is room.
   *
   * @throws the signal's reason when it aborts before that
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#width) await this.#turn(signal)
    else this.#inside++
    try {
      return await work()
    } finally {
      // The place goes straight to the next, so that nobody slips in between.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#inside--
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
