import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { flag, nonEmpty, oneOrMany } from '../options/parameter-types.ts'
import { absolutePath } from '../values/file-path.ts'
import { prune } from './emptied-folders.ts'
import { outermostFolders } from './folder-walk.ts'
import { listFolders } from './listing.ts'
import { type MarkedFiles, markMissing } from './missing.ts'
import type { TrackRoom } from './room.ts'
import { describeTrack, type TrackProfile } from './track-answer.ts'

/** A path pattern. A longer one matches no file, and is slow to parse. */
const pathPattern = z.string().min(1).max(1_024)

export const folderParameters = {
  /** Paths of folders, or their `file:` URLs. A folder inside another one is walked once. */
  folders: z.array(nonEmpty).min(1),
  /**
   * Patterns of files to include, relative to the folder, with slashes, in any case: `Jazz/**`.
   * Without a slash they match names at any depth: `*.flac`.
   */
  include: oneOrMany(pathPattern).optional(),
  /** Patterns of files and folders to leave out, in the same form: `Podcasts`, `*.live.mp3`. */
  exclude: oneOrMany(pathPattern).optional(),
  /**
   * File extensions to include, with or without the dot. Default: those of audio, and unknown ones
   * if the content is audio.
   */
  extensions: z.array(nonEmpty).optional(),
  /** Whether links to folders are followed; those to files always are. Default false. */
  followSymlinks: flag.default(false),
}

/**
 * `track/scan` (ours): compares the files in folders with those that are known. `track/scan-next`
 * returns the results, `track/scan-end` drops them.
 */
export const scanFolders = method({
  name: 'track/scan',
  parameters: z.strictObject({
    ...folderParameters,
    /**
     * Whether to remove missing files from their tracks, and tracks that keep nothing. Nothing is
     * removed of a folder that lost all its files, unless `emptied`: its disk may not be mounted.
     */
    prune,
  }),
  async run(
    room: TrackRoom,
    { folders, ...filterOptions },
    { signal },
  ): Promise<{ scan: number; total: number; missing: number }> {
    const roots = outermostFolders(folders.map((folder) => absolutePath(folder, 'folders')))
    const listing = await listFolders(room, { ...filterOptions, roots }, signal)
    const { unchanged, failed, files, missing } = listing
    const number = room.listings.addOperation(listing)
    const total = unchanged.length + failed.length + files.length + missing.length
    return { scan: number, total, missing: missing.length }
  },
})

const scanPageParameters = z.strictObject({
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
  /** Files to register. */
  files: string[]
  more: boolean
}

/** `track/scan-next` (ours): the next part of the results of a scan, without missing files. */
export const scanNext = method({
  name: 'track/scan-next',
  parameters: scanPageParameters,
  run({ store, listings }: TrackRoom, { scan, results }): ScanPart {
    const listing = listings.requireRunning(scan)
    const unchanged = listing.unchanged.splice(0, results).flatMap(({ path, trackId }) => {
      // The track may have been removed since.
      const row = store.byId(trackId)
      return row ? [{ file: path, track: describeTrack(store, row, undefined) }] : []
    })
    const failed = listing.failed.splice(0, results)
    // Files to register take long, so they come last.
    const files = listing.unchanged.length > 0 ? [] : listing.files.splice(0, results)
    const more = listing.unchanged.length + listing.failed.length + listing.files.length > 0
    return { unchanged, failed, files, more }
  },
})

/**
 * `track/scan-missing` (ours): the next missing files of a scan. Call it last: a missing file may
 * have moved to a found one.
 */
export const scanMissing = method({
  name: 'track/scan-missing',
  parameters: z.strictObject({
    ...scanPageParameters.shape,
    /** Whether to remove missing files, as given to `track/scan`. */
    prune,
  }),
  async run(
    room: TrackRoom,
    { scan, results, prune },
    { signal },
  ): Promise<MarkedFiles & { more: boolean }> {
    const listing = room.listings.requireRunning(scan)
    const paths = listing.missing.splice(0, results)
    const marked = await markMissing(room, { paths, folders: listing.emptied, prune }, signal)
    return { ...marked, more: listing.missing.length > 0 }
  },
})

/** `track/scan-end` (ours): drops the results of a scan. */
export const scanEnd = method({
  name: 'track/scan-end',
  parameters: scanPageParameters.pick({ scan: true }),
  run({ listings }: TrackRoom, { scan }): { scan: number } {
    listings.delete(scan)
    return { scan }
  },
})
