import { exactTime } from '../intervals.ts'
import { accentsOf } from './accents.ts'
import { type Edges, firstFrom, type Material, nearestTo, snapped } from './material.ts'

/** `[parts, of]`: so many beats take the place of so many. */
export type Ratio = readonly [parts: number, of: number]

/** Tempi that listeners and analysers take for one another. */
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

/** Which beats stay. Chosen on 201 made pieces of 67 styles. */
const KEPT = {
  /** What a beat earns that begins a bar. */
  bar: 0.05,
  /** What it costs to keep another beat than every so-manieth. */
  slip: 12,
}

/** Where beats between others lie. Chosen on the same pieces. */
const INNER = {
  /** Places that are compared on either side of the even one, and what share of a part they reach. */
  places: 12,
  reach: 0.36,
  /** What the farthest place costs, and with a tatum there; the best supported earns 1. */
  cost: 2,
  tatumCost: 0.8,
  /** Support that counts half. */
  soft: 0.5,
  /** Stretches before and after that have a say. */
  around: 4,
  /** Seconds from a place to its onset or tatum. */
  near: 0.03,
}

/**
 * Beats in a ratio to others. Of every `of` beats the first stays, on the digit: the one on which
 * bars and accents fall. Each stretch between two of these gets `parts` beats: where onsets are played
 * in this stretch and its neighbours, else evenly.
 *
 * @param anchor - a beat that must stay, by its index
 */
export function regrouped(material: Material, [parts, of]: Ratio, anchor?: number): number[] {
  const { edges } = material
  const kept = of === 1 ? [...edges] : withEnd(edges, keptOf(material, of, anchor))
  if (parts === 1) return kept
  // Tatums say how the document's own beats are divided, not how others are.
  return divided(kept, parts, of === 1 ? material : { ...material, tatums: new Float64Array() })
}

/** The indices of beats that stay: the path of most accents, which slips only where it must. */
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

/** Each stretch cut into parts. */
function divided(kept: readonly number[], parts: number, material: Material): number[] {
  const stretches = kept.length - 1
  const inner: Float64Array[] = []
  for (let part = 1; part < parts; part++) inner.push(sharesOf(kept, part / parts, parts, material))
  const times: number[] = []
  for (let s = 0; s < stretches; s++) {
    const start = kept[s]!
    const length = kept[s + 1]! - start
    times.push(start)
    for (const shares of inner) {
      const place = start + shares[s]! * length
      const near = Math.min(INNER.near, (0.2 * length) / parts)
      times.push(exactTime(snapped(material, place, near)))
    }
  }
  times.push(kept[stretches]!)
  return times
}

/** For each stretch the share of it after which an inner beat is played. */
function sharesOf(
  kept: readonly number[],
  even: number,
  parts: number,
  material: Material,
): Float64Array {
  const { places, around, soft, cost, tatumCost } = INNER
  const width = 2 * places + 1
  const { support, onTatum } = placesOf(kept, even, parts, material)
  const supports = new Float64Array(width)
  const tatums = new Float64Array(width)
  return Float64Array.from({ length: kept.length - 1 }, (_, s) => {
    supports.fill(0)
    tatums.fill(0)
    let weights = 0
    const last = Math.min(kept.length - 2, s + around)
    for (let n = Math.max(0, s - around); n <= last; n++) {
      const weight = 1 - Math.abs(n - s) / (around + 1)
      weights += weight
      for (let place = 0; place < width; place++) {
        supports[place] = supports[place]! + weight * support[n * width + place]!
        tatums[place] = tatums[place]! + weight * onTatum[n * width + place]!
      }
    }
    let full = soft
    for (const sum of supports) full = Math.max(full, sum + soft)
    let best = places
    let most = -Infinity
    for (let place = 0; place < width; place++) {
      const off = (place - places) / places
      const each = cost - (cost - tatumCost) * (tatums[place]! / weights)
      const score = supports[place]! / full - each * off * off
      if (score > most) {
        most = score
        best = place
      }
    }
    return placeShare(best, even, parts)
  })
}

/** The share of a stretch at which a place is. */
function placeShare(place: number, even: number, parts: number): number {
  return even + ((place / INNER.places - 1) * INNER.reach) / parts
}

/** How far onsets support each place of each stretch, and whether a tatum is there: row-major. */
function placesOf(
  kept: readonly number[],
  even: number,
  parts: number,
  { onsets, strengths, tatums }: Material,
): { support: Float64Array; onTatum: Uint8Array } {
  const { places, near } = INNER
  const width = 2 * places + 1
  const support = new Float64Array((kept.length - 1) * width)
  const onTatum = new Uint8Array(support.length)
  for (let s = 0; s + 1 < kept.length; s++) {
    const start = kept[s]!
    const length = kept[s + 1]! - start
    const from = start + placeShare(0, even, parts) * length
    const step = (placeShare(1, even, parts) - placeShare(0, even, parts)) * length
    const to = from + (width - 1) * step
    /** Calls for each place that is near to a time, with the distance as a share. */
    const eachNear = (time: number, call: (at: number, off: number) => void) => {
      const last = Math.min(width - 1, Math.floor((time + near - from) / step))
      for (let place = Math.max(0, Math.ceil((time - near - from) / step)); place <= last; place++)
        call(s * width + place, (from + place * step - time) / near)
    }
    for (let i = firstFrom(onsets, from - near); i < onsets.length && onsets[i]! < to + near; i++)
      eachNear(onsets[i]!, (at, off) => {
        support[at] = Math.max(support[at]!, strengths[i]! * (1 - off * off))
      })
    for (let i = firstFrom(tatums, from - near); i < tatums.length && tatums[i]! < to + near; i++)
      eachNear(tatums[i]!, (at) => {
        onTatum[at] = 1
      })
  }
  return { support, onTatum }
}
