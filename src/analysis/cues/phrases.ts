import { nearestTo } from '../correction/material.ts'
import type { AnalysisDocument } from '../document.ts'

export interface Stretch {
  /** The index of its first bar, and of the bar after its last. */
  from: number
  to: number
  /** Of the boundary at its start, 0…1. */
  confidence: number
}

/** Bars in the phrases of most popular music, the longer first. */
const PHRASE_BARS = [16, 8] as const

/** A section begins with the nearest bar; the farther that is, the less sure. */
export function sectionStretches(
  { sections, bars }: AnalysisDocument,
  edges: readonly number[],
  first: number,
): Stretch[] {
  const starts = [{ bar: first, confidence: 1 }]
  for (const section of sections.slice(1)) {
    const bar = nearestTo(edges, section.start)
    const length = bars[Math.min(bar, bars.length - 1)]!.duration
    const barsOff = Math.abs(edges[bar]! - section.start) / length
    if (bar <= starts.at(-1)!.bar || bar >= bars.length) continue
    starts.push({ bar, confidence: section.confidence * (1 - barsOff) })
  }
  return starts.map(({ bar, confidence }, i) => ({
    from: bar,
    to: starts[i + 1]?.bar ?? bars.length,
    confidence,
  }))
}

/**
 * Phrases count from a boundary: from the start of a stretch, in the first back from its end. Bars
 * that are left over make the others less sure.
 */
export function phrasesOf(stretches: readonly Stretch[]): Stretch[] {
  if (stretches.length < 2) return []
  return stretches.flatMap(({ from, to, confidence }, i) => {
    const bars = to - from
    const length = PHRASE_BARS.find((candidate) => bars % candidate === 0) ?? 8
    const count = Math.floor(bars / length)
    const firstBar = i === 0 ? to - count * length : from
    const boundaryConfidence = i === 0 ? stretches[1]!.confidence : confidence
    return Array.from({ length: count }, (_, k) => ({
      from: firstBar + k * length,
      to: firstBar + (k + 1) * length,
      confidence: (boundaryConfidence * count * length) / bars,
    }))
  })
}
