import { clearInterval, setInterval } from './timers.ts'

/** Milliseconds, about the longest interval that a timer allows. */
const LONG = 2 ** 30

/** Keeps the process alive while calls wait; an engine's own timers and a client's socket do not. */
export class KeepAlive {
  #holders = 0
  #timer: NodeJS.Timeout | undefined

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#holders++
    this.#timer ??= setInterval(() => {}, LONG)
    try {
      return await work()
    } finally {
      if (--this.#holders === 0) {
        clearInterval(this.#timer)
        this.#timer = undefined
      }
    }
  }

  /** Lets the process end while work still waits. */
  end(): void {
    clearInterval(this.#timer)
  }
}
