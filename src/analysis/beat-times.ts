import type { BarEvidence } from './bar-phase.ts'
import { exactTime, exactTimeBefore } from './intervals.ts'
import { SPECTRUM } from './novelty.ts'
import { LEAST_ODDS } from './rhythm-confidence.ts'
import { smoothedTimes } from './smoothed-times.ts'
import type { Activations } from './state-space.ts'
import { logistic } from './statistics.ts'
import { paceAtEnd } from './tempo.ts'

const BEAT_PLACES = {
  /** Frames on either side of a beat's frame that are searched for its exact place. */
  near: 2,
  /** Cost of a change in beat length, relative to moving a sure beat by as much. */
  smoothing: 0.3,
  /** A last beat that the end of the track cuts shorter than this share is left out. */
  leastOfLast: 0.5,
}

/** Seconds of the track; unsure beats are spaced more evenly. */
export function beatTimes(frames: Int32Array, { activations, first }: BarEvidence): number[] {
  const places = Array.from(frames, (frame) => likeliestPlace(activations, frame))
  const even = smoothedTimes(
    places.map(({ place }) => place),
    places.map(({ chance }) => chance),
    BEAT_PLACES.smoothing,
  )
  return even.map((place) => exactTime((first + place) / activations.fps + SPECTRUM.late))
}

function likeliestPlace(
  { beat, down }: Activations,
  frame: number,
): { place: number; chance: number } {
  let sum = 0
  let weights = 0
  let highest = 0
  for (let step = -BEAT_PLACES.near; step <= BEAT_PLACES.near; step++) {
    const odds = Math.max(beat[frame + step] ?? LEAST_ODDS, down[frame + step] ?? LEAST_ODDS)
    const chance = logistic(odds)
    sum += step * chance
    weights += chance
    highest = Math.max(highest, chance)
  }
  return { place: frame + sum / weights, chance: highest }
}

/** None if the track ends too early: the last start is then only an end. */
export function endOfLast(starts: readonly number[], duration: number): [] | [number] {
  const pace = paceAtEnd(starts)
  const last = starts.at(-1)!
  const end = Math.min(exactTime(last + pace), exactTimeBefore(duration))
  return end - last < BEAT_PLACES.leastOfLast * pace ? [] : [end]
}
