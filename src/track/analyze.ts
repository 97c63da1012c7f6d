import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { trackStatusOf } from '../song/track-status.ts'
import { tempoRange } from './correct.ts'
import { hintTempo } from './corrections.ts'
import { findTrack, trackReference } from './find-track.ts'
import { importedTrack } from './imported-track.ts'
import { answerRequest, enqueueAnalysis, requireWait } from './request-analysis.ts'
import type { TrackRoom } from './room.ts'
import { bucket, type TrackProfile } from './track-answer.ts'

const analyzeParameters = z
  .strictObject({
    ...trackReference,
    /** Whether to answer only after the analysis. Default: at once. */
    wait: z.boolean().optional(),
    /** `audio_summary`: adds a summary of the analysis. Only with `wait`. */
    bucket,
    /**
     * The lowest and the highest expected tempo, in BPM: a hint that stays with the track. Default:
     * unchanged.
     */
    tempoRange: tempoRange.optional(),
  })
  .superRefine(requireWait)

/**
 * `track/analyze`: analyses a track with the latest analyzer version, unless that is done. A track
 * without audio stays `unknown`.
 */
export const analyzeTrack = method({
  name: 'track/analyze',
  verbs: ['POST'],
  local: ['file', 'tempoRange'],
  parameters: analyzeParameters,
  async run(room: TrackRoom, request, { signal }): Promise<TrackProfile> {
    const { store, now, emit } = room
    const imported = importedTrack(room, request)
    if (imported) return imported
    const { id } = findTrack(store, request)
    await hintTempo(room, id, request, signal)
    const begun = store.atomically(() => {
      const status = trackStatusOf(findTrack(store, { id }))
      if (status === 'complete') return false
      enqueueAnalysis(room, id, request)
      if (status === 'pending') return false
      store.setPending({ id, now: now() })
      return true
    })
    if (begun) emit('track', { id, status: 'pending', progress: 0 })
    return answerRequest(room, id, request, signal)
  },
})

/** `track/wait` (ours): waits until a track is not pending; starts no analysis. */
export const waitForTrack = method({
  name: 'track/wait',
  parameters: z.strictObject(trackReference),
  run(room: TrackRoom, reference, { signal }): Promise<TrackProfile> {
    const { id } = findTrack(room.store, reference)
    return answerRequest(room, id, { wait: true }, signal)
  },
})
