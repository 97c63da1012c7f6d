import type { Codes } from './codes.ts'
import { type Landmarks, salient, strongest } from './landmarks.ts'
import type { Peak } from './spectral-peaks.ts'
import { LANDMARKS, PAIRS } from './version.ts'

/**
 * The codes of pairs of landmarks (Wang, ISMIR 2003) by which an excerpt is looked up among the
 * recordings of older databases. Times in frames.
 */
export function pairCodes({ times, frequencies, saliences }: Landmarks): Codes {
  const all = Array.from(times, (time, i) => {
    return { time, frequency: frequencies[i]!, salience: saliences[i]! }
  })
  const peaks = strongest(all, PAIRS.perSecond)
  const found: { code: number; time: number }[] = []
  for (const [i, anchor] of peaks.entries()) {
    for (const target of salient(targetsOf(peaks, i), PAIRS.fanOut)) {
      const code = codeOf(anchor, target)
      if (code !== undefined) found.push({ code, time: Math.max(0, Math.round(anchor.time)) })
    }
  }
  return {
    codes: Uint32Array.from(found, ({ code }) => code),
    times: Uint32Array.from(found, ({ time }) => time),
  }
}

/** The peaks that the one at place `i` is paired with: later ones, close in time and frequency. */
function targetsOf(peaks: readonly Peak[], i: number): Peak[] {
  const { nearest, farthest, span } = PAIRS.zone
  const anchor = peaks[i]!
  const found: Peak[] = []
  for (let j = i + 1; j < peaks.length; j++) {
    const target = peaks[j]!
    const gap = target.time - anchor.time
    if (gap >= farthest + 1) break
    if (gap < nearest || gap >= farthest) continue
    if (Math.abs(target.frequency - anchor.frequency) < span) found.push(target)
  }
  return found
}

function codeOf(anchor: Peak, target: Peak): number | undefined {
  const { steps, zone, bits } = PAIRS
  const { lowest } = LANDMARKS.peaks
  const pitch = Math.floor((anchor.frequency - lowest + 1) / steps.frequency)
  const interval = Math.floor((target.frequency - anchor.frequency + zone.span) / steps.interval)
  const gap = Math.floor((target.time - anchor.time) / steps.gap)
  if (pitch < 0 || pitch >= 1 << bits.frequency) return undefined
  return (((pitch << bits.interval) | interval) << bits.gap) | gap
}
