import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { pause } from '../kernel/scheduler.ts'
import { DecodeError, ParameterError } from '../values/errors.ts'
import { requireAnalysis } from './analysis.ts'
import { findTrack, trackReference } from './find-track.ts'
import { isMusicIn, settledByTrack } from './music.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'
import { describeTrack, isReadable, summary, type TrackProfile } from './track-answer.ts'

/** A track that sounds like the given one. */
export interface SimilarTrack extends TrackProfile {
  /** 0…1: how close the two are, compared with their other neighbours in this library. */
  similarity: number
}

/**
 * `track/similar` (ours): the tracks that sound most like one, most similar first, one file of each
 * other song. To music, it answers no speech, noise or silence.
 */
export const similarTracks = method({
  name: 'track/similar',
  parameters: z.strictObject({
    ...trackReference,
    /** How many are answered at most, 1…100. Default 15. */
    results: z.int().min(1).max(100).default(15),
    ...summary,
  }),
  async run(room: TrackRoom, query, { signal }): Promise<SimilarTrack[]> {
    const { library, store, space } = room
    const { id } = requireSound(findTrack(store, query))
    const { columns } = library.read()
    const num = library.numOf(id) as number
    const isWanted = isMusicIn(columns, settledByTrack(columns, num))
    const nearestTracks =
      (await space.nearestTracks(num, query.results, { signal, isWanted })) ?? []
    const tracks: SimilarTrack[] = []
    const chosenRows = [requireSound(findTrack(store, { id }))]
    for (const { num, similarity } of nearestTracks) {
      if (tracks.length === query.results) break
      await pause(signal)
      const trackId = library.idOf(num)
      const row = trackId === undefined ? undefined : store.byId(trackId)
      if (!row || !isReadable(row) || chosenRows.some((chosen) => isCopy(row, chosen))) continue
      chosenRows.push(row)
      tracks.push({
        ...describeTrack(store, row, query.bucket),
        similarity: Number(similarity.toFixed(4)),
      })
    }
    return tracks
  },
})

/** Requires an analysis, like {@link requireAnalysis}; the error is always a {@link ParameterError}. */
function requireSound(track: TrackRow): TrackRow {
  try {
    return requireAnalysis(track)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const message = `${track.id} has no analysis by which others could be found: ${error.message}`
    throw new ParameterError('not_ready', message, { cause: error })
  }
}

function isCopy(a: TrackRow, b: TrackRow): boolean {
  return (
    (a.audioMd5 !== null && a.audioMd5 === b.audioMd5) ||
    (a.songId !== null && a.songId === b.songId)
  )
}
