import type { RangedFact } from '../song/facts.ts'
import type { LibraryValues } from '../track/album-groups.ts'
import type { Wish } from './wish.ts'

const RANGE_PARTS = 20
const RANK_SAMPLE_SIZE = 4_096
/** The distance between sounds that counts as much as a whole range off the arc. */
const STRICTNESS = 100

/** A fact on the way of an arc. */
export interface ArcReason {
  /** The name of the fact. */
  fact: RangedFact
  /** What the arc wants here. */
  target: number
  /** What the track has; `null` when that is not known. */
  value: number | null
}

interface Curve {
  fact: RangedFact
  points: readonly number[]
  values: ArrayLike<number>
  /** Some of the values that are allowed, ascending. */
  sorted: Float64Array
  /** They part the range so that about equally many tracks lie in each part. */
  bounds: number[]
}

/**
 * How facts change over a mix. Ranks measure how far a track is off, so that all units count alike.
 */
export class Arc {
  readonly #curves: readonly Curve[]
  readonly #length: number

  constructor({ arc, length = 1 }: Wish, { columns }: LibraryValues, allowed: Int32Array) {
    this.#length = length
    const arcCurves = Object.entries(arc) as [RangedFact, number[] | undefined][]
    this.#curves = arcCurves.flatMap(([fact, points]) => {
      const values = columns[fact]
      if (points === undefined) return []
      const knownValues: number[] = []
      for (let i = 0; i < allowed.length; i += Math.ceil(allowed.length / RANK_SAMPLE_SIZE)) {
        const value = values[allowed[i]!]!
        if (!Number.isNaN(value)) knownValues.push(value)
      }
      const sorted = Float64Array.from(knownValues).sort()
      const bounds = new Set<number>()
      for (let k = 1; k < RANGE_PARTS && sorted.length > 0; k++)
        bounds.add(sorted[Math.floor((k * sorted.length) / RANGE_PARTS)]!)
      return [{ fact, points, values, sorted, bounds: [...bounds] }]
    })
  }

  get isFlat(): boolean {
    return this.#curves.length === 0
  }

  /** 1 without an arc. */
  get partCount(): number {
    return (this.#curves[0]?.bounds.length ?? 0) + 1
  }

  partOfTrack(num: number): number {
    const curve = this.#curves[0]
    if (!curve) return 0
    const value = curve.values[num]!
    let part = 0
    while (value >= curve.bounds[part]!) part++
    return part
  }

  /** In units of the distance between sounds. */
  costAt(num: number, step: number): number {
    let sum = 0
    for (const curve of this.#curves) {
      const off =
        rankAmong(curve, curve.values[num]!) - rankAmong(curve, this.#targetAt(curve, step))
      sum += STRICTNESS * Math.abs(off)
    }
    return sum
  }

  reasonsAt(num: number, step: number): ArcReason[] {
    return this.#curves.map((curve) => {
      const value = curve.values[num]!
      const target = Number(this.#targetAt(curve, step).toFixed(4))
      return { fact: curve.fact, target, value: Number.isNaN(value) ? null : value }
    })
  }

  #targetAt({ points }: Curve, step: number): number {
    const position = this.#length === 1 ? 0 : (step / (this.#length - 1)) * (points.length - 1)
    const leftPoint = Math.min(Math.floor(position), points.length - 1)
    const rightPoint = Math.min(leftPoint + 1, points.length - 1)
    return points[leftPoint]! + (position - leftPoint) * (points[rightPoint]! - points[leftPoint]!)
  }
}

/** Equal values count half; -1 where it is not known. */
function rankAmong({ sorted }: Curve, value: number): number {
  if (Number.isNaN(value) || sorted.length === 0) return -1
  return (countBelow(sorted, value, false) + countBelow(sorted, value, true)) / 2 / sorted.length
}

function countBelow(sorted: Float64Array, value: number, isEqualCounted: boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    const middleValue = sorted[middle]!
    if (middleValue < value || (isEqualCounted && middleValue === value)) low = middle + 1
    else high = middle
  }
  return low
}
