import { z } from 'zod'
import { requireCorrections } from '../analysis/correction/corrections.ts'
import type { Tags } from '../audio/tags.ts'
import type { FileRow } from '../input/file-store.ts'
import {
  type AudioInput,
  audioInput,
  type ReceivedAudio,
  receiveAudio,
  requireOneInput,
} from '../input/receive-audio.ts'
import { requireAudio } from '../input/require-audio.ts'
import { method } from '../kernel/method.ts'
import { trackStatusOf } from '../song/track-status.ts'
import { newId } from '../values/ids.ts'
import { tempoRange } from './correct.ts'
import { hintTempo } from './corrections.ts'
import { findTrack } from './find-track.ts'
import { missingFiles } from './missing-files.ts'
import { answerRequest, enqueueAnalysis, requireWait } from './request-analysis.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow, TrackStore } from './store.ts'
import { bucket, type TrackProfile } from './track-answer.ts'
import { releaseAudio } from './track-audio.ts'

/**
 * `track/upload`: registers a file as a track and analyses it. The same bytes uploaded twice are
 * one track; a failed or outdated analysis is made again.
 */
export const upload = method({
  name: 'track/upload',
  verbs: ['POST'],
  local: ['file', 'source', 'tempoRange'],
  parameters: z
    .strictObject({
      ...audioInput,
      /** The caller's name for the format. The format is detected from the content. */
      filetype: z
        .enum(['wav', 'mp3', 'au', 'ogg', 'm4a', 'mp4', 'flac', 'opus', 'aiff'])
        .optional(),
      /** Whether to answer only after the analysis. Default: at once. */
      wait: z.boolean().optional(),
      /** `audio_summary`: adds a summary of the analysis. Only with `wait`. */
      bucket,
      /**
       * The lowest and the highest expected tempo, in BPM, e.g. [80, 160]: a hint that stays with the
       * track. A tempo outside becomes a multiple inside. Default: none.
       */
      tempoRange: tempoRange.optional(),
    })
    .superRefine(requireOneInput('track'))
    .superRefine(requireWait),
  async run(room: TrackRoom, given, { signal }): Promise<TrackProfile> {
    requireCorrections({ tempoRange: given.tempoRange })
    const { id } = (await register(room, given, signal)).track
    await hintTempo(room, id, given, signal)
    return answerRequest(room, id, given, signal)
  },
})

type Upload = AudioInput & { wait?: boolean | undefined }

export interface Registered {
  track: TrackRow
  added: boolean
  from: string | undefined
}

/**
 * Registers audio as a track, and requests its analysis. Received bytes are removed if they are not
 * registered.
 */
export async function register(
  room: TrackRoom,
  given: Upload,
  signal: AbortSignal,
): Promise<Registered> {
  return registerAudio(room, await receiveAudio(room, given, signal), given, signal)
}

/** Registers audio that is on disk; see {@link register}. */
export async function registerAudio(
  room: TrackRoom,
  audio: ReceivedAudio,
  given: Upload,
  signal: AbortSignal,
): Promise<Registered> {
  const { path, md5, cached } = audio
  try {
    const known = room.store.byMd5(md5)
    // Known bytes passed before, perhaps with an ffmpeg that is no longer configured.
    if (!known) await requireAudio(room, path, given.url ?? (cached ? 'What was given' : path))
    const gone =
      known && !cached ? await missingFiles(room.store.files.ofTrack(known.id), path) : []
    return addOrRevisit(room, { ...audio, gone }, await room.tags.read(path, signal), given)
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
  audio: ReceivedAudio & { gone: readonly FileRow[] },
  tags: Tags,
  { url, wait }: Upload,
): Registered {
  const { store, config, emit } = room
  const { md5, size, modified, cached } = audio
  const now = room.now()
  const [registered, begun] = store.atomically((): [Registered, boolean] => {
    const added = store.add({ id: newId('track', now), md5, cached, url: url ?? null, tags, now })
    const known = findTrack(store, { md5 })
    const again = !added && revisit(room, known, cached)
    const from = cached ? undefined : putFile(store, known, audio)
    const pending = again || known.status === 'pending'
    if (cached && (pending || config.keepAudio)) room.uploads.keep(audio)
    if (pending) enqueueAnalysis(room, known.id, { wait }, { size, modified })
    room.library.update()
    return [{ track: findTrack(store, { md5 }), added, from }, added || again]
  })
  if (begun) emit('track', { id: registered.track.id, status: 'pending', progress: 0 })
  return registered
}

function putFile(
  { files }: TrackStore,
  { id }: TrackRow,
  { path, size, modified, gone }: ReceivedAudio & { gone: readonly FileRow[] },
): string | undefined {
  const isNew = files.byPath(path)?.trackId !== id
  files.put({ path, trackId: id, size, modified })
  const from = isNew ? gone[0]?.path : undefined
  for (const { path } of gone) files.setPresent({ path, present: 0 })
  if (from !== undefined) files.remove(from)
  return from
}

/** Handles repeated bytes of a known track. Returns whether it must be analysed again. */
function revisit({ store, config, now }: TrackRoom, known: TrackRow, cached: boolean): boolean {
  const status = trackStatusOf(known)
  const again = status !== 'complete' && status !== 'pending'
  if (cached && (config.keepAudio || status !== 'complete')) {
    store.setCached({ id: known.id, cached: 1 })
  }
  if (again) store.setPending({ id: known.id, now: now() })
  return again
}
