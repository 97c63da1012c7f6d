/**
 * Whittaker–Henderson smoothing (Whittaker, 1923): least squares of the shifts, plus `smoothing`
 * times those of the changes between gaps.
 *
 * @param weights - above 0
 */
export function smoothedTimes(
  times: readonly number[],
  weights: readonly number[],
  smoothing: number,
): number[] {
  const count = times.length
  if (count < 3) return [...times]
  // Five diagonals: weights, and the products of the second differences 1, -2, 1.
  const main = Float64Array.from(weights)
  const next = new Float64Array(count)
  const second = new Float64Array(count)
  for (let i = 0; i + 2 < count; i++) {
    main[i]! += smoothing
    main[i + 1]! += 4 * smoothing
    main[i + 2]! += smoothing
    next[i]! -= 2 * smoothing
    next[i + 1]! -= 2 * smoothing
    second[i]! += smoothing
  }
  // LDLᵀ in place: `main` is D, `next` and `second` are the diagonals of L.
  const solved = Float64Array.from(times, (time, i) => time * weights[i]!)
  for (let i = 0; i < count; i++) {
    const [below, far] = [next[i]!, second[i]!]
    next[i] = below / main[i]!
    second[i] = far / main[i]!
    if (i + 1 < count) {
      main[i + 1]! -= below * next[i]!
      next[i + 1]! -= below * second[i]!
      solved[i + 1]! -= next[i]! * solved[i]!
    }
    if (i + 2 < count) {
      main[i + 2]! -= far * second[i]!
      solved[i + 2]! -= second[i]! * solved[i]!
    }
  }
  for (let i = count - 1; i >= 0; i--)
    solved[i] =
      solved[i]! / main[i]! - next[i]! * (solved[i + 1] ?? 0) - second[i]! * (solved[i + 2] ?? 0)
  return [...solved]
}
