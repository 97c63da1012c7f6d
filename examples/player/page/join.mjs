// How one track follows another: gapless, cut where the sound ends, or mixed beat by beat.

/** LUFS to which tracks are turned down when they are mixed; quieter ones stay as they are. */
const LOUDNESS = -14

/**
 * @typedef {object} Join
 * @property {'gapless' | 'cut' | 'blend'} kind
 * @property {number} at - when the next track begins, in seconds of the context
 * @property {number} seconds - how long both play
 * @property {import('./voice.mjs').Mark[]} marks - how the next track is played
 */

/** Whether one track follows the other on an album. */
export function isNext(one, other) {
  return (
    one.release !== undefined &&
    one.release === other.release &&
    one.trackNumber + 1 === other.trackNumber
  )
}

/**
 * The gain at which a track is mixed. Two tracks then differ by the `gain` of their transition,
 * and an evening does not become louder or quieter with each track.
 */
export function levelOf({ loudness = LOUDNESS }) {
  return Math.min(1, 10 ** ((LOUDNESS - loudness) / 20))
}

/**
 * @param {import('./voice.mjs').Voice} voice - that plays
 * @param {object} [plan] - the answer of audile's `transition`; without it, gapless
 * @param {number} soonest - the first moment for which something can be arranged
 * @returns {Join}
 */
export function joinOf(voice, plan, soonest) {
  const gapless = {
    kind: 'gapless',
    at: voice.end,
    seconds: 0,
    marks: [{ at: voice.end, position: 0, rate: 1 }],
  }
  if (!plan) return gapless
  const at = voice.timeOf(Math.min(plan.from.time, voice.duration))
  // What was skipped over cannot be mixed any more.
  if (at < soonest) return gapless
  if (plan.kind === 'cut') {
    return { kind: 'cut', at, seconds: 0, marks: [{ at, position: plan.to.time, rate: 1 }] }
  }
  const points = plan.path.map(({ from, to }) => ({ at: voice.timeOf(from), position: to }))
  const marks = points.map((point, i) => {
    const next = points[i + 1]
    const rate = next ? (next.position - point.position) / (next.at - point.at) : 1
    return { ...point, rate }
  })
  return { kind: 'blend', at, seconds: points.at(-1).at - at, marks }
}

/** Arranges that a track follows another. */
export function arrange(voice, next, { kind, at, seconds, marks }) {
  next.start(marks)
  if (kind === 'cut') voice.stop(at)
  if (kind !== 'blend') return
  next.fade('in', at, seconds)
  voice.fade('out', at, seconds)
  voice.stop(at + seconds)
}
