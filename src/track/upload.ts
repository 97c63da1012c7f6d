import { z } from 'zod'
import { requireCorrections } from '../analysis/correction/corrections.ts'
import type { Tags } from '../audio/tags.ts'
import { newId } from '../ids.ts'
import {
  type AudioInput,
  audioInput,
  type ReceivedAudio,
  receiveAudio,
  requireOneInput,
} from '../input/receive-audio.ts'
import { requireAudio } from '../input/require-audio.ts'
import { method } from '../kernel/method.ts'
import { tempoRange } from './correct.ts'
import { hintTempo } from './corrections.ts'
import { findTrack } from './find-track.ts'
import { answerRequest, enqueueAnalysis, requireWait } from './request-analysis.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'
import { bucket, statusOf, type TrackProfile } from './track-answer.ts'
import { releaseAudio } from './track-audio.ts'

const parameters = z
  .strictObject({
    ...audioInput,
    /** The format as the caller names it; the content decides. */
    filetype: z.enum(['wav', 'mp3', 'au', 'ogg', 'm4a', 'mp4', 'flac', 'opus', 'aiff']).optional(),
    /** Whether to answer when the analysis is done. Default: at once. */
    wait: z.boolean().optional(),
    /** `audio_summary`: what the analysis says in short. Only with `wait`. */
    bucket,
    /**
     * The lowest and the highest tempo that is expected, in BPM, as [80, 160]: a hint that stays with the
     * track. A tempo outside becomes a multiple inside. Default: none.
     */
    tempoRange: tempoRange.optional(),
  })
  .superRefine(requireOneInput('track'))
  .superRefine(requireWait)

/**
 * `track/upload`: registers a file as a track and has it analysed. The same bytes uploaded twice are
 * one track; a failed or outdated analysis is made again.
 *
 * @throws {DecodeError} when the file cannot be read or downloaded, or is not audio
 */
export const upload = method({
  name: 'track/upload',
  verbs: ['POST'],
  local: ['file', 'source', 'tempoRange'],
  parameters,
  async run(room: TrackRoom, given, { signal }): Promise<TrackProfile> {
    requireCorrections({ tempoRange: given.tempoRange })
    const { id } = await register(room, given, signal)
    await hintTempo(room, id, given, signal)
    return answerRequest(room, id, given, signal)
  },
})

type Upload = AudioInput & { wait?: boolean | undefined }

/**
 * Registers audio as a track that is to be analysed. Received bytes that are not registered are
 * removed.
 *
 * @throws {DecodeError} when it cannot be read or downloaded, or is not audio
 */
export async function register(
  room: TrackRoom,
  given: Upload,
  signal: AbortSignal,
): Promise<TrackRow> {
  const audio = await receiveAudio(room, given, signal)
  const { path, md5, cached } = audio
  try {
    // The bytes of a track passed before, perhaps to an ffmpeg that is no longer set.
    if (!room.store.byMd5(md5)) {
      await requireAudio(room, path, given.url ?? (cached ? 'What was given' : path))
    }
    return addOrRevisit(room, audio, await room.tags.read(path, signal), given)
  } catch (error) {
    // A full disk at the commit undoes all but the lasting name of the file.
    if (cached) releaseAudio(room, md5)
    throw error
  } finally {
    if (cached) await room.uploads.abandon(audio)
  }
}

function addOrRevisit(
  room: TrackRoom,
  audio: ReceivedAudio,
  tags: Tags,
  { url, wait }: Upload,
): TrackRow {
  const { store, config, emit } = room
  const { md5, size, modified, cached } = audio
  const now = room.now()
  const path = cached ? undefined : audio.path
  const [row, begun] = store.atomically((): [TrackRow, boolean] => {
    const added = store.add({ id: newId('track', now), md5, path, url, tags, now })
    const known = findTrack(store, { md5 })
    const again = !added && revisit(room, known, path)
    const pending = again || known.status === 'pending'
    if (cached && (pending || config.keepAudio)) room.uploads.keep(audio)
    if (pending) enqueueAnalysis(room, known.id, { wait }, { size, modified })
    return [findTrack(store, { md5 }), added || again]
  })
  if (begun) emit('track', { id: row.id, status: 'pending', progress: 0 })
  return row
}

/** Notes where known bytes are now; returns whether their track is to be analysed again. */
function revisit(
  { store, config, now }: TrackRoom,
  known: TrackRow,
  path: string | undefined,
): boolean {
  const status = statusOf(known)
  const again = status !== 'complete' && status !== 'pending'
  // A copy that audile keeps stays the source: a file of the user's own may be gone tomorrow.
  const kept = path === undefined && (config.keepAudio || status !== 'complete')
  if (kept || (path !== undefined && !known.cached)) store.move(known.id, path)
  if (again) store.setPending({ id: known.id, now: now() })
  return again
}
