import { nearestTo } from '../correction/material.ts'
import type { AnalysisDocument } from '../document.ts'

/** A stretch of whole bars between two boundaries. */
export interface Stretch {
  /** The index of its first bar, and of the bar after its last. */
  from: number
  to: number
  /** How sure it is that it begins there, 0…1. */
  confidence: number
}

/** Bars in the phrases of most popular music, the longer first. */
const LENGTHS = [16, 8] as const

/**
 * The sections as stretches of whole bars, from a bar on. A section begins with the nearest bar; the
 * farther that is, the less sure.
 */
export function stretchesOf(
  { sections, bars }: AnalysisDocument,
  edges: readonly number[],
  first: number,
): Stretch[] {
  const starts = [{ bar: first, confidence: 1 }]
  for (const section of sections.slice(1)) {
    const bar = nearestTo(edges, section.start)
    const length = bars[Math.min(bar, bars.length - 1)]!.duration
    const off = Math.abs(edges[bar]! - section.start) / length
    if (bar <= starts.at(-1)!.bar || bar >= bars.length) continue
    starts.push({ bar, confidence: section.confidence * (1 - off) })
  }
  return starts.map(({ bar, confidence }, i) => ({
    from: bar,
    to: starts[i + 1]?.bar ?? bars.length,
    confidence,
  }))
}

/**
 * Phrases of 16 or 8 bars: a stretch whose bars are a multiple of 16 has phrases of 16, any other
 * has phrases of 8. They are counted from its start; in the first stretch, whose start is no
 * boundary, back from its end. Bars that are left over belong to no phrase, and make the others of
 * their stretch less sure. Without a boundary there are none.
 */
export function phrasesOf(stretches: readonly Stretch[]): Stretch[] {
  if (stretches.length < 2) return []
  return stretches.flatMap(({ from, to, confidence }, i) => {
    const bars = to - from
    const length = LENGTHS.find((one) => bars % one === 0) ?? 8
    const count = Math.floor(bars / length)
    const begin = i === 0 ? to - count * length : from
    const sure = i === 0 ? stretches[1]!.confidence : confidence
    return Array.from({ length: count }, (_, k) => ({
      from: begin + k * length,
      to: begin + (k + 1) * length,
      confidence: (sure * count * length) / bars,
    }))
  })
}
