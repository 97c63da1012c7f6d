import { invalidParameter, limitExceeded } from '../../values/errors.ts'

/** A beat of a laid grid, from which even beats go on to the next one. */
export interface GridAnchor {
  /** Seconds. */
  time: number
  /** Beats per minute, 20…500. */
  tempo: number
  /**
   * Its place in the bar, from 1; without it bars are counted on, and the first anchor begins one.
   */
  place?: number | undefined
}

/** A set of hours has fewer, even with one at each bar. */
export const MAX_ANCHORS = 10_000

/** @throws {ParameterError} that names the anchor and what may be given */
export function requireAnchors(anchors: readonly GridAnchor[]): void {
  const give = 'give { time, tempo, place? }: seconds, beats per minute from 20 to 500, from 1 to 7'
  if (!Array.isArray(anchors) || anchors.length === 0)
    throw invalidParameter('grid', 'must be a list with a beat or more; null removes it.')
  if (anchors.length > MAX_ANCHORS)
    throw limitExceeded('grid', `${anchors.length} are more than ${MAX_ANCHORS} beats.`)
  let previousTime = -1
  for (const [i, anchor] of anchors.entries()) {
    const { time, tempo, place = 1 }: Partial<GridAnchor> = anchor ?? {}
    const isTime = typeof time === 'number' && time >= 0 && time < Infinity
    const isTempo = typeof tempo === 'number' && tempo >= 20 && tempo <= 500
    if (!isTime || !isTempo || !Number.isInteger(place) || place < 1 || place > 7)
      throw invalidParameter(`grid[${i}]`, `${JSON.stringify(anchor) ?? anchor}; ${give}.`)
    if (time <= previousTime)
      throw invalidParameter(
        `grid[${i}].time`,
        `${time} is not after ${previousTime}, the one before.`,
      )
    previousTime = time
  }
}
