import { realpath } from 'node:fs/promises'
import { z } from 'zod'
import { moodsOf } from '../analysis/summary/moods.ts'
import type { FileRow } from '../input/file-store.ts'
import type { ReceivedAudio } from '../input/receive-audio.ts'
import { method } from '../kernel/method.ts'
import { flag, text } from '../options/parameter-types.ts'
import type { TagChange, TagValues } from '../tagging/tag-values.ts'
import { DecodeError, ParameterError } from '../values/errors.ts'
import { camelot, keyName, openKey } from '../values/music-key.ts'
import { LONGEST_NAME } from '../values/text.ts'
import { SHORT_TASK_TRIES } from '../workers/workers.ts'
import { albumLevels } from './albums.ts'
import { requireAnalysis } from './analysis.ts'
import { findTrack, trackReference } from './find-track.ts'
import { registerWritten } from './register-written.ts'
import { removeLeftCopies, replaceFile, requireReplaceable } from './replace-file.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'
import { requireSeen } from './track-audio.ts'

const UNSTORABLE_ERROR = 'must not contain NUL or half a surrogate pair'
const isStorableText = (value: string) => !/\0|\p{Cs}/u.test(value)

const TAG_VALUE_FIELDS = ['bpm', 'key', 'trackGain', 'albumGain', 'mood'] as const
const KEY_NOTATIONS = {
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
  /** Why its tags cannot be written, or were not; the file is as it was. */
  error?: string
}

/** `track/write-tags` (ours): writes values of the analysis into the tags of a track's files. */
export const writeTrackTags = method({
  name: 'track/write-tags',
  parameters: z.strictObject({
    ...trackReference,
    /** `false` writes. Default: the answer only tells what would change. */
    dryRun: flag.default(true),
    /**
     * What is written, where it is known; with a gain its peak. Default: all but `mood`, which a
     * person may have chosen.
     */
    fields: z
      .array(z.enum(TAG_VALUE_FIELDS))
      .default(() => TAG_VALUE_FIELDS.filter((field) => field !== 'mood')),
    /** How the key is written: `Am`, `8A` or `1m`. Default `name`. */
    keyNotation: z
      .enum(Object.keys(KEY_NOTATIONS) as (keyof typeof KEY_NOTATIONS)[])
      .default('name'),
    /** A comment. Default: that of the file stays. */
    comment: text.max(LONGEST_NAME).refine(isStorableText, UNSTORABLE_ERROR).optional(),
    /** Whether a file with further names (hard links) is written: they keep the old content. */
    breakHardLinks: flag.default(false),
  }),
  async run(
    room: TrackRoom,
    { dryRun, fields, keyNotation, comment, breakHardLinks, ...reference },
    { signal },
  ): Promise<{
    /** Each file of the track. */
    files: TaggedFile[]
  }> {
    const { id } = findTrack(room.store, reference)
    return room.writing.run(id, signal, async () => {
      const track = requireAnalysis(findTrack(room.store, { id }))
      const values = {
        ...tagValuesOf(room, track, fields, keyNotation),
        ...(comment && { comment }),
      }
      const rows = room.store.files.ofTrack(id)
      if (rows.length === 0) {
        const message = `${id} has no file of yours, only bytes that were uploaded or an import; upload it by its path.`
        throw new ParameterError('not_ready', message)
      }
      const tagging = { track, values, dryRun, breakHardLinks }
      const files: TaggedFile[] = []
      const writtenFiles: ReceivedAudio[] = []
      try {
        for (const row of rows) {
          const file = { path: row.path, changes: [], written: false }
          files.push(
            await tagFile(room, { ...tagging, row, writtenFiles }, signal).catch(refuseFile(file)),
          )
        }
      } finally {
        await registerWritten(room, id, writtenFiles)
      }
      return { files }
    })
  },
})

/** Other errors end the call. */
function refuseFile(file: TaggedFile): (error: unknown) => TaggedFile {
  return (error) => {
    if (!(error instanceof DecodeError)) throw error
    return { ...file, error: error.message }
  }
}

function tagValuesOf(
  { library, analyses }: TrackRoom,
  track: TrackRow,
  fields: readonly (typeof TAG_VALUE_FIELDS)[number][],
  notation: keyof typeof KEY_NOTATIONS,
): TagValues {
  const { tempo, key, mode, keyConfidence, trackGain, truePeak } = track
  const values: TagValues = {}
  const album = fields.includes('albumGain') ? albumGroupOf(track, library) : undefined
  const [levels] = album ? albumLevels([album], analyses) : []
  const [mood] = moodsOf(track)
  if (fields.includes('bpm') && tempo) values.bpm = tempo
  // A document has a key number even if no key was heard.
  if (fields.includes('key') && key !== null && mode !== null && keyConfidence !== 0) {
    values.key = KEY_NOTATIONS[notation](key, mode)
  }
  if (fields.includes('mood') && mood) values.mood = mood.name
  const gains = {
    track: fields.includes('trackGain') ? { gain: trackGain, peak: truePeak } : {},
    album: { gain: levels?.albumGain, peak: levels?.albumPeak },
  }
  for (const target of ['track', 'album'] as const) {
    const { gain, peak } = gains[target]
    if (gain == null || peak == null) continue
    values[`${target}Gain`] = gain
    values[`${target}Peak`] = 10 ** (peak / 20)
  }
  return values
}

function albumGroupOf({ id }: TrackRow, library: TrackRoom['library']) {
  const { groups } = library.albumGroups()
  const num = library.numOf(id)
  return groups.find(({ nums }) => num !== undefined && nums.includes(num))
}

interface TagTask {
  track: TrackRow
  row: FileRow
  values: TagValues
  dryRun: boolean
  breakHardLinks: boolean
  /** Gets the file when it is written. */
  writtenFiles: ReceivedAudio[]
}

async function tagFile(
  room: TrackRoom,
  { track, row, values, dryRun, breakHardLinks, writtenFiles }: TagTask,
  signal: AbortSignal,
): Promise<TaggedFile> {
  const { workers, uploads, config } = room
  const { path, size, modified } = row
  const seenFile = size === null || modified === null ? null : { size, modified }
  await requireSeen(room, track, { path, seen: seenFile }, signal)
  const task = { path, values, bytes: config.limits.tagBytes }
  try {
    const target = await realpath(path)
    // It may be what the killed process had written last.
    if (!dryRun) await removeLeftCopies(target)
    const { changes, md5 } = await workers.run('write-tags', task, {
      signal,
      tries: SHORT_TASK_TRIES,
    })
    const file = { path, changes, written: !dryRun && changes.length > 0 }
    if (changes.length === 0) return file
    requireOwnBytes(room, track, md5)
    await requireReplaceable(target, { breakHardLinks })
    if (dryRun) return file
    const changeCopy = async (copy: string) => {
      await workers.run('write-tags', { ...task, copy }, { signal })
      const hashed = await uploads.hash(copy, signal)
      if (hashed.md5 === md5) return hashed
      throw new DecodeError('Its copy is not what was written; check the disk.')
    }
    const hashed = await replaceFile(target, changeCopy, { signal, breakHardLinks })
    writtenFiles.push({ ...hashed, path, cached: false })
    return file
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw new DecodeError(`${path}: ${error.message}`, { cause: error })
  }
}

/** Two tracks with the same bytes would become one, and lose the corrections of the other. */
function requireOwnBytes({ store }: TrackRoom, track: TrackRow, md5: string): void {
  const otherTrack = store.byMd5(md5)
  if (!otherTrack || otherTrack.id === track.id) return
  const [file] = store.files.ofTrack(otherTrack.id)
  const place = file ? `${file.path} (${otherTrack.id})` : otherTrack.id
  throw new DecodeError(
    `With these tags it would have the same bytes as ${place}, and the two tracks would become one; write a comment into one of them, or remove one.`,
  )
}
