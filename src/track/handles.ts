import { invalidParameter } from '../values/errors.ts'

/** The running operations of this process, by the numbers that callers give. */
export class Handles<T> extends Map<number, T> {
  readonly #name: string
  #last = 0

  /** @param name - the parameter in which callers give the number */
  constructor(name: string) {
    super()
    this.#name = name
  }

  add(one: T): number {
    this.set(++this.#last, one)
    return this.#last
  }

  /** @throws {ParameterError} when it has ended */
  running(number: number): T {
    const one = this.get(number)
    if (one) return one
    throw invalidParameter(this.#name, `${number} has ended`)
  }
}
