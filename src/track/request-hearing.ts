import { SPARSE } from '../sounds/hearing.ts'
import type { SeenFile } from './request-analysis.ts'
import type { TrackRoom } from './room.ts'

/** Hears every third patch of a track. */
export const HEAR_JOB = 'track/hear'
/** Hears all of a track. */
export const HEAR_ALL_JOB = 'track/hear-all'
/** Enqueues the hearing of all tracks that were analysed without the network. */
export const HEAR_REST_JOB = 'track/hear-rest'

/**
 * None without a network, or when the network heard it already.
 *
 * @returns whether it is still to be heard
 */
export function enqueueHearing(
  { config, hearings, enqueue }: Pick<TrackRoom, 'config' | 'hearings' | 'enqueue'>,
  trackId: string,
  seenFile: SeenFile = null,
): boolean {
  const { soundModel } = config
  if (!soundModel) return false
  if (hearings.isHeard({ trackId, network: soundModel.sha256, every: SPARSE })) return false
  enqueue({ kind: HEAR_JOB, subject: trackId, payload: seenFile })
  return true
}
