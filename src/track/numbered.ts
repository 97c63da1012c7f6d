import { invalidParameter } from '../errors.ts'

/** What is under way in this process, by numbers that callers name it by. */
export class Numbered<T> {
  readonly #name: string
  readonly #all = new Map<number, T>()
  #last = 0

  /** @param name - the parameter in which callers give the number */
  constructor(name: string) {
    this.#name = name
  }

  /** Adds one, and returns its number. */
  add(one: T): number {
    this.#all.set(++this.#last, one)
    return this.#last
  }

  /** @throws {ParameterError} when it has ended */
  get(number: number): T {
    const one = this.#all.get(number)
    if (one) return one
    throw invalidParameter(this.#name, `${number} has ended`)
  }

  /** Removes one and returns it, if it is there. */
  remove(number: number): T | undefined {
    const one = this.#all.get(number)
    this.#all.delete(number)
    return one
  }

  /** Removes all, and returns them. */
  clear(): T[] {
    const all = [...this.#all.values()]
    this.#all.clear()
    return all
  }
}
