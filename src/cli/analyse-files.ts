import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { type Audile, AudileError, type Track } from '../index.ts'
import type { Finding } from './format.ts'
import type { Progress } from './progress.ts'

/** Number of files that are registered before the first result is printed. */
const AHEAD = 32

/** The files to analyse, and the paths that gave none. */
export interface Found {
  files: string[]
  /** Paths that do not exist, or are neither file nor folder, with the reasons. */
  missing: Finding[]
  empty: string[]
}

/** Lists the files of paths, in order. A folder gives all audio in it and its subfolders. */
export async function findFiles(
  music: Audile,
  paths: readonly string[],
  { signal, progress }: { signal: AbortSignal; progress: Progress },
): Promise<Found> {
  const found: Found = { files: [], missing: [], empty: [] }
  for (const path of paths.map((path) => resolve(path))) {
    const kind = await kindOf(path)
    if (kind === 'file') found.files.push(path)
    else if (kind !== 'folder') found.missing.push({ file: path, error: kind.problem })
    else {
      const before = found.files.length
      for (let more = true, after: string | undefined; more; ) {
        progress.say(`Looking for audio in ${path}: ${found.files.length - before} files`)
        const page = await music.call('track/audio-files', { folder: path, after }, { signal })
        found.files.push(...page.files)
        more = page.more
        after = page.files.at(-1)
      }
      if (found.files.length === before) found.empty.push(path)
    }
  }
  return found
}

/** What a path names, or why it names neither a file nor a folder. */
export async function kindOf(path: string): Promise<'file' | 'folder' | { problem: string }> {
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

/** Analyses files, and yields their findings in the order of the files. */
export async function* analyseFiles(
  music: Audile,
  files: readonly string[],
  options: { analysis: boolean; signal: AbortSignal; progress: Progress },
): AsyncGenerator<Finding> {
  const { analysis, signal, progress } = options
  const off = music.on('track', ({ id, status, progress: part }) =>
    progress.track(id, status === 'pending' ? part : undefined),
  )
  // Files are analysed in the order of registration, so each registration waits for the one before.
  let registered: Promise<unknown> = Promise.resolve()
  const register = (file: string): Promise<Track> => {
    const next = () => music.tracks.upload({ file, signal })
    const track = registered.then(next, next)
    registered = track
    return track
  }
  const begin = async (file: string): Promise<Finding> => {
    const finding = await findingOf(file, register(file), signal)
    progress.count()
    return finding
  }
  progress.begin(files.length)
  const begun: Promise<Finding>[] = []
  try {
    for (const [i, file] of files.entries()) {
      for (const next of files.slice(i + begun.length, i + AHEAD)) {
        const finding = begin(next)
        // When one file ends the run, nothing awaits the files after it.
        finding.catch(() => {})
        begun.push(finding)
      }
      progress.say(basename(file))
      const finding = (await begun.shift()) as Finding
      // Documents are large, so only the document of the current file is loaded.
      yield analysis ? await withAnalysis(music, finding, signal) : finding
    }
  } finally {
    off()
  }
}

async function withAnalysis(music: Audile, finding: Finding, signal: AbortSignal) {
  const { track, error } = finding
  if (!track || error !== undefined) return finding
  return { ...finding, analysis: await music.call('track/analysis', { id: track.id }, { signal }) }
}

async function findingOf(
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
    if (signal.aborted || !isOfOneFile(error)) throw error
    return { file, ...(track && { track: track.answer }), error: error.message }
  }
}

/** Whether an error concerns one file; others (a full disk, a damaged database) end the run. */
function isOfOneFile(error: unknown): error is AudileError {
  if (!(error instanceof AudileError)) return false
  // Too large, no audio, or removed from the database by another program meanwhile.
  return ['decode', 'limit_exceeded', 'unknown_identifier'].includes(error.code)
}
