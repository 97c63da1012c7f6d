import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { pause } from '../kernel/scheduler.ts'
import { DecodeError, ParameterError } from '../values/errors.ts'
import { requireAnalysis } from './analysis.ts'
import { findTrack, trackReference } from './find-track.ts'
import { isMusicIn, settledBy } from './music.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'
import { describe, isReadable, summary, type TrackProfile } from './track-answer.ts'

/** A track that sounds like the given one. */
export interface SimilarTrack extends TrackProfile {
  /**
   * 0…1: how close the two are, compared with their other neighbours in this library. The nearest
   * tracks of any library have a high similarity.
   */
  similarity: number
}

/**
 * `track/similar` (ours): the tracks of the library that sound most like one, by timbre, rhythm and
 * harmony, most similar first. It leaves out other files of its song, and keeps only the nearest
 * file of another song. To music, it answers no speech, noise or silence; to what lasts 30 s or
 * longer, nothing shorter.
 */
export const similar = method({
  name: 'track/similar',
  parameters: z.strictObject({
    ...trackReference,
    /** How many are answered at most, 1…100. Default 15. */
    results: z.int().min(1).max(100).default(15),
    ...summary,
  }),
  async run(room: TrackRoom, given, { signal }): Promise<SimilarTrack[]> {
    const { library, store, space } = room
    const { id } = analyzed(findTrack(store, given))
    const { columns } = library.read()
    const num = library.numOf(id) as number
    const isWanted = isMusicIn(columns, settledBy(columns, num))
    const nearestTracks = (await space.nearest(num, given.results, { signal, isWanted })) ?? []
    const tracks: SimilarTrack[] = []
    const taken = [analyzed(findTrack(store, { id }))]
    for (const { num, similarity } of nearestTracks) {
      if (tracks.length === given.results) break
      await pause(signal)
      const other = library.idOf(num)
      const row = other === undefined ? undefined : store.byId(other)
      if (!row || !isReadable(row) || taken.some((other) => isCopy(row, other))) continue
      taken.push(row)
      tracks.push({
        ...describe(store, row, given.bucket),
        similarity: Number(similarity.toFixed(4)),
      })
    }
    return tracks
  },
})

/** Requires an analysis, like {@link requireAnalysis}; the error is always a {@link ParameterError}. */
function analyzed(track: TrackRow): TrackRow {
  try {
    return requireAnalysis(track)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const message = `${track.id} has no analysis by which others could be found: ${error.message}`
    throw new ParameterError('not_ready', message, { cause: error })
  }
}

function isCopy(one: TrackRow, other: TrackRow): boolean {
  return (
    (one.audioMd5 !== null && one.audioMd5 === other.audioMd5) ||
    (one.songId !== null && one.songId === other.songId)
  )
}
