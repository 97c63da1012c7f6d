import { clearInterval, setInterval } from '../kernel/timers.ts'

/** Looks at the clock in the time after which work counts as stuck. */
const LOOKS = 12

/**
 * Notices work that reports nothing for too long. It counts its own looks at the clock, so that the
 * hours in which the process was stopped or the machine slept do not count.
 */
export class StallWatch {
  readonly #timer: NodeJS.Timeout
  #silent = 0

  constructor(milliseconds: number, onStall: () => void) {
    this.#timer = setInterval(() => {
      if (++this.#silent < LOOKS) return
      this.stop()
      onStall()
    }, milliseconds / LOOKS)
    this.#timer.unref()
  }

  /** The work reported something. */
  alive(): void {
    this.#silent = 0
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
