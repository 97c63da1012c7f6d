import { exactTime } from '../intervals.ts'
import { accentsOf } from './accents.ts'
import { type Edges, type Material, nearestTo, supportAt } from './material.ts'

/** `parts` beats replace every `of` beats. */
export type Ratio = readonly [parts: number, of: number]

export const RATIOS: readonly Ratio[] = [
  [1, 3],
  [1, 2],
  [2, 3],
  [3, 4],
  [4, 3],
  [3, 2],
  [2, 1],
  [3, 1],
]

/** Which beats stay. */
const KEPT_BEATS = {
  /** Reward for keeping a beat that begins a bar. */
  bar: 0.05,
  /** Cost of a step that is longer or shorter than `of` beats. */
  slip: 12,
}

/** Where beats between others lie. */
const INNER_BEATS = {
  /** Places compared on either side of the even one, and the share of a part that they reach. */
  places: 12,
  reach: 0.36,
  /** What the farthest place costs; the best supported earns 1. */
  cost: 0.8,
  /** Support that counts half. */
  soft: 0.5,
  /** Stretches before and after that count. */
  around: 4,
  /** Seconds from a place to its onset. */
  near: 0.03,
}

/**
 * One of every `of` beats stays, where bars and accents fall; `parts` beats go between, at onsets
 * or evenly.
 *
 * @param anchor - the index of a beat that must stay
 */
export function regroupBeats(material: Material, [parts, of]: Ratio, anchor?: number): number[] {
  const { edges } = material
  const keptEdges = of === 1 ? [...edges] : withEnd(edges, keptBeats(material, of, anchor))
  return parts === 1 ? keptEdges : divideStretches(keptEdges, parts, material)
}

/** The indices of the path with most accents and few irregular steps. */
function keptBeats(material: Material, of: number, anchor: number | undefined): number[] {
  const beats = material.edges.slice(0, -1)
  const accents = accentsOf(beats, material)
  for (const { start } of material.document.bars) {
    const barBeat = nearestTo(beats, start)
    accents[barBeat] = accents[barBeat]! + KEPT_BEATS.bar
  }
  // Far more than any path earns.
  if (anchor !== undefined) accents[anchor] = 1e6
  const best = new Float64Array(beats.length)
  const previous = new Int32Array(beats.length).fill(-1)
  for (let i = 0; i < beats.length; i++) {
    let bestBefore = i < of ? 0 : -Infinity
    for (const step of [of, of - 1, of + 1]) {
      if (step < 1 || i < step) continue
      const score = best[i - step]! - (step === of ? 0 : KEPT_BEATS.slip)
      if (score <= bestBefore) continue
      bestBefore = score
      previous[i] = i - step
    }
    best[i] = accents[i]! + bestBefore
  }
  let last = beats.length - 1
  for (let i = Math.max(0, beats.length - of); i < beats.length; i++)
    if (best[i]! > best[last]!) last = i
  const keptIndices: number[] = []
  for (let i = last; i >= 0; i = previous[i]!) keptIndices.push(i)
  return keptIndices.reverse()
}

function withEnd(edges: Edges, keptIndices: readonly number[]): number[] {
  const times = keptIndices.map((i) => edges[i]!)
  const end = edges.at(-1)!
  const last = times.at(-1)!
  const stretch = last - (times.at(-2) ?? last - 2 * (end - last))
  return end - last < 0.9 * stretch ? [...times, exactTime(last + stretch)] : [...times, end]
}

function divideStretches(
  keptEdges: readonly number[],
  parts: number,
  material: Material,
): number[] {
  const inner = Array.from({ length: parts - 1 }, (_, i) =>
    innerBeatShares(keptEdges, (i + 1) / parts, parts, material),
  )
  const times = keptEdges.slice(0, -1).flatMap((start, s) => {
    const length = keptEdges[s + 1]! - start
    const near = Math.min(INNER_BEATS.near, (0.2 * length) / parts)
    const cuts = inner.map((shares) =>
      exactTime(supportAt(material, start + shares[s]! * length, near).at),
    )
    return [start, ...cuts]
  })
  return [...times, keptEdges.at(-1)!]
}

/** For each stretch the share of it after which an inner beat is played. */
function innerBeatShares(
  keptEdges: readonly number[],
  even: number,
  parts: number,
  material: Material,
): number[] {
  const { places, reach, near, around, soft, cost } = INNER_BEATS
  const shares = Array.from(
    { length: 2 * places + 1 },
    (_, place) => even + ((place / places - 1) * reach) / parts,
  )
  const played = keptEdges.slice(0, -1).map((start, s) => {
    const length = keptEdges[s + 1]! - start
    return shares.map((share) => supportAt(material, start + share * length, near).support)
  })
  return played.map((_, s) => {
    const firstStretch = Math.max(0, s - around)
    const supports = new Float64Array(shares.length)
    played.slice(firstStretch, s + around + 1).forEach((stretch, n) => {
      const weight = 1 - Math.abs(firstStretch + n - s) / (around + 1)
      stretch.forEach((support, place) => {
        supports[place]! += weight * support
      })
    })
    const full = soft + Math.max(...supports)
    const scores = supports.map((sum, place) => sum / full - cost * (place / places - 1) ** 2)
    return shares[scores.indexOf(Math.max(...scores))]!
  })
}
