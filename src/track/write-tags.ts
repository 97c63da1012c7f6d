import { realpath } from 'node:fs/promises'
import { z } from 'zod'
import { moodsOf } from '../analysis/summary/moods.ts'
import type { TagChange, WrittenValues } from '../audio/write-tags.ts'
import type { FileRow } from '../input/file-store.ts'
import type { ReceivedAudio } from '../input/receive-audio.ts'
import { method } from '../kernel/method.ts'
import { flag, text } from '../options/parameter-types.ts'
import { DecodeError, ParameterError } from '../values/errors.ts'
import { camelot, keyName, openKey } from '../values/music-key.ts'
import { LONGEST_NAME } from '../values/text.ts'
import { TRIES } from '../workers/workers.ts'
import { levelsOf } from './albums.ts'
import { requireAnalysis } from './analysis.ts'
import { findTrack, trackReference } from './find-track.ts'
import { replaceBytes } from './replace-bytes.ts'
import { removeLeftCopies, replaceFile } from './replace-file.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'
import { releaseAudio, requireSeen } from './track-audio.ts'

const FIELDS = ['bpm', 'key', 'trackGain', 'albumGain', 'mood'] as const
const NOTATIONS = {
  name: (key: number, mode: number) => keyName(key, mode, 'short'),
  camelot,
  'open-key': openKey,
} as const

/** What a file of a track gets into its tags. */
export interface TaggedFile {
  /** The absolute path. */
  path: string
  /** The values that differ, before and after. Empty: nothing is to be written. */
  changes: TagChange[]
  /** Whether they are written now. */
  written: boolean
  /**
   * Why its tags cannot be written, or were not: its format, another program has changed it, it is
   * gone or may not be written. The file is as it was.
   */
  error?: string
}

/** `track/write-tags` (ours): writes values of the analysis into the tags of a track's files. */
export const writeTags = method({
  name: 'track/write-tags',
  parameters: z.strictObject({
    ...trackReference,
    /** `false` writes. Default: the answer only tells what would change. */
    dryRun: flag.default(true),
    /**
     * What is written, where it is known. Default: all but `mood`, which a person may have chosen.
     * With a gain goes its peak.
     */
    fields: z.array(z.enum(FIELDS)).default(() => FIELDS.filter((field) => field !== 'mood')),
    /** How the key is written: `Am`, `8A` or `1m`. Default `name`. */
    keyNotation: z.enum(Object.keys(NOTATIONS) as (keyof typeof NOTATIONS)[]).default('name'),
    /** A comment. Default: that of the file stays. */
    comment: text.max(LONGEST_NAME).optional(),
  }),
  async run(
    room: TrackRoom,
    { dryRun, fields, keyNotation, comment, ...reference },
    { signal },
  ): Promise<{
    /** Each file of the track. */
    files: TaggedFile[]
  }> {
    const track = requireAnalysis(findTrack(room.store, reference))
    const values = { ...valuesOf(room, track, fields, keyNotation), ...(comment && { comment }) }
    const rows = room.store.files.ofTrack(track.id)
    if (rows.length === 0) {
      const message = `${track.id} has no file of yours, only bytes that were uploaded or an import; upload it by its path.`
      throw new ParameterError('not_ready', message)
    }
    const files: TaggedFile[] = []
    const done: ReceivedAudio[] = []
    try {
      for (const row of rows) {
        const file = { path: row.path, changes: [], written: false }
        files.push(
          await tag(room, { track, row, values, dryRun, done }, signal).catch(refusal(file)),
        )
      }
    } finally {
      await follow(room, track, done)
    }
    return { files }
  },
})

/** The answer for a file whose tags are not written. Other errors end the call. */
function refusal(file: TaggedFile): (error: unknown) => TaggedFile {
  return (error) => {
    if (!(error instanceof DecodeError)) throw error
    return { ...file, error: error.message }
  }
}

function valuesOf(
  { library, analyses }: TrackRoom,
  track: TrackRow,
  fields: readonly (typeof FIELDS)[number][],
  notation: keyof typeof NOTATIONS,
): WrittenValues {
  const { tempo, key, mode, keyConfidence, trackGain, truePeak } = track
  const values: WrittenValues = {}
  const album = fields.includes('albumGain') ? albumOf(track, library) : undefined
  const levels = album && levelsOf(album, analyses)
  const [mood] = moodsOf(track)
  if (fields.includes('bpm') && tempo) values.bpm = tempo
  // A document has a key number even if no key was heard.
  if (fields.includes('key') && key !== null && mode !== null && keyConfidence !== 0) {
    values.key = NOTATIONS[notation](key, mode)
  }
  if (fields.includes('mood') && mood) values.mood = mood.name
  const gains = {
    track: fields.includes('trackGain') ? { gain: trackGain, peak: truePeak } : {},
    album: { gain: levels?.albumGain, peak: levels?.albumPeak },
  }
  for (const of of ['track', 'album'] as const) {
    const { gain, peak } = gains[of]
    if (gain == null || peak == null) continue
    values[`${of}Gain`] = gain
    values[`${of}Peak`] = 10 ** (peak / 20)
  }
  return values
}

function albumOf({ id }: TrackRow, library: TrackRoom['library']) {
  const { groups } = library.albumGroups()
  const num = library.numOf(id)
  return groups.find(({ nums }) => num !== undefined && nums.includes(num))
}

interface Tagging {
  track: TrackRow
  row: FileRow
  values: WrittenValues
  dryRun: boolean
  /** Gets the files that are written. */
  done: ReceivedAudio[]
}

async function tag(
  room: TrackRoom,
  { track, row, values, dryRun, done }: Tagging,
  signal: AbortSignal,
): Promise<TaggedFile> {
  const { workers, uploads, config } = room
  const { path, size, modified } = row
  const seen = size === null || modified === null ? null : { size, modified }
  await requireSeen(room, track, { path, seen }, signal)
  const given = { path, values, bytes: config.limits.tagBytes }
  const change = async (copy: string) => {
    await workers.run('write-tags', { ...given, copy }, { signal })
    await requireSound(room, { track, path, copy }, signal)
    return uploads.hash(copy, signal)
  }
  try {
    const target = await realpath(path)
    // Even if nothing is to be written: it may be what the killed process had written last.
    if (!dryRun) await removeLeftCopies(target)
    const { changes } = await workers.run('write-tags', given, { signal, tries: TRIES })
    const file = { path, changes, written: !dryRun && changes.length > 0 }
    if (!file.written) return file
    const hashed = await replaceFile(target, change, signal)
    done.push({ ...hashed, path, cached: false })
    return file
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw new DecodeError(`${path}: ${error.message}`, { cause: error })
  }
}

/** @throws {DecodeError} when the copy does not sound exactly as the file */
async function requireSound(
  { workers }: TrackRoom,
  { track, path, copy }: { track: TrackRow; path: string; copy: string },
  signal: AbortSignal,
): Promise<void> {
  const sumOf = (one: string) => workers.run('sum', { path: one }, { signal, tries: TRIES })
  const changed = new DecodeError('Its sound would change; convert it, e.g. to flac.')
  const { audioMd5 } = await sumOf(copy).catch((error) => {
    // The writer has damaged the copy.
    throw error instanceof DecodeError ? changed : error
  })
  if (audioMd5 === track.audioMd5) return
  // An earlier analyser may have made another sum.
  if (audioMd5 !== (await sumOf(path)).audioMd5) throw changed
}

/** Tells the library that the files of a track hold other bytes, so that no scan looks at them. */
async function follow(room: TrackRoom, track: TrackRow, done: ReceivedAudio[]): Promise<void> {
  const [first, ...others] = done
  if (!first) return
  const { store } = room
  if (track.cached) store.atomically.step(() => store.setCached({ id: track.id, cached: 0 }))
  // What is written is told, even if the call is aborted now.
  const replaced = await replaceBytes(room, track, first, new AbortController().signal)
  if (track.cached && track.md5 !== null) releaseAudio(room, track.md5)
  store.atomically.step(() => {
    for (const { path, md5, size, modified } of others) {
      if (replaced && md5 === first.md5)
        store.files.put({ path, trackId: track.id, size, modified })
    }
  })
}
