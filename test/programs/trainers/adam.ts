/** Gradient descent with momentum and a step for each parameter (Kingma & Ba 2015). */
export class Adam {
  readonly #parameters: Float64Array
  readonly #rate: number
  readonly #squares: number
  readonly #mean: Float64Array
  readonly #square: Float64Array
  #steps = 0

  /** @param options  step size, and how slowly the mean squares of gradients are forgotten */
  constructor(parameters: Float64Array, options: { rate: number; squares: number }) {
    this.#parameters = parameters
    this.#rate = options.rate
    this.#squares = options.squares
    this.#mean = new Float64Array(parameters.length)
    this.#square = new Float64Array(parameters.length)
  }

  step(gradient: Float64Array): void {
    this.#steps++
    const forget = this.#squares
    for (let i = 0; i < gradient.length; i++) {
      this.#mean[i] = 0.9 * this.#mean[i]! + 0.1 * gradient[i]!
      this.#square[i] = forget * this.#square[i]! + (1 - forget) * gradient[i]! ** 2
      const mean = this.#mean[i]! / (1 - 0.9 ** this.#steps)
      const root = Math.sqrt(this.#square[i]! / (1 - forget ** this.#steps))
      this.#parameters[i] = this.#parameters[i]! - (this.#rate * mean) / (root + 1e-8)
    }
  }
}
