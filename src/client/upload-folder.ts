import type { Door, Params } from '../host/door.ts'
import { joinSignals } from '../kernel/abort.ts'
import { AudileError, DecodeError } from '../values/errors.ts'
import { type FilePath, plainPath } from '../values/file-path.ts'
import { Track, type Waiting } from './track.ts'

/** One step of {@link Tracks.uploadFolder}. */
export interface FolderProgress {
  /** The file that is done. */
  file: string
  /** Files that are done, including this one. */
  done: number
  /** Files in the folder and its subfolders. */
  total: number
  /** The track, unless the file could not be uploaded. */
  track?: Track
  /** Why the file could not be uploaded. */
  error?: Error
}

/** Options of the upload of a folder. */
export interface FolderOptions extends Waiting, Pick<Params<'track/upload'>, 'tempoRange'> {
  /** Called after each file, with or without a track. */
  onProgress?: ((progress: FolderProgress) => void) | undefined
}

/** Files of a folder that are uploaded at once. */
const MAX_UPLOADING_FILES = 16

/** See {@link Tracks.uploadFolder}. */
export async function* uploadFolder(
  door: Door,
  folder: FilePath,
  options: FolderOptions,
): AsyncGenerator<Track> {
  const { signal, onProgress, tempoRange } = options
  const files = await listFolder(door, plainPath(folder), signal)
  const leave = new AbortController()
  const { signal: joinedSignal, release } = joinSignals(leave.signal, signal)
  const uploads = new Map<string, Promise<Omit<FolderProgress, 'done' | 'total'>>>()
  let next = 0
  try {
    for (let done = 1; done <= files.length; done++) {
      while (next < files.length && uploads.size < MAX_UPLOADING_FILES) {
        const file = files[next++] as string
        uploads.set(file, uploadFile(door, { file, tempoRange }, joinedSignal))
      }
      const step = await Promise.race(uploads.values())
      uploads.delete(step.file)
      onProgress?.({ ...step, done, total: files.length })
      if (step.track) yield step.track
    }
  } finally {
    // When the loop is left, stop waiting. Uploaded files are still analysed.
    leave.abort()
    release()
    await Promise.allSettled(uploads.values())
  }
}

async function uploadFile(
  door: Door,
  upload: { file: string } & Pick<FolderOptions, 'tempoRange'>,
  signal: AbortSignal,
): Promise<Omit<FolderProgress, 'done' | 'total'>> {
  const { file } = upload
  try {
    const { id } = await door.call('track/upload', upload, { signal })
    const answer = await door.call('track/wait', { id }, { signal })
    return { file, track: new Track(door, answer) }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (!concernsOneFile(error)) throw error
    return { file, error }
  }
}

async function listFolder(
  door: Door,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const files: string[] = []
  let hasMore = true
  while (hasMore) {
    const after = files.at(-1)
    const page = await door.call('track/audio-files', { folder, after }, { signal })
    files.push(...page.files)
    hasMore = page.more
  }
  return files
}

/** Whether an error concerns one file. Others (closed, wrong key, full disk) end the upload. */
export function concernsOneFile(error: unknown): error is AudileError {
  if (error instanceof DecodeError) return true
  // The file is too large, or its track was removed.
  return (
    error instanceof AudileError &&
    (error.code === 'limit_exceeded' || error.code === 'unknown_identifier')
  )
}
