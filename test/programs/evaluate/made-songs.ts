import type { Codes } from './systems.ts'

export class SongMaker {
  readonly #real: readonly Codes[]
  constructor(real: readonly Codes[]) {
    this.#real = real
  }
  song(number: number): Codes {
    return this.#real[number % this.#real.length]!
  }
}
