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

const parameters = z
  .strictObject({
    ...trackReference,
    /** Whether to answer only after the analysis. Default: at once. */
    wait: z.boolean().optional(),
    /** `audio_summary`: adds a summary of the analysis. Only with `wait`. */
    bucket,
    /**
     * The lowest and the highest expected tempo, in BPM, e.g. [80, 160]: a hint that stays with the
     * track. Default: unchanged.
     */
    tempoRange: tempoRange.optional(),
  })
  .superRefine(requireWait)

/**
 * `track/analyze`: analyses an uploaded track with the latest analyzer version, unless that is
 * done. A track that only an import names has no audio and stays `unknown`.
 */
export const analyze = method({
  name: 'track/analyze',
  verbs: ['POST'],
  local: ['file', 'tempoRange'],
  parameters,
  async run(room: TrackRoom, given, { signal }): Promise<TrackProfile> {
    const { store, now, emit } = room
    const imported = importedTrack(room, given)
    if (imported) return imported
    const { id } = findTrack(store, given)
    await hintTempo(room, id, given, signal)
    const begun = store.atomically(() => {
      const status = trackStatusOf(findTrack(store, { id }))
      if (status === 'complete') return false
      enqueueAnalysis(room, id, given)
      if (status === 'pending') return false
      store.setPending({ id, now: now() })
      return true
    })
    if (begun) emit('track', { id, status: 'pending', progress: 0 })
    return answerRequest(room, id, given, signal)
  },
})

/** `track/wait` (ours): waits until a track is not pending; starts no analysis. */
export const wait = method({
  name: 'track/wait',
  parameters: z.strictObject(trackReference),
  run(room: TrackRoom, given, { signal }): Promise<TrackProfile> {
    const { id } = findTrack(room.store, given)
    return answerRequest(room, id, { wait: true }, signal)
  },
})
