import { z } from 'zod'
import type { SongContext } from './context.ts'
import { bucket, describe, type SongAnswer } from './describe.ts'

const ids = z.union([z.string().min(1), z.array(z.string().min(1))]).optional()

export const parameters = z
  .strictObject({
    /** Song ids. */
    id: ids,
    /** Ids of tracks, each standing for the song it is a recording of. */
    trackId: ids,
    bucket,
  })
  .superRefine((given, context) => {
    if (given.id !== undefined || given.trackId !== undefined) return
    const message = 'id - Missing parameter: give id or trackId'
    context.addIssue({ code: 'custom', message, params: { missing: true } })
  })

/** `song/profile`: what is known of songs. Unknown ids are left out. */
export function profile({ store }: SongContext, given: z.output<typeof parameters>): SongAnswer[] {
  const wanted = [...listOf(given.id), ...listOf(given.trackId).map((id) => store.songOfTrack(id))]
  return wanted.flatMap((id) => {
    const row = id === undefined ? undefined : store.byId(id)
    return row ? [describe(row, given.bucket)] : []
  })
}

function listOf(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : [value].flat()
}
