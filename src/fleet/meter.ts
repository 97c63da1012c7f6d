import { performance } from '../kernel/timers.ts'

/** Seconds over which the rate is measured, and the number of parts that they have. */
const SPAN = 300
const PARTS = 60

/** Counts the results and failures of a fleet. */
export class Meter {
  readonly #started = performance.now()
  /** Results by parts of the span, by the number of the part. */
  readonly #results = new Map<number, number>()
  #total = 0
  #files = 0
  #workers = 0

  done(): void {
    this.#total++
    const part = this.#part()
    this.#results.set(part, (this.#results.get(part) ?? 0) + 1)
    if (this.#results.size > PARTS) this.#forget(part)
  }

  /** Counts a task that failed. @param givenUp - whether because of workers, not of the file */
  failed(givenUp: boolean): void {
    this.done()
    if (givenUp) this.#workers++
    else this.#files++
  }

  /** @param refused - calls that the servers refused */
  figures(refused: { queue: number; store: number }) {
    const part = this.#part()
    this.#forget(part)
    const sum = [...this.#results.values()].reduce((total, results) => total + results, 0)
    const seconds = Math.min(SPAN, (performance.now() - this.#started) / 1000)
    const failures = { file: this.#files, worker: this.#workers, ...refused }
    return { results: this.#total, rate: sum / Math.max(seconds, 1), failures }
  }

  #part(): number {
    return Math.floor(performance.now() / ((SPAN / PARTS) * 1000))
  }

  #forget(part: number): void {
    for (const old of this.#results.keys()) if (old <= part - PARTS) this.#results.delete(old)
  }
}
