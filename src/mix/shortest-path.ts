/**
 * Its largest step is as small as possible, then its sum of squares. The search is greedy by
 * length.
 *
 * @returns the places of the points; fewer than `length` where there are fewer points, or where
 * more need a step larger than the whole distance
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
  let paths = new Map<number, PartialPath>([[0, { places: [0], largest: 0, squares: 0 }]])
  let places = [0, last]
  for (let count = 3; count <= Math.min(length, points); count++) {
    const longer = new Map<number, PartialPath>()
    for (let point = 1; point < last; point++) {
      const best = bestExtension(paths.values(), point, steps, points)
      if (best) longer.set(point, best)
    }
    paths = longer
    const wholePath = bestExtension(paths.values(), last, steps, points)
    if (wholePath && wholePath.largest <= steps[last]!) places = wholePath.places
  }
  return places
}

interface PartialPath {
  places: readonly number[]
  largest: number
  squares: number
}

function bestExtension(
  paths: Iterable<PartialPath>,
  point: number,
  steps: Float32Array,
  points: number,
) {
  let best: (Omit<PartialPath, 'places'> & { path: PartialPath }) | undefined
  for (const previousPath of paths) {
    const step = steps[previousPath.places.at(-1)! * points + point]!
    const largest = Math.max(previousPath.largest, step)
    const squares = previousPath.squares + step * step
    if (best && (largest > best.largest || (largest === best.largest && squares >= best.squares))) {
      continue
    }
    if (!previousPath.places.includes(point)) best = { largest, squares, path: previousPath }
  }
  return best && { ...best, places: [...best.path.places, point] }
}
