import { z } from 'zod'
import { ANALYZER_VERSION } from '../analysis/document.ts'
import { type ForeignId, formatForeignId } from '../ids.ts'
import { fileOf, type TrackFile } from '../input/file-store.ts'
import type { TrackStatus } from '../kernel/events.ts'
import { type AudioSummary, summaryOf } from '../song/audio-summary.ts'
import { statusOf } from '../song/track-status.ts'
import { type TrackRow, type TrackStore, tagsOf } from './store.ts'
import { TAG_FIELDS } from './tag-fields.ts'

/** What the track methods answer. Unknown fields are absent. */
export interface TrackProfile {
  /** `TR…` */
  id: string
  /** The state of its analysis. */
  status: TrackStatus
  /**
   * The files with its bytes on this machine; none where it came as bytes or samples, or from an
   * address, or is known from an import alone.
   */
  files: TrackFile[]
  /** From the file's tags, or an import. */
  title?: string
  /** From the file's tags, or an import. */
  artist?: string
  /** From the file's tags, or an import. */
  release?: string
  /** The artist of the release, from the file's tags. */
  albumArtist?: string
  /** The year of the release, from the file's tags. */
  year?: number
  /** From the file's tags. */
  genres?: string[]
  /** From the file's tags. */
  trackNumber?: number
  /** How many tracks the disc has, from the file's tags. */
  trackTotal?: number
  /** From the file's tags. */
  discNumber?: number
  /** How many discs the release has, from the file's tags. */
  discTotal?: number
  /** Seconds, as the analysis measured; before it, as the file's tags say. */
  duration?: number
  /** md5 of the file's bytes. */
  md5?: string
  /** md5 of the decoded mono samples at 22,050 Hz, 16 bit. */
  audioMd5?: string
  /** Thousands of bits a second. */
  bitrate?: number
  /** Hz. */
  samplerate?: number
  /** The version of the analyser that made the analysis. */
  analyzerVersion?: string
  /** The summary of the analysis, with the bucket `audio_summary`. */
  audioSummary?: AudioSummary
  /** The foreign id space of `foreignId`. */
  catalog?: string
  /** `<id space>:track:<id>`. */
  foreignId?: string
  /** `<id space>:release:<id>`. */
  foreignReleaseId?: string
  /** Address of a preview, from an import. */
  previewUrl?: string
  /** Address of the release's cover, from an import. */
  releaseImage?: string
  /** The song of the recording, once the track is analysed. */
  songId?: string
  /**
   * Why the last analysis failed. With status `unavailable` the one before it can still be read.
   */
  error?: string
}

/** The `bucket` parameter of the track methods. */
export const bucket = z
  .union([z.enum(['audio_summary']), z.array(z.enum(['audio_summary']))])
  .optional()

/** The states of tracks. */
export const STATUSES = [
  'unknown',
  'pending',
  'complete',
  'error',
  'unavailable',
] as const satisfies readonly TrackStatus[]

/** The values of {@link bucket}. */
export type TrackBucket = 'audio_summary'

/** The answer for a stored track. */
export function describe(
  store: TrackStore,
  row: TrackRow,
  buckets: TrackBucket | TrackBucket[] | undefined,
): TrackProfile {
  const status = statusOf(row)
  const files = store.files.ofTrack(row.id).map(fileOf)
  const answer: TrackProfile = { id: row.id, status, files }
  const put = <K extends keyof TrackProfile>(name: K, value: TrackProfile[K] | null) => {
    if (value !== null && value !== undefined) answer[name] = value
  }
  put('title', row.title)
  put('artist', row.artist)
  put('release', row.release)
  const tags = tagsOf(row)
  for (const name of TAG_FIELDS) put(name, tags[name])
  put('duration', row.duration ?? tags.duration)
  put('md5', row.md5)
  put('audioMd5', row.audioMd5)
  put('bitrate', row.bitrate)
  put('samplerate', row.samplerate)
  put(
    'analyzerVersion',
    row.status === 'unknown' ? null : (row.analyzerVersion ?? ANALYZER_VERSION),
  )
  put('songId', row.songId)
  describeForeignIds(answer, store.foreignIds(row.id))
  if (status !== 'complete') put('error', row.error)
  if (isReadable(row) && [buckets].flat().includes('audio_summary')) {
    answer.audioSummary = summaryOf(row.id, row)
  }
  return answer
}

/** Whether the analysis of a track can be read; it cannot while it is made again. */
export function isReadable(row: TrackRow): boolean {
  return row.analyzerVersion !== null && row.status !== 'pending'
}

function describeForeignIds(answer: TrackProfile, ids: ForeignId[]): void {
  // AcoustID and ISRC name recordings too, but only MusicBrainz names the release as well.
  const of = (type: ForeignId['type']) =>
    ids.find((id) => id.type === type && id.catalog === 'musicbrainz') ??
    ids.find((id) => id.type === type)
  const track = of('track')
  const release = of('release')
  if (track) {
    answer.catalog = track.catalog
    answer.foreignId = formatForeignId(track)
  }
  if (release) answer.foreignReleaseId = formatForeignId(release)
}
