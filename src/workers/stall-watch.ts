import { clearInterval, setInterval } from '../kernel/timers.ts'

/** Timer ticks within the time after which work counts as stuck. */
const TICKS = 12

/**
 * Notices work that reports nothing for too long. It counts ticks of its own timer, so that time in
 * which the process was stopped or the machine slept does not count.
 */
export class StallWatch {
  readonly #timer: NodeJS.Timeout
  #silentTicks = 0

  constructor(milliseconds: number, onStall: () => void) {
    this.#timer = setInterval(() => {
      if (++this.#silentTicks < TICKS) return
      this.stop()
      onStall()
    }, milliseconds / TICKS)
    this.#timer.unref()
  }

  /** The work reported something. */
  alive(): void {
    this.#silentTicks = 0
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
