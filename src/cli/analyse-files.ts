import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { type Audile, AudileError, type Track } from '../index.ts'
import type { Finding } from './format.ts'
import type { Progress } from './progress.ts'

/** So many before the first result is printed. */
const MAX_REGISTERED_AHEAD = 32

/** The files to analyse, and the paths that gave none. */
export interface FoundFiles {
  files: string[]
  /** Neither files nor folders, with the reasons. */
  missing: Finding[]
  empty: string[]
}

/** In order. A folder gives all audio in it and its subfolders. */
export async function findFiles(
  music: Audile,
  paths: readonly string[],
  { signal, progress }: { signal: AbortSignal; progress: Progress },
): Promise<FoundFiles> {
  const foundFiles: FoundFiles = { files: [], missing: [], empty: [] }
  for (const path of paths.map((path) => resolve(path))) {
    const kind = await kindOfPath(path)
    if (kind === 'file') foundFiles.files.push(path)
    else if (kind !== 'folder') foundFiles.missing.push({ file: path, error: kind.problem })
    else {
      const countBefore = foundFiles.files.length
      for (let hasMore = true, after: string | undefined; hasMore; ) {
        progress.showText(
          `Looking for audio in ${path}: ${foundFiles.files.length - countBefore} files`,
        )
        const page = await music.call('track/audio-files', { folder: path, after }, { signal })
        foundFiles.files.push(...page.files)
        hasMore = page.more
        after = page.files.at(-1)
      }
      if (foundFiles.files.length === countBefore) foundFiles.empty.push(path)
    }
  }
  return foundFiles
}

export async function kindOfPath(path: string): Promise<'file' | 'folder' | { problem: string }> {
  try {
    const info = await stat(path)
    if (info.isDirectory()) return 'folder'
    // Opening a pipe or a device could block for ever.
    return info.isFile() ? 'file' : { problem: 'It is neither a file nor a folder.' }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const missing = code === 'ENOENT' || code === 'ENOTDIR'
    // A name that is no UTF-8: the engine says so.
    if (missing && path.includes('\ufffd')) return 'file'
    return { problem: missing ? 'There is no such file or folder.' : message }
  }
}

export async function* analyseFiles(
  music: Audile,
  files: readonly string[],
  options: { analysis: boolean; signal: AbortSignal; progress: Progress },
): AsyncGenerator<Finding> {
  const { analysis, signal, progress } = options
  const stopListening = music.on('track', ({ id, status, progress: share }) =>
    progress.trackProgress(id, status === 'pending' ? share : undefined),
  )
  // Files are analysed in the order of registration.
  let registered: Promise<unknown> = Promise.resolve()
  const registerFile = (file: string): Promise<Track> => {
    const uploadNext = () => music.tracks.upload({ file, signal })
    const track = registered.then(uploadNext, uploadNext)
    registered = track
    return track
  }
  const beginFile = async (file: string): Promise<Finding> => {
    const finding = await analyseFile(file, registerFile(file), signal)
    progress.countFile()
    return finding
  }
  progress.beginRun(files.length)
  const begunFindings: Promise<Finding>[] = []
  try {
    for (const [i, file] of files.entries()) {
      for (const next of files.slice(i + begunFindings.length, i + MAX_REGISTERED_AHEAD)) {
        const finding = beginFile(next)
        // When one file ends the run, nothing awaits the files after it.
        finding.catch(() => {})
        begunFindings.push(finding)
      }
      progress.showText(basename(file))
      const finding = (await begunFindings.shift()) as Finding
      // Documents are large, so only the document of the current file is loaded.
      yield analysis ? await withAnalysis(music, finding, signal) : finding
    }
  } finally {
    stopListening()
  }
}

async function withAnalysis(music: Audile, finding: Finding, signal: AbortSignal) {
  const { track, error } = finding
  if (!track || error !== undefined) return finding
  return { ...finding, analysis: await music.call('track/analysis', { id: track.id }, { signal }) }
}

async function analyseFile(
  file: string,
  registered: Promise<Track>,
  signal: AbortSignal,
): Promise<Finding> {
  let track: Track | undefined
  try {
    track = await registered
    await track.analyzed({ signal })
    return { file, track: await track.profile({ bucket: ['audio_summary'] }) }
  } catch (error) {
    if (signal.aborted || !endsOneFile(error)) throw error
    return { file, ...(track && { track: track.answer }), error: error.message }
  }
}

/** Others (a full disk, a damaged database) end the run. */
function endsOneFile(error: unknown): error is AudileError {
  if (!(error instanceof AudileError)) return false
  // Too large, no audio, or removed from the database by another program meanwhile.
  return ['decode', 'limit_exceeded', 'unknown_identifier'].includes(error.code)
}
