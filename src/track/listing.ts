import type { FileStore, KnownFile } from '../input/file-store.ts'
import { looksLikeAudio, readHead } from '../input/require-audio.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { pause } from '../kernel/scheduler.ts'
import { invalidParameter } from '../values/errors.ts'
import { EmptiedFolders, endOf, type Prune } from './emptied-folders.ts'
import { type FilterOptions, FolderFilter } from './folder-filter.ts'
import { type Found, isBelow, prefixOf, walk } from './folder-walk.ts'

/** What a scan found, compared with the known files. Each list is emptied as it is answered. */
export interface Listing {
  unchanged: { path: string; trackId: string }[]
  failed: { file: string; error: string }[]
  /** Files that are new, or differ from what is known, or whose track was not analysed yet. */
  files: string[]
  missing: string[]
  /** What its missing files have in common. */
  emptied: EmptiedFolders
}

export interface ListingOptions extends FilterOptions {
  roots: readonly string[]
  followSymlinks: boolean
  prune: Prune
}

const PAGE = 2_000
/** Files whose beginning is read at once. */
const HEADS = 16

/**
 * Walks folders and compares their files with the known ones. It opens only unknown files whose
 * names do not tell their kind.
 */
export async function listingOf(
  room: Pick<Kernel, 'config'> & { store: { files: FileStore } },
  options: ListingOptions,
  signal: AbortSignal,
): Promise<Listing> {
  const { roots, followSymlinks, prune } = options
  const filter = new FolderFilter(options)
  const known = new Map<string, KnownFile>()
  for (const root of roots) await readKnown(room.store.files, root, known, signal)
  const emptied = new EmptiedFolders(room.store.files, roots)
  const listing: Listing = { unchanged: [], failed: [], files: [], missing: [], emptied }
  const blind: string[] = []
  const holding = new Set<string>()
  for await (const some of walk(roots, { filter, followSymlinks, signal })) {
    const unclear: string[] = []
    for (const found of some) {
      const row = known.get(found.path)
      known.delete(found.path)
      if ('error' in found) {
        listing.failed.push({ file: found.path, error: found.error.message })
        if (found.folder) blind.push(found.path)
        continue
      }
      const root = roots.find((one) => isBelow(found.path, one))
      if (root !== undefined) holding.add(root)
      if (row && isSame(row, found)) {
        listing.unchanged.push({ path: row.path, trackId: row.trackId })
      } else if (row || found.verdict === 'audio') listing.files.push(found.path)
      else unclear.push(found.path)
    }
    listing.files.push(...(await audioAmong(room, unclear)))
  }
  listing.missing = [...known.values()].flatMap(({ path }) => {
    const root = roots.find((one) => isBelow(path, one)) as string
    const seen = !blind.some((folder) => isBelow(path, folder))
    return seen && filter.reaches(root, path) ? [path] : []
  })
  if (prune === true) for (const root of roots) requireFiles(listing, root, holding)
  return listing
}

async function readKnown(
  files: FileStore,
  root: string,
  known: Map<string, KnownFile>,
  signal: AbortSignal,
): Promise<void> {
  const prefix = prefixOf(root)
  const before = endOf(prefix)
  for (let after = prefix; ; ) {
    const rows = files.between({ after, before, results: PAGE })
    for (const row of rows) known.set(row.path, row)
    await pause(signal)
    const end = rows.at(-1)
    if (!end || rows.length < PAGE) return
    after = end.path
  }
}

/** Whether a file is unchanged since its track was made from it. */
function isSame(row: KnownFile, found: Extract<Found, { size: number }>): boolean {
  return (
    row.size === found.size &&
    row.modified === found.modified &&
    row.present === 1 &&
    row.unanalysed === 0
  )
}

/** The files whose content looks like audio, and those that cannot be read: their upload says why. */
export async function audioAmong(
  room: Pick<Kernel, 'config'>,
  paths: readonly string[],
): Promise<string[]> {
  const audio: string[] = []
  for (let start = 0; start < paths.length; start += HEADS) {
    const some = paths.slice(start, start + HEADS)
    const isAudio = await Promise.all(
      some.map((path) =>
        readHead(path).then(
          (head) => looksLikeAudio(room, head),
          () => true,
        ),
      ),
    )
    audio.push(...some.filter((_, i) => isAudio[i]))
  }
  return audio
}

/** @throws {ParameterError} for a folder without files that had some: its disk may not be mounted */
function requireFiles({ missing }: Listing, root: string, holding: ReadonlySet<string>): void {
  const lost = missing.filter((path) => isBelow(path, root)).length
  if (lost === 0 || holding.has(root)) return
  throw invalidParameter(
    'prune',
    `${root} holds none of its ${lost} files. If its disk is not mounted, mount it; if they are ` +
      "really gone, scan with prune: 'emptied', or without it to look at them first",
  )
}
