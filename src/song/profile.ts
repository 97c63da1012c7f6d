import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { flag, missingIssue, nonEmpty, oneOrMany } from '../options/parameter-types.ts'
import { askedOf, bucket } from './buckets.ts'
import { findSong, findSongOfTrack, inSpaces, isKnownIn, placeOf } from './find-song.ts'
import type { SongRoom } from './room.ts'
import { servedSongs } from './served-songs.ts'
import { describe, type SongAnswer } from './song-answer.ts'

const ids = oneOrMany(nonEmpty).optional()

/** `song/profile`: returns the known facts about songs. Unknown ids are left out. */
export const profile = method({
  name: 'song/profile',
  verbs: ['GET'],
  local: ['reference'],
  parameters: z
    .strictObject({
      /** Native or foreign ids of songs. */
      id: ids,
      /** Ids of tracks; each selects the song that it is a recording of. */
      trackId: ids,
      /** The reference that knows the songs, as the option `references` names it. */
      reference: nonEmpty.optional(),
      /** The parts of the answer besides names: `audio_summary`, `tracks`, `id:<id space>` … */
      bucket,
      /** Only songs with an id in one of the id spaces, or in one of the catalogs, of `bucket`. */
      limit: flag.optional(),
    })
    .superRefine((given, context) => {
      if (listOf(given.id).length + listOf(given.trackId).length > 0) return
      context.addIssue(missingIssue('id', 'give id or trackId'))
    }),
  async run(room: SongRoom, given, { signal }): Promise<SongAnswer[]> {
    const asked = askedOf(given.bucket)
    const ids = listOf(given.id)
    const trackIds = listOf(given.trackId)
    const of = given.reference === undefined ? {} : { reference: given.reference }
    const isIn = given.limit === true ? inSpaces(room, asked) : () => true
    const served = given.reference === undefined ? undefined : room.served.get(given.reference)
    if (served) {
      const found = await servedSongs(room, served, { ids, trackIds }, asked, signal)
      return found.flatMap(({ song, spaces }) =>
        isIn(song.id, (space) => spaces.includes(space)) ? [{ ...song, ...of }] : [],
      )
    }
    const context = { ...room, ...placeOf(room, given.reference) }
    const { store } = context
    const wanted = [
      ...ids.map((id) => findSong(context, id)),
      ...trackIds.map((id) => findSongOfTrack(context, id)),
    ]
    return wanted.flatMap((num) => {
      const row = num === undefined ? undefined : store.byNum(num)
      if (!row || !isIn(row.id, (space) => isKnownIn(store, row.num, space))) return []
      return [{ ...describe(context, row, asked), ...of }]
    })
  },
})

function listOf(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : [value].flat()
}
