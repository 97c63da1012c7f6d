import { clearInterval, setInterval } from './timers.ts'

/** About the longest interval that a timer allows. */
const LONG_INTERVAL = 2 ** 30

/** An engine's own timers and a client's socket do not keep the process alive. */
export class KeepAlive {
  #holders = 0
  #timer: NodeJS.Timeout | undefined

  async keepDuring<T>(work: () => Promise<T>): Promise<T> {
    this.#holders++
    this.#timer ??= setInterval(() => {}, LONG_INTERVAL)
    try {
      return await work()
    } finally {
      if (--this.#holders === 0) {
        clearInterval(this.#timer)
        this.#timer = undefined
      }
    }
  }

  letEnd(): void {
    clearInterval(this.#timer)
  }
}
