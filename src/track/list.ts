import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { page } from '../parameter-types.ts'
import { findSong } from '../song/find-song.ts'
import type { TrackRoom } from './room.ts'
import { type Selection, TRACK_SORTS } from './store.ts'
import { bucket, describe, STATUSES, type TrackProfile } from './track-answer.ts'

const status = z.enum(STATUSES)

/** The parameters that choose tracks and their order. */
export const selection = {
  /** Only recordings of this song, by its id or a foreign id. */
  songId: z.string().min(1).optional(),
  /** Only tracks in this state, or in one of these. */
  status: z.union([status, z.array(status)]).optional(),
  /** Only tracks whose audio is gone, as no file is present and no copy was kept; or only others. */
  missing: z.boolean().optional(),
  /** The order. Default `created-asc`: as they were uploaded. */
  sort: z.enum(TRACK_SORTS).default('created-asc'),
}

const parameters = z.strictObject({
  ...page(15),
  ...selection,
  /** `audio_summary`: what the analysis says in short. */
  bucket,
})

/** A page of tracks. */
export interface TrackPage {
  start: number
  total: number
  tracks: TrackProfile[]
}

/** `track/list` (ours): the tracks, or some of them, in pages. */
export const list = method({
  name: 'track/list',
  parameters,
  run(room: TrackRoom, { start, results, bucket, ...given }): TrackPage {
    const { store } = room
    const chosen = chosenBy(room, given)
    if (!chosen) return { start, total: 0, tracks: [] }
    const tracks = store.list(chosen, start, results).map((row) => describe(store, row, bucket))
    return { start, total: store.count(chosen), tracks }
  },
})

/** What the parameters choose; `undefined` when that is nothing, for want of the song. */
export function chosenBy(
  { song }: TrackRoom,
  { songId, status, missing, sort }: z.output<z.ZodObject<typeof selection>>,
): Selection | undefined {
  const of = songId === undefined ? undefined : findSong(song, songId)
  if (songId !== undefined && of === undefined) return undefined
  return { songId: of, statuses: status && [status].flat(), missing, sort }
}
