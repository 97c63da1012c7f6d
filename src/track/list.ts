import { z } from 'zod'
import { method } from '../kernel/method.ts'
import type { TrackRoom } from './room.ts'
import { TRACK_SORTS } from './store.ts'
import { bucket, describe, type TrackProfile } from './track-answer.ts'

const parameters = z.strictObject({
  /** How many are passed over. Default 0. */
  start: z.int().min(0).default(0),
  /** How many are answered at most, 0…100. Default 15. */
  results: z.int().min(0).max(100).default(15),
  /** The order. Default `created-asc`: as they were uploaded. */
  sort: z.enum(TRACK_SORTS).default('created-asc'),
  /** `audio_summary`: what the analysis says in short. */
  bucket,
})

/** A page of tracks. */
export interface TrackPage {
  start: number
  total: number
  tracks: TrackProfile[]
}

/** `track/list` (ours): all tracks, in pages. */
export const list = method({
  name: 'track/list',
  parameters,
  run({ store }: TrackRoom, { start, results, sort, bucket }): TrackPage {
    const rows = store.list(start, results, sort)
    return { start, total: store.count(), tracks: rows.map((row) => describe(store, row, bucket)) }
  },
})
