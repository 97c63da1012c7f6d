import { clearInterval, setInterval } from '../kernel/timers.ts'

/** The longest interval of a timer, about. */
const LONG = 2 ** 30

/** Keeps the process alive while calls wait; the socket of a client does not. */
export class KeepAlive {
  #holders = 0
  #timer: NodeJS.Timeout | undefined

  hold(): void {
    this.#holders++
    this.#timer ??= setInterval(() => {}, LONG)
  }

  release(): void {
    if (--this.#holders > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
