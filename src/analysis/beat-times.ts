import type { BarEvidence } from './bar-phase.ts'
import { exactTime, exactTimeBefore } from './intervals.ts'
import { SPECTRUM } from './novelty.ts'
import { LEAST } from './rhythm-confidence.ts'
import { smoothedTimes } from './smoothed-times.ts'
import type { Activations } from './state-space.ts'
import { logistic } from './statistics.ts'
import { paceAtEnd } from './tempo.ts'

const PLACES = {
  /** Frames on either side of a beat's frame that are searched for its exact place. */
  near: 2,
  /** Cost of a change in beat length, relative to moving a sure beat by as much. */
  smoothing: 0.3,
  /** The last beat is left out if the end of the track cuts it shorter than this share of a beat. */
  leastOfLast: 0.5,
}

/** The starts of a path's beats, in seconds of the track; unsure beats are spaced more evenly. */
export function beatTimes(frames: Int32Array, { activations, first }: BarEvidence): number[] {
  const places = Array.from(frames, (frame) => likeliestPlace(activations, frame))
  const even = smoothedTimes(
    places.map(({ place }) => place),
    places.map(({ chance }) => chance),
    PLACES.smoothing,
  )
  return even.map((place) => exactTime((first + place) / activations.fps + SPECTRUM.late))
}

/** The likeliest place of a beat near its frame, and the highest probability there. */
function likeliestPlace(
  { beat, down }: Activations,
  frame: number,
): { place: number; chance: number } {
  let sum = 0
  let weights = 0
  let highest = 0
  for (let step = -PLACES.near; step <= PLACES.near; step++) {
    const odds = Math.max(beat[frame + step] ?? LEAST, down[frame + step] ?? LEAST)
    const chance = logistic(odds)
    sum += step * chance
    weights += chance
    highest = Math.max(highest, chance)
  }
  return { place: frame + sum / weights, chance: highest }
}

/** The end of the last beat; none if the track ends too early: its start is then only an end. */
export function endOfLast(starts: readonly number[], duration: number): [] | [number] {
  const pace = paceAtEnd(starts)
  const last = starts.at(-1)!
  const end = Math.min(exactTime(last + pace), exactTimeBefore(duration))
  return end - last < PLACES.leastOfLast * pace ? [] : [end]
}
