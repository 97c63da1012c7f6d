import { VECTOR_LENGTH } from '../analysis/sound-vector.ts'

/**
 * Of the squared distances of a vector from a sample: |x-y|² = |x|² - 2 x·y + |y|² gives them by
 * the moments of y.
 */
export class VectorMoments {
  readonly count: number
  readonly #mean = new Float64Array(VECTOR_LENGTH)
  /** Row by row; what is beside the diagonal counts twice. */
  readonly #covariance = new Float64Array((VECTOR_LENGTH * (VECTOR_LENGTH + 1)) / 2)
  /** Of each component with the squared length. */
  readonly #withSquare = new Float64Array(VECTOR_LENGTH)
  #square = 0
  #squareVariance = 0

  constructor(sample: readonly Int8Array[]) {
    this.count = sample.length
    const squares = sample.map((row) => row.reduce((sum, value) => sum + value * value, 0))
    for (const row of sample)
      for (let k = 0; k < VECTOR_LENGTH; k++) this.#mean[k] = this.#mean[k]! + row[k]! / this.count
    this.#square = squares.reduce((sum, square) => sum + square, 0) / this.count
    const difference = new Float64Array(VECTOR_LENGTH)
    for (const [i, row] of sample.entries()) {
      const square = squares[i]! - this.#square
      this.#squareVariance += square ** 2 / this.count
      for (let k = 0; k < VECTOR_LENGTH; k++) {
        difference[k] = row[k]! - this.#mean[k]!
        this.#withSquare[k] = this.#withSquare[k]! + (square * difference[k]!) / this.count
      }
      for (let a = 0, place = 0; a < VECTOR_LENGTH; a++) {
        const times = difference[a]! / this.count
        for (let b = 0; b < a; b++, place++)
          this.#covariance[place] = this.#covariance[place]! + 2 * times * difference[b]!
        this.#covariance[place] = this.#covariance[place]! + times * difference[a]!
        place++
      }
    }
  }

  distanceMoments(vector: Int8Array): { mean: number; variance: number } {
    let length = 0
    let product = 0
    let withSquare = 0
    let form = 0
    for (let a = 0, place = 0; a < VECTOR_LENGTH; a++) {
      const value = vector[a]!
      length += value * value
      product += value * this.#mean[a]!
      withSquare += value * this.#withSquare[a]!
      let row = 0
      for (let b = 0; b <= a; b++, place++) row += this.#covariance[place]! * vector[b]!
      form += value * row
    }
    return {
      mean: length - 2 * product + this.#square,
      variance: Math.max(0, this.#squareVariance - 4 * withSquare + 4 * form),
    }
  }
}
