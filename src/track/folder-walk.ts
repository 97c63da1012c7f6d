import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { pause } from '../kernel/scheduler.ts'
import { DecodeError } from '../values/errors.ts'
import { explainMisnaming } from '../values/file-names.ts'
import type { FolderFilter, NameVerdict } from './folder-filter.ts'

export type WalkedEntry =
  | {
      path: string
      verdict: Exclude<NameVerdict, 'other'>
      size: number
      /** Milliseconds since 1970. */
      modified: number
    }
  /** A folder or a file that cannot be read. */
  | { path: string; error: Error; folder: boolean }

export interface WalkOptions {
  filter: FolderFilter
  /** Each real folder is walked once. */
  followSymlinks: boolean
  signal: AbortSignal
}

const PARALLEL_STATS = 32

interface WalkedFolder {
  root: string
  path: string
  real: string
}

export function outermostFolders(folders: readonly string[]): string[] {
  const unique = [...new Set(folders)]
  return unique.filter(
    (folder) => !unique.some((outer) => outer !== folder && isBelow(folder, outer)),
  )
}

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(prefixOf(folder))
}

export function prefixOf(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep
}

/** Links to files count as files. */
export async function* walkFolders(
  roots: readonly string[],
  options: WalkOptions,
): AsyncGenerator<readonly WalkedEntry[]> {
  const walkedFolders = new Set<string>()
  const links: WalkedFolder[] = []
  await requireFolders(roots)
  for (const root of roots) {
    yield* walkFolder(
      { root, path: root, real: await realpath(root) },
      { walked: walkedFolders, links, options },
    )
  }
  // Links come last, so that a file gets its own path and not that of a link to its folder.
  for (let link = links.shift(); link; link = links.shift()) {
    yield* walkFolder(link, { walked: walkedFolders, links, options })
  }
}

interface WalkState {
  walked: Set<string>
  /** Links to folders that are still to follow. */
  links: WalkedFolder[]
  options: WalkOptions
}

async function* walkFolder(
  folder: WalkedFolder,
  state: WalkState,
): AsyncGenerator<readonly WalkedEntry[]> {
  const { root, path, real } = folder
  const { walked, options } = state
  await pause(options.signal)
  if (walked.has(real)) return
  walked.add(real)
  let entries: Dirent[]
  try {
    entries = await readdir(path, { withFileTypes: true })
  } catch (error) {
    const readError = await explainUnreadable(path, error)
    if (path === root) throw readError
    yield [{ path, error: readError, folder: true }]
    return
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  const folders: WalkedFolder[] = []
  for (let start = 0; start < entries.length; start += PARALLEL_STATS) {
    await pause(options.signal)
    const batch = entries.slice(start, start + PARALLEL_STATS)
    const walkedEntries = await Promise.all(
      batch.map((entry) => walkedEntry(entry, join(path, entry.name), folder, folders, state)),
    )
    const files = walkedEntries.filter((entry) => entry !== undefined)
    if (files.length > 0) yield files
  }
  for (const next of folders) yield* walkFolder(next, state)
}

/** Subfolders are added to `folders`. */
async function walkedEntry(
  entry: Dirent,
  path: string,
  { root, real }: WalkedFolder,
  folders: WalkedFolder[],
  { links, options }: WalkState,
): Promise<WalkedEntry | undefined> {
  const { filter, followSymlinks } = options
  if (entry.isDirectory()) {
    if (filter.isFolderTaken(root, path)) folders.push({ root, path, real: join(real, entry.name) })
    return undefined
  }
  if (!entry.isFile() && !entry.isSymbolicLink()) return undefined
  const verdict = filter.verdictOf(root, path)
  // A link with such a name may lead to a folder.
  if (verdict === 'other' && !entry.isSymbolicLink()) return undefined
  try {
    const info = await stat(path)
    if (info.isDirectory() && followSymlinks && filter.isFolderTaken(root, path)) {
      links.push({ root, path, real: await realpath(path) })
    }
    if (!info.isFile() || verdict === 'other') return undefined
    return { path, verdict, size: info.size, modified: info.mtimeMs }
  } catch (error) {
    if (verdict === 'other') return undefined
    // The link leads to nothing.
    if (entry.isSymbolicLink() && (await explainMisnaming(path)) === undefined) return undefined
    return { path, error: await explainUnreadable(path, error), folder: false }
  }
}

/** @throws {DecodeError} when one of the paths is not a folder, or does not exist */
export async function requireFolders(roots: readonly string[]): Promise<void> {
  for (const root of roots) {
    const info = await stat(root).catch(async (error: Error) => {
      throw await explainUnreadable(root, error)
    })
    if (!info.isDirectory()) throw new DecodeError(`${root} is not a folder; upload it as a file.`)
  }
}

async function explainUnreadable(path: string, error: unknown): Promise<DecodeError> {
  const { code, message } = error as NodeJS.ErrnoException
  const absent = code === 'ENOENT' ? 'there is no such file or folder' : message
  const why = (await explainMisnaming(path)) ?? absent
  return new DecodeError(`Cannot read ${path}: ${why}.`, { cause: error })
}
