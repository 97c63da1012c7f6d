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
export const uploadAudio = method({
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
       * The lowest and the highest expected tempo, in BPM: a hint that stays with the track.
       * Default: none.
       */
      tempoRange: tempoRange.optional(),
    })
    .superRefine(requireOneInput('track'))
    .superRefine(requireWait),
  async run(room: TrackRoom, request, { signal }): Promise<TrackProfile> {
    requireCorrections({ tempoRange: request.tempoRange })
    const { id } = (await registerInput(room, request, signal)).track
    await hintTempo(room, id, request, signal)
    return answerRequest(room, id, request, signal)
  },
})

type Upload = AudioInput & { wait?: boolean | undefined }

export interface RegisteredTrack {
  track: TrackRow
  added: boolean
  from: string | undefined
}

/** Received bytes are removed if they are not registered. */
export async function registerInput(
  room: TrackRoom,
  request: Upload,
  signal: AbortSignal,
): Promise<RegisteredTrack> {
  return registerAudio(room, await receiveAudio(room, request, signal), request, signal)
}

/** For audio that is on disk. */
export async function registerAudio(
  room: TrackRoom,
  audio: ReceivedAudio,
  request: Upload,
  signal: AbortSignal,
): Promise<RegisteredTrack> {
  const { path, md5, cached } = audio
  try {
    const knownTrack = room.store.byMd5(md5)
    // Known bytes passed before, perhaps with an ffmpeg that is no longer configured.
    if (!knownTrack)
      await requireAudio(room, path, request.url ?? (cached ? 'What was given' : path))
    const goneFiles =
      knownTrack && !cached ? await missingFiles(room.store.files.ofTrack(knownTrack.id), path) : []
    return addOrRevisit(
      room,
      { ...audio, gone: goneFiles },
      await room.tags.read(path, signal),
      request,
    )
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
): RegisteredTrack {
  const { store, config, emit } = room
  const { md5, size, modified, cached } = audio
  const now = room.now()
  const [registered, isBegun] = store.atomically((): [RegisteredTrack, boolean] => {
    const added = store.addTrack({
      id: newId('track', now),
      md5,
      cached,
      url: url ?? null,
      tags,
      now,
    })
    const track = findTrack(store, { md5 })
    const isRepeated = !added && revisitTrack(room, track, cached)
    const movedFrom = cached ? undefined : putFile(store, track, audio)
    const isPending = isRepeated || track.status === 'pending'
    if (cached && (isPending || config.keepAudio)) room.uploads.keep(audio)
    if (isPending) enqueueAnalysis(room, track.id, { wait }, { size, modified })
    room.library.update()
    return [{ track: findTrack(store, { md5 }), added, from: movedFrom }, added || isRepeated]
  })
  if (isBegun) emit('track', { id: registered.track.id, status: 'pending', progress: 0 })
  return registered
}

function putFile(
  { files }: TrackStore,
  { id }: TrackRow,
  { path, size, modified, gone: goneFiles }: ReceivedAudio & { gone: readonly FileRow[] },
): string | undefined {
  const isNew = files.byPath(path)?.trackId !== id
  files.put({ path, trackId: id, size, modified })
  const movedFrom = isNew ? goneFiles[0]?.path : undefined
  for (const { path } of goneFiles) files.setPresent({ path, present: 0 })
  if (movedFrom !== undefined) files.remove(movedFrom)
  return movedFrom
}

/** For repeated bytes. Returns whether the track must be analysed again. */
function revisitTrack(
  { store, config, now }: TrackRoom,
  track: TrackRow,
  cached: boolean,
): boolean {
  const status = trackStatusOf(track)
  const isRepeated = status !== 'complete' && status !== 'pending'
  if (cached && (config.keepAudio || status !== 'complete')) {
    store.setCached({ id: track.id, cached: 1 })
  }
  if (isRepeated) store.setPending({ id: track.id, now: now() })
  return isRepeated
}
