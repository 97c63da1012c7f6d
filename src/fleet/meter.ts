import { performance } from '../kernel/timers.ts'

/** The rate is measured over so many seconds, in so many parts. */
const SPAN_SECONDS = 300
const SPAN_PARTS = 60

export class Meter {
  readonly #started = performance.now()
  /** By the number of the part of the span. */
  readonly #results = new Map<number, number>()
  #total = 0
  #files = 0
  #workers = 0

  countResult(): void {
    this.#total++
    const part = this.#currentPart()
    this.#results.set(part, (this.#results.get(part) ?? 0) + 1)
    if (this.#results.size > SPAN_PARTS) this.#forgetBefore(part)
  }

  /** @param givenUp - whether because of workers, not of the file */
  countFailure(givenUp: boolean): void {
    this.countResult()
    if (givenUp) this.#workers++
    else this.#files++
  }

  /** @param refused - calls that the servers refused */
  readFigures(refused: { queue: number; store: number }) {
    const part = this.#currentPart()
    this.#forgetBefore(part)
    const sum = [...this.#results.values()].reduce((total, results) => total + results, 0)
    const seconds = Math.min(SPAN_SECONDS, (performance.now() - this.#started) / 1000)
    const failures = { file: this.#files, worker: this.#workers, ...refused }
    return { results: this.#total, rate: sum / Math.max(seconds, 1), failures }
  }

  #currentPart(): number {
    return Math.floor(performance.now() / ((SPAN_SECONDS / SPAN_PARTS) * 1000))
  }

  #forgetBefore(part: number): void {
    for (const oldPart of this.#results.keys())
      if (oldPart <= part - SPAN_PARTS) this.#results.delete(oldPart)
  }
}
