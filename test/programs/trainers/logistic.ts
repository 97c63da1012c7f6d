import { Adam } from './adam.ts'

/** One case of known class. */
export interface LogisticCase {
  input: readonly number[]
  /** Index of its class. */
  answer: number
  share: number
}

const ROUNDS = 200

/**
 * Multinomial logistic regression: a row for each class, its weights and, last, its bias.
 *
 * @param decay  pull of the weights to 0, against a loss of mean 1 nat
 */
export function fitLogistic(
  examples: readonly LogisticCase[],
  classes: number,
  decay: number,
): number[][] {
  const width = (examples[0]?.input.length ?? 0) + 1
  const total = examples.reduce((sum, { share }) => sum + share, 0)
  const inputs = new Float32Array(examples.length * width).fill(1)
  examples.forEach(({ input }, e) => {
    inputs.set(input, e * width)
  })
  const weights = new Float64Array(classes * width)
  const gradient = new Float64Array(classes * width)
  const chances = new Float64Array(classes)
  const adam = new Adam(weights, { rate: 0.1, squares: 0.99 })
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < weights.length; i++) gradient[i] = decay * weights[i]!
    for (let e = 0; e < examples.length; e++) {
      const { answer, share } = examples[e]!
      const row = e * width
      let all = 0
      for (let c = 0; c < classes; c++) {
        let sum = 0
        for (let i = 0; i < width; i++) sum += weights[c * width + i]! * inputs[row + i]!
        chances[c] = Math.exp(sum)
        all += chances[c]!
      }
      for (let c = 0; c < classes; c++) {
        const pull = ((chances[c]! / all - (c === answer ? 1 : 0)) * share) / total
        const from = c * width
        for (let i = 0; i < width; i++)
          gradient[from + i] = gradient[from + i]! + pull * inputs[row + i]!
      }
    }
    adam.step(gradient)
  }
  return Array.from({ length: classes }, (_, c) => [
    ...weights.subarray(c * width, (c + 1) * width),
  ])
}
