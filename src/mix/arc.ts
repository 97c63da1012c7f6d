import type { RangedFact } from '../song/facts.ts'
import type { LibraryValues } from '../track/album-groups.ts'
import type { Wish } from './wish.ts'

/** Parts of a range that a pool covers. */
const GROUPS = 20
/** Values by which a distribution is known. */
const SAMPLE = 4_096
/**
 * The distance, in units of that between sounds, that counts as much as a whole range off the arc:
 * tracks within a hundredth of the range from the aim are chosen by their sound.
 */
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
  /** The values between parts of the range that hold about equally many tracks. */
  bounds: number[]
}

/**
 * How facts are to change over a mix. How far a track is off is told by ranks: the share of the
 * allowed tracks between its value and the aim, so that facts of all units and distributions count
 * alike.
 */
export class Arc {
  readonly #curves: readonly Curve[]
  readonly #length: number

  constructor({ arc, length = 1 }: Wish, { columns }: LibraryValues, allowed: Int32Array) {
    this.#length = length
    const given = Object.entries(arc) as [RangedFact, number[] | undefined][]
    this.#curves = given.flatMap(([fact, points]) => {
      const values = columns[fact]
      if (points === undefined) return []
      const known: number[] = []
      for (let i = 0; i < allowed.length; i += Math.ceil(allowed.length / SAMPLE)) {
        const value = values[allowed[i]!]!
        if (!Number.isNaN(value)) known.push(value)
      }
      const sorted = Float64Array.from(known).sort()
      const bounds = new Set<number>()
      for (let k = 1; k < GROUPS && sorted.length > 0; k++)
        bounds.add(sorted[Math.floor((k * sorted.length) / GROUPS)]!)
      return [{ fact, points, values, sorted, bounds: [...bounds] }]
    })
  }

  /** Whether the mix has no arc. */
  get isFlat(): boolean {
    return this.#curves.length === 0
  }

  /** Parts of the range of the first fact; 1 without an arc. */
  get groups(): number {
    return (this.#curves[0]?.bounds.length ?? 0) + 1
  }

  /** The part in which a track lies: 0…{@link groups} - 1. */
  groupOf(num: number): number {
    const curve = this.#curves[0]
    if (!curve) return 0
    const value = curve.values[num]!
    let group = 0
    while (value >= curve.bounds[group]!) group++
    return group
  }

  /** What a track has against it at a step, in units of the distance between sounds. */
  offset(num: number, step: number): number {
    let sum = 0
    for (const curve of this.#curves) {
      const off = rankOf(curve, curve.values[num]!) - rankOf(curve, this.#target(curve, step))
      sum += STRICTNESS * Math.abs(off)
    }
    return sum
  }

  /** What the arc says about a track at a step. */
  reasons(num: number, step: number): ArcReason[] {
    return this.#curves.map((curve) => {
      const value = curve.values[num]!
      const target = Number(this.#target(curve, step).toFixed(4))
      return { fact: curve.fact, target, value: Number.isNaN(value) ? null : value }
    })
  }

  #target({ points }: Curve, step: number): number {
    const at = this.#length === 1 ? 0 : (step / (this.#length - 1)) * (points.length - 1)
    const before = Math.min(Math.floor(at), points.length - 1)
    const after = Math.min(before + 1, points.length - 1)
    return points[before]! + (at - before) * (points[after]! - points[before]!)
  }
}

/** The share of the allowed values below one, counting equal ones half; far off if it is not known. */
function rankOf({ sorted }: Curve, value: number): number {
  if (Number.isNaN(value) || sorted.length === 0) return -1
  return (boundOf(sorted, value, false) + boundOf(sorted, value, true)) / 2 / sorted.length
}

/** The number of values below one, or of those not above it. */
function boundOf(sorted: Float64Array, value: number, isEqualCounted: boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    const one = sorted[middle]!
    if (one < value || (isEqualCounted && one === value)) low = middle + 1
    else high = middle
  }
  return low
}
