/**
 * The path from the first of several points to the last over `length` points, none of them twice,
 * whose largest step is as small as possible; of those, the one with the least sum of squares. It
 * extends the best paths of each length point by point, so it may miss a path that begins worse.
 *
 * @returns the places of the points; fewer than `length` where there are fewer points, or where
 * more need a step that is larger than the distance between both ends
 */
export function shortestPath(
  points: number,
  length: number,
  apart: (a: number, b: number) => number,
): number[] {
  const last = points - 1
  const steps = new Float32Array(points * points)
  for (let a = 0; a < points; a++) {
    for (let b = 0; b < a; b++) steps[a * points + b] = steps[b * points + a] = apart(a, b)
  }
  let paths = new Map<number, Path>([[0, { places: [0], largest: 0, squares: 0 }]])
  let found = [0, last]
  for (let count = 3; count <= Math.min(length, points); count++) {
    const longer = new Map<number, Path>()
    for (let to = 1; to < last; to++) {
      const best = extended(paths.values(), to, steps, points)
      if (best) longer.set(to, best)
    }
    paths = longer
    const whole = extended(paths.values(), last, steps, points)
    if (whole && whole.largest <= steps[last]!) found = whole.places
  }
  return found
}

interface Path {
  places: readonly number[]
  largest: number
  squares: number
}

/** The best path that goes on to a point. */
function extended(paths: Iterable<Path>, to: number, steps: Float32Array, points: number) {
  let best: (Omit<Path, 'places'> & { before: Path }) | undefined
  for (const before of paths) {
    const step = steps[before.places.at(-1)! * points + to]!
    const largest = Math.max(before.largest, step)
    const squares = before.squares + step * step
    if (best && (largest > best.largest || (largest === best.largest && squares >= best.squares))) {
      continue
    }
    if (!before.places.includes(to)) best = { largest, squares, before }
  }
  return best && { ...best, places: [...best.before.places, to] }
}
