import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { flag, missingIssue, nonEmpty, oneOrMany } from '../options/parameter-types.ts'
import { parseBuckets, songBucketParameter } from './buckets.ts'
import { findSong, findSongOfTrack, inSpaces, isKnownIn, storesOf } from './find-song.ts'
import type { SongRoom } from './room.ts'
import { servedSongs } from './served-songs.ts'
import { describeSong, type SongAnswer } from './song-answer.ts'

const idsParameter = oneOrMany(nonEmpty).optional()

/** `song/profile`: returns the known facts about songs. Unknown ids are left out. */
export const songProfile = method({
  name: 'song/profile',
  verbs: ['GET'],
  local: ['reference'],
  parameters: z
    .strictObject({
      /** Native or foreign ids of songs. */
      id: idsParameter,
      /** Ids of tracks; each selects the song that it is a recording of. */
      trackId: idsParameter,
      /** The reference that knows the songs, as the option `references` names it. */
      reference: nonEmpty.optional(),
      /** The parts of the answer besides names: `audio_summary`, `tracks`, `id:<id space>` … */
      bucket: songBucketParameter,
      /** Only songs with an id in one of the id spaces, or in one of the catalogs, of `bucket`. */
      limit: flag.optional(),
    })
    .superRefine((params, context) => {
      if (toList(params.id).length + toList(params.trackId).length > 0) return
      context.addIssue(missingIssue('id', 'give id or trackId'))
    }),
  async run(room: SongRoom, params, { signal }): Promise<SongAnswer[]> {
    const askedBuckets = parseBuckets(params.bucket)
    const ids = toList(params.id)
    const trackIds = toList(params.trackId)
    const origin = params.reference === undefined ? {} : { reference: params.reference }
    const isIn = params.limit === true ? inSpaces(room, askedBuckets) : () => true
    const servedReference =
      params.reference === undefined ? undefined : room.served.get(params.reference)
    if (servedReference) {
      const servedAnswers = await servedSongs(
        room,
        servedReference,
        { ids, trackIds },
        askedBuckets,
        signal,
      )
      return servedAnswers.flatMap(({ song, spaces }) =>
        isIn(song.id, (space) => spaces.includes(space)) ? [{ ...song, ...origin }] : [],
      )
    }
    const context = { ...room, ...storesOf(room, params.reference) }
    const { store } = context
    const nums = [
      ...ids.map((id) => findSong(context, id)),
      ...trackIds.map((id) => findSongOfTrack(context, id)),
    ]
    return nums.flatMap((num) => {
      const row = num === undefined ? undefined : store.byNum(num)
      if (!row || !isIn(row.id, (space) => isKnownIn(store, row.num, space))) return []
      return [{ ...describeSong(context, row, askedBuckets), ...origin }]
    })
  },
})

function toList(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : [value].flat()
}
