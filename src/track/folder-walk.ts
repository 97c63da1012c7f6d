import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { pause } from '../kernel/scheduler.ts'
import { DecodeError } from '../values/errors.ts'
import { explainMisnaming } from '../values/file-names.ts'
import type { FolderFilter, Verdict } from './folder-filter.ts'

export type Found =
  | {
      path: string
      verdict: Exclude<Verdict, 'other'>
      size: number
      /** Milliseconds since 1970. */
      modified: number
    }
  /** A folder or a file that cannot be read. */
  | { path: string; error: Error; folder: boolean }

export interface WalkOptions {
  filter: FolderFilter
  /** Whether links to folders are followed. Each real folder is walked once. */
  followSymlinks: boolean
  signal: AbortSignal
}

const AT_ONCE = 32

interface Folder {
  root: string
  path: string
  real: string
}

export function outermost(folders: readonly string[]): string[] {
  const unique = [...new Set(folders)]
  return unique.filter((one) => !unique.some((other) => other !== one && isBelow(one, other)))
}

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(prefixOf(folder))
}

/** The prefix of the paths of all files in a folder. */
export function prefixOf(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep
}

/** Yields the files below folders that pass the filter. Links to files count as files. */
export async function* walk(
  roots: readonly string[],
  options: WalkOptions,
): AsyncGenerator<readonly Found[]> {
  const walked = new Set<string>()
  const links: Folder[] = []
  await requireFolders(roots)
  for (const root of roots) {
    yield* walkFolder({ root, path: root, real: await realpath(root) }, { walked, links, options })
  }
  // Links come last, so that a file gets its own path and not that of a link to its folder.
  for (let link = links.shift(); link; link = links.shift()) {
    yield* walkFolder(link, { walked, links, options })
  }
}

interface State {
  /** Real folders that were walked. */
  walked: Set<string>
  /** Links to folders that are still to be followed. */
  links: Folder[]
  options: WalkOptions
}

async function* walkFolder(folder: Folder, state: State): AsyncGenerator<readonly Found[]> {
  const { root, path, real } = folder
  const { walked, options } = state
  await pause(options.signal)
  if (walked.has(real)) return
  walked.add(real)
  let entries: Dirent[]
  try {
    entries = await readdir(path, { withFileTypes: true })
  } catch (error) {
    const unread = await unreadable(path, error)
    if (path === root) throw unread
    yield [{ path, error: unread, folder: true }]
    return
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  const folders: Folder[] = []
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    await pause(options.signal)
    const some = entries.slice(start, start + AT_ONCE)
    const found = await Promise.all(
      some.map((entry) => foundOf(entry, join(path, entry.name), folder, folders, state)),
    )
    const files = found.filter((one) => one !== undefined)
    if (files.length > 0) yield files
  }
  for (const next of folders) yield* walkFolder(next, state)
}

/** Inspects an entry of a folder. Subfolders are added to `folders`, to be walked later. */
async function foundOf(
  entry: Dirent,
  path: string,
  { root, real }: Folder,
  folders: Folder[],
  { links, options }: State,
): Promise<Found | undefined> {
  const { filter, followSymlinks } = options
  if (entry.isDirectory()) {
    if (filter.enters(root, path)) folders.push({ root, path, real: join(real, entry.name) })
    return undefined
  }
  if (!entry.isFile() && !entry.isSymbolicLink()) return undefined
  const verdict = filter.takes(root, path)
  // A link with such a name may lead to a folder.
  if (verdict === 'other' && !entry.isSymbolicLink()) return undefined
  try {
    const info = await stat(path)
    if (info.isDirectory() && followSymlinks && filter.enters(root, path)) {
      links.push({ root, path, real: await realpath(path) })
    }
    if (!info.isFile() || verdict === 'other') return undefined
    return { path, verdict, size: info.size, modified: info.mtimeMs }
  } catch (error) {
    if (verdict === 'other') return undefined
    // The link leads to nothing.
    if (entry.isSymbolicLink() && (await explainMisnaming(path)) === undefined) return undefined
    return { path, error: await unreadable(path, error), folder: false }
  }
}

/** @throws {DecodeError} when one of the paths is not a folder, or does not exist */
export async function requireFolders(roots: readonly string[]): Promise<void> {
  for (const root of roots) {
    const info = await stat(root).catch(async (error: Error) => {
      throw await unreadable(root, error)
    })
    if (!info.isDirectory()) throw new DecodeError(`${root} is not a folder; upload it as a file.`)
  }
}

async function unreadable(path: string, error: unknown): Promise<DecodeError> {
  const { code, message } = error as NodeJS.ErrnoException
  const absent = code === 'ENOENT' ? 'there is no such file or folder' : message
  const why = (await explainMisnaming(path)) ?? absent
  return new DecodeError(`Cannot read ${path}: ${why}.`, { cause: error })
}
