import { Turns } from './turns.ts'

/** Limits how much work runs at once. The rest waits, first come, first served. */
export class Limiter {
  readonly #turns: Turns<Limiter>

  constructor(width: number) {
    this.#turns = new Turns(width)
  }

  /** @throws the signal's reason when it aborts during the wait */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(this, signal, work)
  }
}
