import type { ICommonTagsResult, IFormat } from 'music-metadata'
import type { ForeignId } from '../ids.ts'
import { LONGEST_NAME } from '../text.ts'
import { MOST_VALUES, textOf } from './tag-names.ts'

/** What the tags of a file state. */
export interface Tags {
  title?: string
  artist?: string
  release?: string
  genres?: string[]
  moods?: string[]
  year?: number
  trackNumber?: number
  discNumber?: number
  isrc?: string[]
  /** Seconds, as the container states them: a hint, not a measurement. */
  duration?: number
  /** Thousands of bits a second. */
  bitrate?: number
  /** Hz. */
  samplerate?: number
  /** ReplayGain 2.0 of track and album: gain in dB, peak as a ratio to full scale. */
  replayGain?: { trackGain?: number; trackPeak?: number; albumGain?: number; albumPeak?: number }
  /** Ids in other spaces: MusicBrainz, AcoustID, ISRC. */
  foreignIds: ForeignId[]
}

/** The fields besides names. */
export function fieldsOf(common: ICommonTagsResult, format: IFormat): Tags {
  return {
    ...given({
      genres: texts(common.genre),
      moods: texts(common.mood),
      year: common.year || undefined,
      trackNumber: common.track?.no ?? undefined,
      discNumber: common.disk?.no ?? undefined,
      isrc: texts(common.isrc),
      replayGain: replayGainOf(common),
      duration: positive(format.duration),
      bitrate: rounded(positive(format.bitrate), 1000),
      samplerate: rounded(positive(format.sampleRate)),
    }),
    foreignIds: foreignIdsOf(common),
  }
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Without the fields that are undefined. */
function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Given<T>
}

function texts(values: unknown): string[] | undefined {
  const found = (Array.isArray(values) ? values.slice(0, MOST_VALUES) : [values])
    .map(textOf)
    .filter((value) => value !== undefined)
  return found.length > 0 ? found : undefined
}

/** A damaged header gives an infinite duration and rates of 0. */
function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 && Number.isFinite(value) ? value : undefined
}

function rounded(value: number | undefined, unit = 1): number | undefined {
  return value && Math.round(value / unit)
}

function replayGainOf(common: ICommonTagsResult): Tags['replayGain'] {
  const finite = (value: number | undefined) => (Number.isFinite(value) ? value : undefined)
  const trackPeak = common.replaygain_track_peak?.ratio ?? common.replaygain_track_peak_ratio
  const gain = given({
    trackGain: finite(common.replaygain_track_gain?.dB),
    trackPeak: finite(trackPeak),
    albumGain: finite(common.replaygain_album_gain?.dB),
    albumPeak: finite(common.replaygain_album_peak?.ratio),
  })
  return Object.keys(gain).length > 0 ? gain : undefined
}

function foreignIdsOf(common: ICommonTagsResult): ForeignId[] {
  const found: ForeignId[] = []
  const add = (catalog: string, type: ForeignId['type'], ids: string | string[] | undefined) => {
    for (const value of (Array.isArray(ids) ? ids : [ids]).slice(0, MOST_VALUES)) {
      const id = typeof value === 'string' ? value.trim() : ''
      if (id !== '' && id.length <= LONGEST_NAME) found.push({ catalog, type, id })
    }
  }
  add('musicbrainz', 'track', common.musicbrainz_recordingid)
  add('musicbrainz', 'release', common.musicbrainz_albumid)
  add('musicbrainz', 'artist', common.musicbrainz_artistid)
  add('acoustid', 'track', common.acoustid_id)
  add('isrc', 'track', common.isrc)
  return found
}
