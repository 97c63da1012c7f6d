import { VECTOR_LENGTH } from '../analysis/sound-vector.ts'

/**
 * The mean and the variance of the squared distances of any vector from a sample, without computing
 * them: |x-y|² = |x|² - 2 x·y + |y|², whose moments follow from those of y and |y|².
 */
export class VectorMoments {
  readonly count: number
  readonly #mean = new Float64Array(VECTOR_LENGTH)
  /** The lower half of the covariance, row by row; what is beside the diagonal counts twice. */
  readonly #covariance = new Float64Array((VECTOR_LENGTH * (VECTOR_LENGTH + 1)) / 2)
  /** The covariance of each component with the squared length. */
  readonly #withSquare = new Float64Array(VECTOR_LENGTH)
  #square = 0
  #squareVariance = 0

  constructor(sample: readonly Int8Array[]) {
    this.count = sample.length
    const squares = sample.map((row) => row.reduce((sum, value) => sum + value * value, 0))
    for (const row of sample)
      for (let k = 0; k < VECTOR_LENGTH; k++) this.#mean[k] = this.#mean[k]! + row[k]! / this.count
    this.#square = squares.reduce((sum, square) => sum + square, 0) / this.count
    const apart = new Float64Array(VECTOR_LENGTH)
    for (const [i, row] of sample.entries()) {
      const square = squares[i]! - this.#square
      this.#squareVariance += square ** 2 / this.count
      for (let k = 0; k < VECTOR_LENGTH; k++) {
        apart[k] = row[k]! - this.#mean[k]!
        this.#withSquare[k] = this.#withSquare[k]! + (square * apart[k]!) / this.count
      }
      for (let a = 0, at = 0; a < VECTOR_LENGTH; a++) {
        const times = apart[a]! / this.count
        for (let b = 0; b < a; b++, at++)
          this.#covariance[at] = this.#covariance[at]! + 2 * times * apart[b]!
        this.#covariance[at] = this.#covariance[at]! + times * apart[a]!
        at++
      }
    }
  }

  /** The moments of the squared distances of a vector from the sample. */
  squaredDistances(vector: Int8Array): { mean: number; variance: number } {
    let length = 0
    let product = 0
    let withSquare = 0
    let form = 0
    for (let a = 0, at = 0; a < VECTOR_LENGTH; a++) {
      const value = vector[a]!
      length += value * value
      product += value * this.#mean[a]!
      withSquare += value * this.#withSquare[a]!
      let row = 0
      for (let b = 0; b <= a; b++, at++) row += this.#covariance[at]! * vector[b]!
      form += value * row
    }
    return {
      mean: length - 2 * product + this.#square,
      variance: Math.max(0, this.#squareVariance - 4 * withSquare + 4 * form),
    }
  }
}
