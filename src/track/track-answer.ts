import { z } from 'zod'
import { ANALYZER_VERSION } from '../analysis/document.ts'
import type { Tags } from '../audio/tags.ts'
import { type TrackFile, trackFileOf } from '../input/file-store.ts'
import type { TrackStatus } from '../kernel/events.ts'
import { oneOrMany } from '../options/parameter-types.ts'
import { type AudioSummary, trackSummaryOf } from '../song/audio-summary.ts'
import { trackStatusOf } from '../song/track-status.ts'
import { type ForeignId, formatForeignId } from '../values/ids.ts'
import { known } from '../values/known.ts'
import type { Heard, TrackCorrections } from './correction-store.ts'
import { type TrackRow, type TrackStore, tagsOf } from './store.ts'
import { TAG_FIELDS } from './tag-fields.ts'
import { selectFields } from './track-record.ts'

/** What the track methods answer. Unknown fields are absent. */
export interface TrackProfile {
  /** `TR…` */
  id: string
  /** The state of its analysis. */
  status: TrackStatus
  /**
   * The files with its bytes on this machine; none if it came as bytes or samples, or from an
   * address, or is known only from an import.
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
  /**
   * The gain that the file's tags state, dB to -18 LUFS (ReplayGain 2.0), also for Opus. The
   * measured one is `audioSummary.trackGain`.
   */
  taggedTrackGain?: number
  /** The peak that the file's tags state for the track; 1 is full scale. */
  taggedTrackPeak?: number
  /** As `taggedTrackGain`, for the album. The measured one is `albumGain` of `tracks.albums`. */
  taggedAlbumGain?: number
  /** The peak that the file's tags state for the album; 1 is full scale. */
  taggedAlbumPeak?: number
  /** Seconds, as measured by the analysis; before it, as in the file's tags. */
  duration?: number
  /** md5 of the file's bytes. */
  md5?: string
  /** md5 of the decoded mono samples at 22,050 Hz, 16 bit. */
  audioMd5?: string
  /** Kilobits per second. */
  bitrate?: number
  /** Hz. */
  samplerate?: number
  /** The version of the analyser that made the analysis. */
  analyzerVersion?: string
  /** The summary of the analysis, with the bucket `audio_summary`. */
  audioSummary?: AudioSummary
  /** The corrections by `track.correct`, and the tempo range that was given as a hint. */
  corrections?: TrackCorrections
  /**
   * The values of the analysis that were corrected; for a downbeat, the first one. `null` in
   * `track.correct` restores them.
   */
  heard?: Partial<Heard>
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
  /** Why the last analysis failed. With status `unavailable`, the one before can still be read. */
  error?: string
}

export const bucket = oneOrMany(z.enum(['audio_summary'])).optional()

/** The parameter of methods that answer tracks. */
export const summary = {
  /** `audio_summary`: adds a summary of the analysis. */
  bucket,
}

export const TRACK_STATUSES = [
  'unknown',
  'pending',
  'complete',
  'error',
  'unavailable',
] as const satisfies readonly TrackStatus[]

export type TrackBucket = 'audio_summary'

const ROW_FIELDS = [
  'title',
  'artist',
  'release',
  'md5',
  'audioMd5',
  'bitrate',
  'samplerate',
  'songId',
] as const

export function describeTrack(
  store: TrackStore,
  row: TrackRow,
  buckets: TrackBucket | TrackBucket[] | undefined,
): TrackProfile {
  const { id } = row
  const status = trackStatusOf(row)
  const tags = tagsOf(row)
  const isSummarized = isReadable(row) && [buckets].flat().includes('audio_summary')
  return known({
    id,
    status,
    files: store.files.ofTrack(id).map(trackFileOf),
    ...selectFields(row, ROW_FIELDS),
    ...selectFields(tags, TAG_FIELDS),
    ...taggedGains(tags),
    duration: row.duration ?? tags.duration,
    analyzerVersion: row.status === 'unknown' ? null : (row.analyzerVersion ?? ANALYZER_VERSION),
    ...correctionFields(row),
    ...foreignIdFields(store.foreignIds(id)),
    error: status === 'complete' ? null : row.error,
    audioSummary: isSummarized ? trackSummaryOf(id, row) : null,
  })
}

function taggedGains({ replayGain = {} }: Partial<Tags>) {
  const { trackGain, trackPeak, albumGain, albumPeak } = replayGain
  return {
    taggedTrackGain: trackGain,
    taggedTrackPeak: trackPeak,
    taggedAlbumGain: albumGain,
    taggedAlbumPeak: albumPeak,
  }
}

export function describeAll(
  store: TrackStore,
  ids: readonly string[],
  buckets: Parameters<typeof describeTrack>[2],
): TrackProfile[] {
  return ids.flatMap((id) => {
    const row = store.byId(id)
    return row ? [describeTrack(store, row, buckets)] : []
  })
}

/** Not while a new one is being made. */
export function isReadable(row: TrackRow): boolean {
  return row.analyzerVersion !== null && row.status !== 'pending'
}

function correctionFields({
  corrections,
  heard,
}: TrackRow): Pick<TrackProfile, 'corrections' | 'heard'> {
  if (corrections === null) return {}
  const trackCorrections = JSON.parse(corrections) as TrackCorrections
  if (heard === null) return { corrections: trackCorrections }
  const { firstDownbeat, ...values } = JSON.parse(heard) as Heard
  const names = Object.keys(values) as (keyof typeof values)[]
  const corrected = names.filter((name) => trackCorrections[name] !== undefined)
  const downbeatField = trackCorrections.downbeat === undefined ? {} : { firstDownbeat }
  const replaced = { ...selectFields(values, corrected), ...downbeatField }
  return {
    corrections: trackCorrections,
    ...(Object.keys(replaced).length > 0 && { heard: replaced }),
  }
}

function foreignIdFields(ids: ForeignId[]) {
  // Only MusicBrainz names the release as well.
  const bestOfType = (type: ForeignId['type']) =>
    ids.find((id) => id.type === type && id.catalog === 'musicbrainz') ??
    ids.find((id) => id.type === type)
  const track = bestOfType('track')
  const release = bestOfType('release')
  return {
    ...(track && { catalog: track.catalog, foreignId: formatForeignId(track) }),
    ...(release && { foreignReleaseId: formatForeignId(release) }),
  }
}
