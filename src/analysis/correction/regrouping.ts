import { exactTime } from '../intervals.ts'
import { accentsOf } from './accents.ts'
import { type Edges, type Material, nearestTo, supportAt } from './material.ts'

/** `[parts, of]`: `parts` beats replace every `of` beats. */
export type Ratio = readonly [parts: number, of: number]

/** Ratios of tempi that listeners and analysers confuse. */
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

/** Which beats stay. Chosen on 201 generated pieces of 67 styles. */
const KEPT = {
  /** Reward for keeping a beat that begins a bar. */
  bar: 0.05,
  /** Cost of a step that is longer or shorter than `of` beats. */
  slip: 12,
}

/** Where beats between others lie. Chosen on the same pieces. */
const INNER = {
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
 * Beats regrouped by a ratio. One of every `of` beats stays, exactly in place: the one on which
 * bars and accents fall. Each stretch between two of these gets `parts` beats: at the onsets of
 * this stretch and its neighbours, else evenly spaced.
 *
 * @param anchor - a beat that must stay, by its index
 */
export function regrouped(material: Material, [parts, of]: Ratio, anchor?: number): number[] {
  const { edges } = material
  const kept = of === 1 ? [...edges] : withEnd(edges, keptOf(material, of, anchor))
  return parts === 1 ? kept : divided(kept, parts, material)
}

/** The indices of beats that stay: the path with most accents and few irregular steps. */
function keptOf(material: Material, of: number, anchor: number | undefined): number[] {
  const beats = material.edges.slice(0, -1)
  const accents = accentsOf(beats, material)
  for (const { start } of material.document.bars) {
    const at = nearestTo(beats, start)
    accents[at] = accents[at]! + KEPT.bar
  }
  // Far more than any path earns.
  if (anchor !== undefined) accents[anchor] = 1e6
  const best = new Float64Array(beats.length)
  const from = new Int32Array(beats.length).fill(-1)
  for (let i = 0; i < beats.length; i++) {
    let most = i < of ? 0 : -Infinity
    for (const step of [of, of - 1, of + 1]) {
      if (step < 1 || i < step) continue
      const score = best[i - step]! - (step === of ? 0 : KEPT.slip)
      if (score <= most) continue
      most = score
      from[i] = i - step
    }
    best[i] = accents[i]! + most
  }
  let last = beats.length - 1
  for (let i = Math.max(0, beats.length - of); i < beats.length; i++)
    if (best[i]! > best[last]!) last = i
  const kept: number[] = []
  for (let i = last; i >= 0; i = from[i]!) kept.push(i)
  return kept.reverse()
}

/** The beats that stay, to the end of the last stretch that is whole, or nearly. */
function withEnd(edges: Edges, kept: readonly number[]): number[] {
  const times = kept.map((i) => edges[i]!)
  const end = edges.at(-1)!
  const last = times.at(-1)!
  const stretch = last - (times.at(-2) ?? last - 2 * (end - last))
  return end - last < 0.9 * stretch ? [...times, exactTime(last + stretch)] : [...times, end]
}

function divided(kept: readonly number[], parts: number, material: Material): number[] {
  const inner = Array.from({ length: parts - 1 }, (_, i) =>
    sharesOf(kept, (i + 1) / parts, parts, material),
  )
  const times = kept.slice(0, -1).flatMap((start, s) => {
    const length = kept[s + 1]! - start
    const near = Math.min(INNER.near, (0.2 * length) / parts)
    const cuts = inner.map((shares) =>
      exactTime(supportAt(material, start + shares[s]! * length, near).at),
    )
    return [start, ...cuts]
  })
  return [...times, kept.at(-1)!]
}

/** For each stretch the share of it after which an inner beat is played. */
function sharesOf(
  kept: readonly number[],
  even: number,
  parts: number,
  material: Material,
): number[] {
  const { places, reach, near, around, soft, cost } = INNER
  const shares = Array.from(
    { length: 2 * places + 1 },
    (_, place) => even + ((place / places - 1) * reach) / parts,
  )
  const played = kept.slice(0, -1).map((start, s) => {
    const length = kept[s + 1]! - start
    return shares.map((share) => supportAt(material, start + share * length, near).support)
  })
  return played.map((_, s) => {
    const from = Math.max(0, s - around)
    const supports = new Float64Array(shares.length)
    played.slice(from, s + around + 1).forEach((stretch, n) => {
      const weight = 1 - Math.abs(from + n - s) / (around + 1)
      stretch.forEach((support, place) => {
        supports[place]! += weight * support
      })
    })
    const full = soft + Math.max(...supports)
    const scores = supports.map((sum, place) => sum / full - cost * (place / places - 1) ** 2)
    return shares[scores.indexOf(Math.max(...scores))]!
  })
}
