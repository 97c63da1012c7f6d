import { stat } from 'node:fs/promises'
import { z } from 'zod'
import type { FileRow } from '../input/file-store.ts'
import type { ReceivedAudio } from '../input/receive-audio.ts'
import { requireAudio } from '../input/require-audio.ts'
import { method } from '../kernel/method.ts'
import { DecodeError } from '../values/errors.ts'
import { absolutePath } from '../values/file-path.ts'
import { SHORT_TASK_TRIES } from '../workers/workers.ts'
import { isMissingFile } from './missing-files.ts'
import { replaceBytes } from './replace-bytes.ts'
import { answerRequest, enqueueAnalysis } from './request-analysis.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'
import type { TrackProfile } from './track-answer.ts'
import { registerAudio } from './upload.ts'

/** Compared with what was known about it. */
export interface RegisteredFile {
  /**
   * `added`: its path was not known, or its file was missing; `changed`: it holds other bytes;
   * `moved`: it left another path.
   */
  kind: 'added' | 'changed' | 'moved' | 'unchanged'
  /** The track of its bytes, after its analysis has ended. */
  track: TrackProfile
  /** The old path of a moved file. */
  from?: string
  /** The id of the track that lost this file; `track/missing` removes it if it has no other. */
  replaced?: string
}

/** `track/register-file` (ours): registers one file as it is, and waits for its analysis. */
export const registerFile = method({
  name: 'track/register-file',
  parameters: z.strictObject({
    /** Path of the file. */
    file: z.string().min(1),
    /** Whether known files are missing, so that this file may be one of them with other tags. */
    missing: z.boolean().default(false),
  }),
  async run(room: TrackRoom, { file, missing }, { signal }): Promise<RegisteredFile> {
    const path = absolutePath(file)
    const row = room.store.files.byPath(path)
    const registration = await registerPath(room, { path, row, missing }, signal)
    const earlierTrack = row && room.store.byId(row.trackId)
    const track = await answerRequest(room, registration.id, { wait: true }, signal)
    const { kind, from } = registration
    const answer: RegisteredFile = { kind, track }
    if (from !== undefined) answer.from = from
    // The old track stays: a file that is not yet found may have its bytes.
    if (earlierTrack && earlierTrack.id !== registration.id) answer.replaced = earlierTrack.id
    return answer
  },
})

interface FileRegistration extends Pick<RegisteredFile, 'kind' | 'from'> {
  id: string
}

async function registerPath(
  room: TrackRoom,
  { path, row, missing }: { path: string; row: FileRow | undefined; missing: boolean },
  signal: AbortSignal,
): Promise<FileRegistration> {
  const { store, uploads } = room
  const owner = row && store.byId(row.trackId)
  const repeatedKind = row?.present === 0 || owner?.analyzerVersion === null ? 'added' : 'unchanged'
  if (row && owner && (await isAsSeen(row))) {
    store.atomically.step(() => {
      if (row.present === 0) store.files.setPresent({ path, present: 1 })
      retryAnalysis(room, owner)
    })
    return { kind: repeatedKind, id: owner.id }
  }
  const audio = { ...(await uploads.hash(path, signal)), cached: false }
  const { md5, size, modified } = audio
  if (!(await isAsSeen({ path, size, modified }))) {
    throw new DecodeError(`${path} changed while it was read; scan it again when it is written.`)
  }
  if (owner?.md5 === md5) {
    // If a power cut undoes this step, the next scan repeats it.
    store.atomically.step(() => {
      store.files.put({ path, trackId: owner.id, size, modified })
      retryAnalysis(room, owner)
    })
    return { kind: repeatedKind, id: owner.id }
  }
  if (!store.byMd5(md5)) {
    await requireAudio(room, path, path).catch((error: Error) => {
      // The file no longer holds the bytes of its track.
      if (row) store.files.setPresent({ path, present: 0 })
      throw error
    })
    const sameTrack =
      owner && (await isStillOfTrack(room, owner, audio, signal)) ? owner : undefined
    const replacedTrack =
      sameTrack ?? (missing ? await findLostTrack(room, audio, signal) : undefined)
    if (replacedTrack) {
      const replaced = await replaceBytes(room, replacedTrack, audio, signal)
      if (replaced) return { kind: row ? 'changed' : 'moved', id: replacedTrack.id, ...replaced }
    }
  }
  const { track, from } = await registerAudio(room, audio, {}, signal)
  if (row) return { kind: 'changed', id: track.id }
  return from === undefined
    ? { kind: 'added', id: track.id }
    : { kind: 'moved', id: track.id, from }
}

/** A decoder or a higher limit may be available now. */
function retryAnalysis(room: TrackRoom, { id, status, analyzerVersion }: TrackRow): void {
  if (status !== 'error' || analyzerVersion !== null) return
  enqueueAnalysis(room, id, { wait: true })
  room.store.setPending({ id, now: room.now() })
}

/** Its size and time are those of when it was read. */
async function isAsSeen({
  path,
  size,
  modified,
}: Pick<FileRow, 'path' | 'size' | 'modified'>): Promise<boolean> {
  const info = await stat(path).catch(() => undefined)
  return info?.isFile() === true && info.size === size && info.mtimeMs === modified
}

/**
 * Other bytes with the same sound are other tags. False while the old bytes are kept, or are at
 * another path.
 */
async function isStillOfTrack(
  room: TrackRoom,
  owner: TrackRow,
  { path }: ReceivedAudio,
  signal: AbortSignal,
): Promise<boolean> {
  if (owner.cached) return false
  for (const file of room.store.files.ofTrack(owner.id)) {
    if (file.path !== path && (await isAsSeen(file))) return false
  }
  // An import named the file before it existed.
  if (owner.analyzerVersion === null || owner.md5 === null) return true
  return owner.audioMd5 !== null && owner.audioMd5 === (await audioMd5Of(room, path, signal))
}

async function findLostTrack(
  room: TrackRoom,
  { path }: ReceivedAudio,
  signal: AbortSignal,
): Promise<TrackRow | undefined> {
  const audioMd5 = await audioMd5Of(room, path, signal)
  const alikeTracks = audioMd5 === undefined ? [] : room.store.withSound(audioMd5)
  for (const track of alikeTracks) {
    const files = room.store.files.ofTrack(track.id)
    if (track.cached || files.length === 0) continue
    const areMissing = await Promise.all(files.map((file) => isMissingFile(file.path, path)))
    if (areMissing.every(Boolean)) return track
  }
  return undefined
}

/** `undefined` when it cannot be decoded. */
async function audioMd5Of(
  { workers }: TrackRoom,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return (await workers.run('sum', { path }, { signal, tries: SHORT_TASK_TRIES })).audioMd5
  } catch (error) {
    if (error instanceof DecodeError) return undefined
    throw error
  }
}
