import { z } from 'zod'
import { absolutePath } from '../file-path.ts'
import { method } from '../kernel/method.ts'
import { flag, nonEmpty, oneOrMany } from '../parameter-types.ts'
import { outermost } from './folder-walk.ts'
import { listingOf } from './listing.ts'
import { type MissingFile, markMissing } from './missing.ts'
import type { TrackRoom } from './room.ts'
import { describe, type TrackProfile } from './track-answer.ts'

/** A pattern of paths; a longer one names no file, and takes long to read. */
const pattern = z.string().min(1).max(1_024)

/** The parameters that say which files are meant. */
export const folderParameters = {
  /** Paths of folders, or their `file:` URLs. A folder inside another one is walked once. */
  folders: z.array(nonEmpty).min(1),
  /**
   * Patterns of files: only these. They are for paths below the folder, with slashes, in any case:
   * `Jazz/**`. A pattern without a slash is for names at any depth: `*.flac`.
   */
  include: oneOrMany(pattern).optional(),
  /** Patterns of files and folders that are left out, in the same form: `Podcasts`, `*.live.mp3`. */
  exclude: oneOrMany(pattern).optional(),
  /**
   * Endings of names, with or without the dot, in any case: only these. Default: names of audio, and
   * names that say nothing, if the content is audio.
   */
  extensions: z.array(nonEmpty).optional(),
  /** Whether links to folders are followed; those to files always are. Default false. */
  followSymlinks: flag.default(false),
}

/** Whether missing files are removed. */
export const prune = flag.default(false)

const begun = z.strictObject({
  ...folderParameters,
  /**
   * Whether what is missing is removed: the file from its track, and a track that has no other file
   * and no kept copy. Default: missing files are kept as not present. Nothing is removed when a folder
   * that had files holds none: its disk may not be mounted.
   */
  prune,
})

/**
 * `track/scan` (ours): lists folders, and compares the files in them with those that are known.
 * `track/scan-next` tells what was found, and `track/scan-end` forgets it.
 *
 * @throws {DecodeError} when one of the folders cannot be read
 * @throws {ParameterError} with `prune`, when a folder that had files holds none now
 */
export const scan = method({
  name: 'track/scan',
  parameters: begun,
  async run(
    room: TrackRoom,
    { folders, ...given },
    { signal },
  ): Promise<{ scan: number; total: number; missing: number }> {
    const roots = outermost(folders.map((folder) => absolutePath(folder, 'folders')))
    const listing = await listingOf(room, { ...given, roots }, signal)
    const { unchanged, failed, files, missing } = listing
    const number = room.listings.add(listing)
    const total = unchanged.length + failed.length + files.length + missing.length
    return { scan: number, total, missing: missing.length }
  },
})

const next = z.strictObject({
  /** The number of the scan. */
  scan: z.int(),
  /** How many are answered at most, 1…500. Default 200. */
  results: z.int().min(1).max(500).default(200),
})

/** Part of what a scan found. */
export interface ScanPart {
  /** Files that are as they were, with their tracks. */
  unchanged: { file: string; track: TrackProfile }[]
  /** Folders and files that cannot be read, and why. */
  failed: { file: string; error: string }[]
  /** Files that are to be taken in. */
  files: string[]
  /** Whether there is more. */
  more: boolean
}

/** `track/scan-next` (ours): the next part of what a scan found, without what is missing. */
export const scanNext = method({
  name: 'track/scan-next',
  parameters: next,
  run({ store, listings }: TrackRoom, { scan, results }): ScanPart {
    const listing = listings.running(scan)
    const unchanged = listing.unchanged.splice(0, results).flatMap(({ path, trackId }) => {
      // It may have been removed since.
      const row = store.byId(trackId)
      return row ? [{ file: path, track: describe(store, row, undefined) }] : []
    })
    const failed = listing.failed.splice(0, results)
    // What takes long comes last.
    const files = listing.unchanged.length > 0 ? [] : listing.files.splice(0, results)
    const more = listing.unchanged.length + listing.failed.length + listing.files.length > 0
    return { unchanged, failed, files, more }
  },
})

const lost = z.strictObject({
  ...next.shape,
  /** Whether what is missing is removed; as `track/scan` was told. */
  prune,
})

/**
 * `track/scan-missing` (ours): the next files that a scan misses, after those that it found were taken
 * in: one of them may be where a missing file moved.
 */
export const scanMissing = method({
  name: 'track/scan-missing',
  parameters: lost,
  async run(
    room: TrackRoom,
    { scan, results, prune },
    { signal },
  ): Promise<{ missing: MissingFile[]; more: boolean }> {
    const listing = room.listings.running(scan)
    const paths = listing.missing.splice(0, results)
    const missing = await markMissing(room, { paths, roots: listing.roots, prune }, signal)
    return { missing, more: listing.missing.length > 0 }
  },
})

/** `track/scan-end` (ours): forgets a scan. */
export const scanEnd = method({
  name: 'track/scan-end',
  parameters: next.pick({ scan: true }),
  run({ listings }: TrackRoom, { scan }): { scan: number } {
    listings.delete(scan)
    return { scan }
  },
})
