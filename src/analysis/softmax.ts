/** Probabilities of sum 1 whose logarithms differ as the scores do, in nats; at least one score. */
export function softmax(scores: readonly number[]): number[] {
  const highest = Math.max(...scores)
  const weights = scores.map((score) => Math.exp(score - highest))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}
