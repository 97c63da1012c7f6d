import { firstFrom } from '../../audio/samples.ts'
import { type Material, supportAt } from './material.ts'

const BEAT_TRACKING = {
  /** Moments a second at which a beat may lie. */
  fps: 50,
  /** Cost of an interval, times its squared logarithm to the pace (Ellis: 100 to 400). */
  tightness: 12,
  /** Intervals from 1/range to range times the pace are tried. */
  range: 1.6,
  /** Seconds from a moment to its onset. */
  snap: 0.03,
}

export interface Tracking {
  material: Material
  /** Seconds between which there are beats. */
  from: number
  to: number
  /** Seconds a beat. */
  pace: number
  /** A moment that is a beat. */
  anchor?: number | undefined
}

/**
 * Beats at onsets and at even steps, by dynamic programming (D. Ellis, J. New Music Research 36,
 * 2007); even without onsets.
 */
export function trackBeats(tracking: Tracking): number[] {
  const { material, from, to, anchor } = tracking
  if (!(to > from)) return []
  if (anchor === undefined) return beatPath(tracking, from, to, 1, false)
  const beatsAfter = beatPath(tracking, anchor, to, 1, true)
  const beatsBefore = beatPath(tracking, anchor, from, -1, true)
  const start = supportAt(material, anchor, BEAT_TRACKING.snap).at
  return [...beatsBefore.slice(1).reverse(), start, ...beatsAfter.slice(1)]
}

/** Forwards or backwards; `isFixed`: the path begins at `begin`. */
function beatPath(
  { material, pace }: Tracking,
  begin: number,
  end: number,
  direction: 1 | -1,
  isFixed: boolean,
): number[] {
  const { fps, tightness, range, snap } = BEAT_TRACKING
  const frames = Math.floor(Math.abs(end - begin) * fps) + 1
  const timeOf = (frame: number) => begin + (direction * frame) / fps
  const strength = strengthsOf(material, begin, direction, frames)
  const best = new Float64Array(frames)
  const previous = new Int32Array(frames).fill(-1)
  const step = pace * fps
  const shortest = Math.max(1, Math.round(step / range))
  const longest = Math.round(step * range)
  const costs = Float64Array.from({ length: longest + 1 }, (_, frames) =>
    frames === 0 ? Infinity : tightness * Math.log(frames / step) ** 2,
  )
  for (let frame = 0; frame < frames; frame++) {
    // A path may begin within the first step.
    let bestBefore = (isFixed ? frame === 0 : frame <= step) ? 0 : -Infinity
    for (
      let earlierFrame = Math.max(0, frame - longest);
      earlierFrame <= frame - shortest;
      earlierFrame++
    ) {
      const score = best[earlierFrame]! - costs[frame - earlierFrame]!
      if (score > bestBefore) {
        bestBefore = score
        previous[frame] = earlierFrame
      }
    }
    best[frame] = bestBefore + strength[frame]!
  }
  let last = frames - 1
  const tail = Math.max(0, frames - Math.ceil(step))
  for (let frame = tail; frame < frames; frame++) if (best[frame]! >= best[last]!) last = frame
  const times: number[] = []
  for (let frame = last; frame >= 0; frame = previous[frame]!)
    times.push(supportAt(material, timeOf(frame), snap).at)
  return times.reverse()
}

function strengthsOf(
  { onsets, strengths }: Material,
  begin: number,
  direction: 1 | -1,
  frames: number,
): Float64Array {
  const { fps } = BEAT_TRACKING
  const curve = new Float64Array(frames)
  const low = direction === 1 ? begin : begin - frames / fps
  const high = direction === 1 ? begin + frames / fps : begin
  for (let i = firstFrom(onsets, low - 0.1); i < onsets.length && onsets[i]! < high + 0.1; i++) {
    const exact = direction * (onsets[i]! - begin) * fps
    for (let frame = Math.ceil(exact - 3); frame <= exact + 3; frame++) {
      if (frame < 0 || frame >= frames) continue
      const off = frame - exact
      curve[frame] = Math.max(curve[frame]!, strengths[i]! * Math.exp(-0.5 * off * off))
    }
  }
  return curve
}
