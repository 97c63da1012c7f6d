import { z } from 'zod'
import type { Tags } from '../audio/tags.ts'
import { newId } from '../ids.ts'
import {
  type AudioInput,
  audioInput,
  requireOneInput,
  type Taken,
  takeIn,
} from '../input/receive-audio.ts'
import { requireAudio } from '../input/require-audio.ts'
import { method } from '../kernel/method.ts'
import { settledTrack } from './find-track.ts'
import { release } from './release-audio.ts'
import { ANALYZE_JOB, PRIORITY, type TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'
import { bucket, describeAttempt, statusOf, type TrackAnswer } from './track-answer.ts'

const parameters = z
  .strictObject({
    ...audioInput,
    /** Accepted as the old service wanted it; the content decides. */
    filetype: z.enum(['wav', 'mp3', 'au', 'ogg', 'm4a', 'mp4', 'flac', 'opus', 'aiff']).optional(),
    /** Whether to answer when the analysis is done. Default: at once. */
    wait: z.boolean().optional(),
    /** `audio_summary`: what the analysis says in short. Only with `wait`. */
    bucket,
  })
  .superRefine(requireOneInput('track'))
  .superRefine(requireWait)

/** A bucket needs `wait`: without it there is nothing yet to fill it. */
export function requireWait(
  given: { wait?: boolean | undefined; bucket?: unknown },
  context: z.core.$RefinementCtx,
): void {
  if (given.bucket === undefined || given.wait) return
  const message = 'is valid only when wait is true'
  context.addIssue({ code: 'custom', message, path: ['bucket'], input: given.bucket })
}

/**
 * `track/upload`: registers a file and has it analysed. The same bytes uploaded twice are one
 * track; a failed or outdated one is tried again. What is no audio does not become a track.
 *
 * @throws {DecodeError} when it cannot be read or downloaded, or is no audio
 */
export const upload = method({
  name: 'track/upload',
  verbs: ['POST'],
  local: ['file', 'source'],
  parameters,
  async run(context: TrackRoom, given, { signal }): Promise<TrackAnswer> {
    const { id } = await register(context, given, signal)
    const row = given.wait
      ? await settledTrack(context, id, signal)
      : (context.store.byId(id) as TrackRow)
    return describeAttempt(context, row, given.bucket)
  },
})

/**
 * Registers audio as a track that is to be analysed. Nothing stays of bytes that came in and were not
 * registered.
 *
 * @throws {DecodeError} when it cannot be read or downloaded, or is no audio
 */
export async function register(
  context: TrackRoom,
  given: AudioInput & { wait?: boolean | undefined },
  signal: AbortSignal,
): Promise<TrackRow> {
  const taken = await takeIn(context, given, signal)
  try {
    // What is a track already was audio once, to an ffmpeg that is not set any more.
    if (!context.store.byMd5(taken.md5)) {
      const name = given.url ?? (taken.spooled ? 'What was given' : taken.path)
      await requireAudio(context, taken.path, name)
    }
    return addOrRevisit(context, taken, await context.tags.read(taken.path, signal), given)
  } catch (error) {
    // A disk that was full at the commit has undone all but the name that they were given.
    if (taken.spooled) release(context, taken.md5)
    throw error
  } finally {
    if (taken.spooled) await context.spool.abandon(taken)
  }
}

function addOrRevisit(
  context: TrackRoom,
  taken: Taken,
  tags: Tags,
  { url, wait }: { url?: string | undefined; wait?: boolean | undefined },
): TrackRow {
  const { store, spool } = context
  const { md5, size, modified, spooled } = taken
  const now = context.now()
  const path = spooled ? undefined : taken.path
  const [row, pended] = store.atomically((): [TrackRow, boolean] => {
    const added = store.add({ id: newId('track', now), md5, path, url, tags, now })
    const known = store.byMd5(md5) as TrackRow
    const again = !added && revisit(context, known, path)
    const pending = again || known.status === 'pending'
    if (spooled && (pending || context.config.keepAudio)) spool.keep(taken)
    if (pending) {
      context.enqueue({
        kind: ANALYZE_JOB,
        subject: known.id,
        // An unchanged size and time save hashing the file a second time.
        payload: { size, modified },
        priority: wait ? PRIORITY.awaited : PRIORITY.background,
      })
    }
    return [store.byMd5(md5) as TrackRow, added || again]
  })
  if (pended) context.emit('track', { id: row.id, status: 'pending', progress: 0 })
  return row
}

/**
 * The bytes are known: takes note of where they are now, and has what has no good analysis tried
 * again; whether it does.
 */
function revisit(
  { store, analyzerVersion, config, now }: TrackRoom,
  known: TrackRow,
  path: string | undefined,
): boolean {
  const status = statusOf(known, analyzerVersion)
  const again = status !== 'complete' && status !== 'pending'
  // A file of the user's own may be gone tomorrow; a copy that audile keeps stays its source.
  const kept = path === undefined && (config.keepAudio || status !== 'complete')
  if (kept || (path !== undefined && !known.spooled)) store.move(known.id, path)
  if (again) store.pend(known.id, now())
  return again
}
