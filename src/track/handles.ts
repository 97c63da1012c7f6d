import { invalidParameter } from '../values/errors.ts'

/** By the numbers that callers give. */
export class Handles<T> extends Map<number, T> {
  readonly #name: string
  #last = 0

  /** @param name - the parameter in which callers give the number */
  constructor(name: string) {
    super()
    this.#name = name
  }

  addOperation(operation: T): number {
    this.set(++this.#last, operation)
    return this.#last
  }

  /** @throws {ParameterError} when it has ended */
  requireRunning(number: number): T {
    const operation = this.get(number)
    if (operation) return operation
    throw invalidParameter(this.#name, `${number} has ended`)
  }
}
