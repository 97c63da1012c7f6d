/** Probabilities of sum 1 whose logarithms differ as the scores do, in nats; at least one score. */
export function softmax(scores: readonly number[]): number[] {
  const highest = Math.max(...scores)
  const weights = scores.map((score) => Math.exp(score - highest))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}

/** The logarithms of {@link softmax}, exact for small probabilities too. */
export function logSoftmax(scores: readonly number[]): number[] {
  const highest = Math.max(...scores)
  const total = scores.reduce((sum, score) => sum + Math.exp(score - highest), 0)
  return scores.map((score) => score - highest - Math.log(total))
}
