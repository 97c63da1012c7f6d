import type { IAudioMetadata, ICommonTagsResult, IFormat, ITag } from 'music-metadata'
import type { ForeignId } from '../values/ids.ts'
import { LONGEST_NAME } from '../values/text.ts'
import { cleanText } from './tag-text.ts'

export interface Tags {
  title?: string
  artist?: string
  release?: string
  /** The artist of the whole release. */
  albumArtist?: string
  genres?: string[]
  moods?: string[]
  year?: number
  trackNumber?: number
  /** How many tracks the disc has. */
  trackTotal?: number
  discNumber?: number
  discTotal?: number
  /** Whether the release has tracks of several artists. */
  compilation?: true
  isrc?: string[]
  /** Seconds, as the container states them: a hint, not a measurement. */
  duration?: number
  /** Thousands of bits a second. */
  bitrate?: number
  /** Hz. */
  samplerate?: number
  /**
   * Gains and peaks that the tags state: gains in dB to -18 LUFS (ReplayGain 2.0), peaks as ratios to
   * full scale. The gains of Opus files refer to -23 LUFS (EBU R 128), and are converted.
   */
  replayGain?: { trackGain?: number; trackPeak?: number; albumGain?: number; albumPeak?: number }
  /** Ids in other spaces: MusicBrainz, AcoustID, ISRC. */
  foreignIds: ForeignId[]
}

export function tagFields(
  { common, native }: Pick<IAudioMetadata, 'common' | 'native'>,
  format: IFormat,
): Tags {
  return {
    ...withoutUndefined({
      genres: nonEmptyTexts(common.genre),
      moods: nonEmptyTexts(common.mood),
      year: common.year || undefined,
      trackNumber: common.track?.no ?? undefined,
      trackTotal: common.track?.of ?? undefined,
      discNumber: common.disk?.no ?? undefined,
      discTotal: common.disk?.of ?? undefined,
      compilation: common.compilation === true ? true : undefined,
      isrc: nonEmptyTexts(common.isrc),
      replayGain: readReplayGain(common, native.vorbis ?? [], format.codec === 'Opus'),
      duration: positiveOrUndefined(format.duration),
      bitrate: roundTo(positiveOrUndefined(format.bitrate), 1000),
      samplerate: roundTo(positiveOrUndefined(format.sampleRate)),
    }),
    foreignIds: taggedIds(common),
  }
}

type DefinedFields<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function withoutUndefined<T extends object>(fields: T): DefinedFields<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as DefinedFields<T>
}

function nonEmptyTexts(values: unknown): string[] | undefined {
  const textValues = (Array.isArray(values) ? values.slice(0, MAX_TAG_VALUES) : [values])
    .map(tagText)
    .filter((value) => value !== undefined)
  return textValues.length > 0 ? textValues : undefined
}

/** A damaged header can give an infinite duration and rates of 0. */
function positiveOrUndefined(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 && Number.isFinite(value) ? value : undefined
}

function roundTo(value: number | undefined, unit = 1): number | undefined {
  return value && Math.round(value / unit)
}

/** dB between the references of EBU R 128 and of ReplayGain 2.0. */
export const R128_OFFSET = 5

function readReplayGain(
  common: ICommonTagsResult,
  vorbis: readonly ITag[],
  isOpus: boolean,
): Tags['replayGain'] {
  const finiteOrUndefined = (value: number | undefined) =>
    Number.isFinite(value) ? value : undefined
  const { replaygain_track_gain: track, replaygain_album_gain: album } = common
  const trackPeak = common.replaygain_track_peak?.ratio ?? common.replaygain_track_peak_ratio
  // In Opus, ReplayGain leaves open whether it counts the output gain (RFC 7845, 5.2.1).
  const gainOf = (plain: number | undefined, r128: number | undefined) =>
    isOpus ? (r128 ?? finiteOrUndefined(plain)) : (finiteOrUndefined(plain) ?? r128)
  const gain = withoutUndefined({
    trackGain: gainOf(track?.dB, readR128Gain(vorbis, 'R128_TRACK_GAIN')),
    trackPeak: finiteOrUndefined(trackPeak),
    albumGain: gainOf(album?.dB, readR128Gain(vorbis, 'R128_ALBUM_GAIN')),
    albumPeak: finiteOrUndefined(common.replaygain_album_peak?.ratio),
  })
  return Object.keys(gain).length > 0 ? gain : undefined
}

/** A whole number of 1/256 dB in 16 bits (RFC 7845, 5.2.1). */
function readR128Gain(vorbis: readonly ITag[], name: string): number | undefined {
  for (const { id, value } of vorbis) {
    if (id.toUpperCase() !== name || typeof value !== 'string') continue
    if (!/^\s*(?=\S{1,6}\s*$)[+-]?\d+\s*$/.test(value)) continue
    const steps = Number(value)
    if (steps >= -32_768 && steps <= 32_767) return steps / 256 + R128_OFFSET
  }
  return undefined
}

function taggedIds(common: ICommonTagsResult): ForeignId[] {
  const foreignIds: ForeignId[] = []
  const addIds = (catalog: string, type: ForeignId['type'], ids: string | string[] | undefined) => {
    for (const value of (Array.isArray(ids) ? ids : [ids]).slice(0, MAX_TAG_VALUES)) {
      const id = typeof value === 'string' ? value.trim() : ''
      if (id !== '' && id.length <= LONGEST_NAME) foreignIds.push({ catalog, type, id })
    }
  }
  addIds('musicbrainz', 'track', common.musicbrainz_recordingid)
  addIds('musicbrainz', 'release', common.musicbrainz_albumid)
  addIds('musicbrainz', 'artist', common.musicbrainz_artistid)
  addIds('acoustid', 'track', common.acoustid_id)
  addIds('isrc', 'track', common.isrc)
  return foreignIds
}

const TAG_NAME_FIELDS = ['title', 'artist', 'release', 'albumArtist'] as const

/** The names that a tag gives a piece of music; a name may have several values. */
export type TagNames = Partial<Record<(typeof TAG_NAME_FIELDS)[number], string[]>>

/** Most values of a name, or of a list, that are read. */
export const MAX_TAG_VALUES = 100

const VORBIS_FIELDS = {
  title: ['TITLE'],
  artist: ['ARTIST', 'ARTISTS'],
  release: ['ALBUM'],
  albumArtist: ['ALBUMARTIST', 'ALBUM ARTIST', 'ALBUM_ARTIST'],
}
const ID3V2_FIELDS = {
  title: ['TIT2'],
  artist: ['TPE1', 'TXXX:ARTISTS'],
  release: ['TALB'],
  albumArtist: ['TPE2', 'TXXX:ALBUM ARTIST', 'TXXX:ALBUMARTIST'],
}

/**
 * In order of preference, by music-metadata's kinds; `INFO` and `AIFF` are chunks of WAV and AIFF.
 */
const FIELDS_OF_KINDS = {
  vorbis: VORBIS_FIELDS,
  APEv2: VORBIS_FIELDS,
  iTunes: {
    title: ['©NAM'],
    artist: ['©ART', '----:COM.APPLE.ITUNES:ARTISTS'],
    release: ['©ALB'],
    albumArtist: ['AART'],
  },
  'ID3v2.4': ID3V2_FIELDS,
  'ID3v2.3': ID3V2_FIELDS,
  'ID3v2.2': { title: ['TT2'], artist: ['TP1'], release: ['TAL'], albumArtist: ['TP2'] },
  // Titles and artists have levels, which music-metadata weighs.
  matroska: { title: [], artist: [], release: ['ALBUM:TITLE', 'TRACK:ALBUM'], albumArtist: [] },
  INFO: { title: ['INAM', 'TITL'], artist: ['IART'], release: ['IPRD'], albumArtist: [] },
  AIFF: { title: ['NAME'], artist: ['AUTH'], release: [], albumArtist: [] },
} satisfies Record<string, Record<keyof TagNames, string[]>>

type TagKind = keyof typeof FIELDS_OF_KINDS

/** The name that a field of a tag holds, if any. */
export function nameOfField(kind: TagKind, id: string): keyof TagNames | undefined {
  return TAG_NAME_FIELDS.find((name) => (FIELDS_OF_KINDS[kind][name] as string[]).includes(id))
}

/** All values of each kind of tag, as music-metadata has read them. */
export function nativeNames(
  native: IAudioMetadata['native'],
  kinds: readonly TagKind[],
): TagNames[] {
  return kinds.map((kind) => {
    const names: TagNames = {}
    for (const name of TAG_NAME_FIELDS) {
      for (const id of FIELDS_OF_KINDS[kind][name]) {
        const values = (native[kind] ?? [])
          .filter((tag) => tag.id.toUpperCase() === id)
          .map(({ value }) => tagText(value))
          .filter((value) => value !== undefined)
        // music-metadata splits a name of ID3v2.2 and 2.3 at each "/".
        const split = /^ID3v2\.[23]$/.test(kind) && !id.includes(':')
        if (values.length > 0) names[name] ??= split ? [values.join('/')] : values
      }
    }
    return names
  })
}

/** Not those of ID3v1, whose encoding music-metadata does not know. */
export function otherNames({
  common,
  native,
}: Pick<IAudioMetadata, 'common' | 'native'>): TagNames {
  const id3v1 = new Set((native.ID3v1 ?? []).map(({ value }) => value))
  const { title, artist, album: release, albumartist: albumArtist } = common
  const names: TagNames = {}
  for (const [name, value] of Object.entries({ title, artist, release, albumArtist })) {
    const plain = tagText(value)
    if (plain !== undefined && !id3v1.has(value)) names[name as keyof TagNames] = [plain]
  }
  return names
}

/** Each name from the first tag that has it, its values joined. */
export function firstNames(ranked: readonly TagNames[]): Partial<Record<keyof TagNames, string>> {
  const names: Partial<Record<keyof TagNames, string>> = {}
  for (const name of TAG_NAME_FIELDS) {
    const values = ranked.find((names) => names[name])?.[name]?.slice(0, MAX_TAG_VALUES) ?? []
    const joinedValues = tagText([...new Set(values)].join(', '))
    if (joinedValues !== undefined) names[name] = joinedValues
  }
  return names
}

/** No longer than names may be. */
function tagText(value: unknown): string | undefined {
  return typeof value === 'string'
    ? cleanText(value)?.slice(0, LONGEST_NAME).trimEnd() || undefined
    : undefined
}
