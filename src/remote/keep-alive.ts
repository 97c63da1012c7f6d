import { clearInterval, setInterval } from '../kernel/timers.ts'

/** Milliseconds, about the longest interval that a timer allows. */
const LONG = 2 ** 30

/** Keeps the process alive while calls wait; the socket of a client does not. */
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
}
