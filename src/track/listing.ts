import type { FileStore, KnownFile } from '../input/file-store.ts'
import { looksLikeAudio, readHead } from '../input/require-audio.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { pause } from '../kernel/scheduler.ts'
import { invalidParameter } from '../values/errors.ts'
import { afterPrefix, EmptiedFolders, type Prune } from './emptied-folders.ts'
import { type FilterOptions, FolderFilter } from './folder-filter.ts'
import { isBelow, prefixOf, type WalkedEntry, walkFolders } from './folder-walk.ts'

/** Each list is emptied as it is answered. */
export interface Listing {
  unchanged: { path: string; trackId: string }[]
  failed: { file: string; error: string }[]
  /** Files that are new, or differ from what is known, or whose track was not analysed yet. */
  files: string[]
  missing: string[]
  emptied: EmptiedFolders
}

export interface ListingOptions extends FilterOptions {
  roots: readonly string[]
  followSymlinks: boolean
  prune: Prune
}

const KNOWN_FILES_PER_PAGE = 2_000
/** Read in parallel. */
const PARALLEL_HEADS = 16

/** Opens only unknown files whose names do not tell their kind. */
export async function listFolders(
  room: Pick<Kernel, 'config'> & { store: { files: FileStore } },
  options: ListingOptions,
  signal: AbortSignal,
): Promise<Listing> {
  const { roots, followSymlinks, prune } = options
  const filter = new FolderFilter(options)
  const knownFiles = new Map<string, KnownFile>()
  for (const root of roots) await readKnownFiles(room.store.files, root, knownFiles, signal)
  const emptied = new EmptiedFolders(room.store.files, roots)
  const listing: Listing = { unchanged: [], failed: [], files: [], missing: [], emptied }
  const unreadableFolders: string[] = []
  const rootsWithFiles = new Set<string>()
  for await (const batch of walkFolders(roots, { filter, followSymlinks, signal })) {
    const unclearFiles: string[] = []
    for (const entry of batch) {
      const row = knownFiles.get(entry.path)
      knownFiles.delete(entry.path)
      if ('error' in entry) {
        listing.failed.push({ file: entry.path, error: entry.error.message })
        if (entry.folder) unreadableFolders.push(entry.path)
        continue
      }
      const root = roots.find((folder) => isBelow(entry.path, folder))
      if (root !== undefined) rootsWithFiles.add(root)
      if (row && isUnchangedFile(row, entry)) {
        listing.unchanged.push({ path: row.path, trackId: row.trackId })
      } else if (row || entry.verdict === 'audio') listing.files.push(entry.path)
      else unclearFiles.push(entry.path)
    }
    listing.files.push(...(await selectAudio(room, unclearFiles)))
  }
  listing.missing = [...knownFiles.values()].flatMap(({ path }) => {
    const root = roots.find((folder) => isBelow(path, folder)) as string
    const isSeen = !unreadableFolders.some((folder) => isBelow(path, folder))
    return isSeen && filter.isReached(root, path) ? [path] : []
  })
  if (prune === true) for (const root of roots) requireNotEmptied(listing, root, rootsWithFiles)
  return listing
}

async function readKnownFiles(
  files: FileStore,
  root: string,
  knownFiles: Map<string, KnownFile>,
  signal: AbortSignal,
): Promise<void> {
  const prefix = prefixOf(root)
  const end = afterPrefix(prefix)
  for (let after = prefix; ; ) {
    const rows = files.between({ after, before: end, results: KNOWN_FILES_PER_PAGE })
    for (const row of rows) knownFiles.set(row.path, row)
    await pause(signal)
    const lastRow = rows.at(-1)
    if (!lastRow || rows.length < KNOWN_FILES_PER_PAGE) return
    after = lastRow.path
  }
}

/** Since its track was made from it. */
function isUnchangedFile(row: KnownFile, entry: Extract<WalkedEntry, { size: number }>): boolean {
  return (
    row.size === entry.size &&
    row.modified === entry.modified &&
    row.present === 1 &&
    row.unanalysed === 0
  )
}

/** Also those that cannot be read: their upload says why. */
export async function selectAudio(
  room: Pick<Kernel, 'config'>,
  paths: readonly string[],
): Promise<string[]> {
  const audio: string[] = []
  for (let start = 0; start < paths.length; start += PARALLEL_HEADS) {
    const batch = paths.slice(start, start + PARALLEL_HEADS)
    const isAudio = await Promise.all(
      batch.map((path) =>
        readHead(path).then(
          (head) => looksLikeAudio(room, head),
          () => true,
        ),
      ),
    )
    audio.push(...batch.filter((_, i) => isAudio[i]))
  }
  return audio
}

/** @throws {ParameterError} for a folder without files that had some: its disk may not be mounted */
function requireNotEmptied(
  { missing }: Listing,
  root: string,
  rootsWithFiles: ReadonlySet<string>,
): void {
  const lostCount = missing.filter((path) => isBelow(path, root)).length
  if (lostCount === 0 || rootsWithFiles.has(root)) return
  throw invalidParameter(
    'prune',
    `${root} holds none of its ${lostCount} files. If its disk is not mounted, mount it; if they are ` +
      "really gone, scan with prune: 'emptied', or without it to look at them first",
  )
}
