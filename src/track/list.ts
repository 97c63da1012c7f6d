import { z } from 'zod'
import { method } from '../kernel/method.ts'
import type { TrackRoom } from './room.ts'
import { TRACK_SORTS, type TrackSort } from './store.ts'
import { bucket, describe, type TrackAnswer } from './track-answer.ts'

const parameters = z.strictObject({
  /** How many are passed over. Default 0. */
  start: z.int().min(0).default(0),
  /** How many are answered at most, 0…100. Default 15. */
  results: z.int().min(0).max(100).default(15),
  /** The order. Default `created-asc`: as they were uploaded. */
  sort: z.enum(Object.keys(TRACK_SORTS) as [TrackSort, ...TrackSort[]]).default('created-asc'),
  /** `audio_summary`: what the analysis says in short. */
  bucket,
})

/** A page of tracks. */
export interface TrackPage {
  start: number
  total: number
  tracks: TrackAnswer[]
}

/** `track/list` (ours): all tracks, in pages. */
export const list = method({
  name: 'track/list',
  parameters,
  run(context: TrackRoom, given): TrackPage {
    const { start, results, sort } = given
    const tracks = context.store
      .list(start, results, sort)
      .map((row) => describe(context, row, given.bucket))
    return { start, total: context.store.count(), tracks }
  },
})
