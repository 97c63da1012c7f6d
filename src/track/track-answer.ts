import { z } from 'zod'
import { type ForeignId, formatForeignId } from '../ids.ts'
import type { TrackStatus } from '../kernel/events.ts'
import { type AudioSummary, summaryOf } from '../song/audio-summary.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'

/** What the track methods answer. Fields that are not known are absent. */
export interface TrackAnswer {
  /** `TR…` */
  id: string
  /** How far its analysis is. */
  status: TrackStatus
  /** As the file's tags, or an import, say. */
  title?: string
  /** As the file's tags, or an import, say. */
  artist?: string
  /** As the file's tags, or an import, say. */
  release?: string
  /** md5 of the file's bytes. */
  md5?: string
  /** md5 of the decoded mono samples at 22,050 Hz, 16 bit. */
  audioMd5?: string
  /** Thousands of bits a second. */
  bitrate?: number
  /** Hz. */
  samplerate?: number
  /** Of the analyser that made the analysis. */
  analyzerVersion?: string
  /** With the bucket `audio_summary`: what the analysis says in short. */
  audioSummary?: AudioSummary
  /** The foreign id space of `foreignId`. */
  catalog?: string
  /** `<id space>:track:<id>`. */
  foreignId?: string
  /** `<id space>:release:<id>`. */
  foreignReleaseId?: string
  /** Address of a preview, where an import knew it. */
  previewUrl?: string
  /** Address of the release's cover, likewise. */
  releaseImage?: string
  /** The song that the track is a recording of; once it is analysed. */
  songId?: string
  /**
   * Why the last analysis failed. With status `unavailable` the one before it is still there to be
   * read.
   */
  error?: string
}

/** The `bucket` parameter of the track methods. */
export const bucket = z
  .union([z.enum(['audio_summary']), z.array(z.enum(['audio_summary']))])
  .optional()

/** The values of {@link bucket}. */
export type TrackBucket = 'audio_summary'

/**
 * The state as the specification has it. A track that has an analysis is `complete`, or
 * `unavailable` when another version made it, also after a later attempt failed.
 */
export function statusOf(row: TrackRow, analyzerVersion: string): TrackStatus {
  if (row.status === 'pending' || row.analyzerVersion === null) return row.status
  return row.analyzerVersion === analyzerVersion ? 'complete' : 'unavailable'
}

/** The answer for a stored track. */
export function describe(
  { store, analyzerVersion }: Pick<TrackRoom, 'store' | 'analyzerVersion'>,
  row: TrackRow,
  buckets: TrackBucket | TrackBucket[] | undefined,
): TrackAnswer {
  const status = statusOf(row, analyzerVersion)
  const answer: TrackAnswer = { id: row.id, status }
  const put = <K extends keyof TrackAnswer>(name: K, value: TrackAnswer[K] | null) => {
    if (value !== null && value !== undefined) answer[name] = value
  }
  put('title', row.title)
  put('artist', row.artist)
  put('release', row.release)
  put('md5', row.md5)
  put('audioMd5', row.audioMd5)
  put('bitrate', row.bitrate)
  put('samplerate', row.samplerate)
  put('analyzerVersion', row.status === 'unknown' ? null : (row.analyzerVersion ?? analyzerVersion))
  put('songId', row.songId)
  describeForeignIds(answer, store.foreignIds(row.id))
  if (status !== 'complete') put('error', row.error)
  if (isReadable(row) && [buckets].flat().includes('audio_summary')) {
    answer.audioSummary = summaryOf(row.id, row)
  }
  return answer
}

/**
 * The answer of a call that has a track analysed, or waits for that: `error` when the attempt
 * failed, although an older analysis may be there.
 */
export function describeAttempt(
  context: Pick<TrackRoom, 'store' | 'analyzerVersion'>,
  row: TrackRow,
  buckets: TrackBucket | TrackBucket[] | undefined,
): TrackAnswer {
  const answer = describe(context, row, buckets)
  if (answer.status === 'unavailable' && row.status === 'error') answer.status = 'error'
  return answer
}

/** Whether a track has an analysis that can be read: not while it is being made anew. */
export function isReadable(row: TrackRow): boolean {
  return row.analyzerVersion !== null && row.status !== 'pending'
}

function describeForeignIds(answer: TrackAnswer, ids: ForeignId[]): void {
  // AcoustID and ISRC name recordings too, but only MusicBrainz also has the release.
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
