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

/** All fields except the names. */
export function fieldsOf(
  { common, native }: Pick<IAudioMetadata, 'common' | 'native'>,
  format: IFormat,
): Tags {
  return {
    ...given({
      genres: texts(common.genre),
      moods: texts(common.mood),
      year: common.year || undefined,
      trackNumber: common.track?.no ?? undefined,
      trackTotal: common.track?.of ?? undefined,
      discNumber: common.disk?.no ?? undefined,
      discTotal: common.disk?.of ?? undefined,
      compilation: common.compilation === true ? true : undefined,
      isrc: texts(common.isrc),
      replayGain: replayGainOf(common, native.vorbis ?? [], format.codec === 'Opus'),
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

/** A damaged header can give an infinite duration and rates of 0. */
function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 && Number.isFinite(value) ? value : undefined
}

function rounded(value: number | undefined, unit = 1): number | undefined {
  return value && Math.round(value / unit)
}

/** dB between the references of EBU R 128 and of ReplayGain 2.0. */
export const ABOVE_R128 = 5

function replayGainOf(
  common: ICommonTagsResult,
  vorbis: readonly ITag[],
  isOpus: boolean,
): Tags['replayGain'] {
  const finite = (value: number | undefined) => (Number.isFinite(value) ? value : undefined)
  const { replaygain_track_gain: track, replaygain_album_gain: album } = common
  const trackPeak = common.replaygain_track_peak?.ratio ?? common.replaygain_track_peak_ratio
  // In Opus those of ReplayGain leave open whether they count the output gain (RFC 7845, 5.2.1).
  const gainOf = (plain: number | undefined, r128: number | undefined) =>
    isOpus ? (r128 ?? finite(plain)) : (finite(plain) ?? r128)
  const gain = given({
    trackGain: gainOf(track?.dB, r128Gain(vorbis, 'R128_TRACK_GAIN')),
    trackPeak: finite(trackPeak),
    albumGain: gainOf(album?.dB, r128Gain(vorbis, 'R128_ALBUM_GAIN')),
    albumPeak: finite(common.replaygain_album_peak?.ratio),
  })
  return Object.keys(gain).length > 0 ? gain : undefined
}

/**
 * The gain in a tag of an Opus file: a whole number of 1/256 dB in 16 bits, written in up to six
 * characters (RFC 7845, 5.2.1), relative to the sound with the header's output gain.
 */
function r128Gain(vorbis: readonly ITag[], name: string): number | undefined {
  for (const { id, value } of vorbis) {
    if (id.toUpperCase() !== name || typeof value !== 'string') continue
    if (!/^\s*(?=\S{1,6}\s*$)[+-]?\d+\s*$/.test(value)) continue
    const steps = Number(value)
    if (steps >= -32_768 && steps <= 32_767) return steps / 256 + ABOVE_R128
  }
  return undefined
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

const NAMES = ['title', 'artist', 'release', 'albumArtist'] as const

/** The names that a tag gives a piece of music; a name may have several values. */
export type TagNames = Partial<Record<(typeof NAMES)[number], string[]>>

/** Most values of a name, or of a list, that are read. */
export const MOST_VALUES = 100

const VORBIS = {
  title: ['TITLE'],
  artist: ['ARTIST', 'ARTISTS'],
  release: ['ALBUM'],
  albumArtist: ['ALBUMARTIST', 'ALBUM ARTIST', 'ALBUM_ARTIST'],
}
const ID3V2 = {
  title: ['TIT2'],
  artist: ['TPE1', 'TXXX:ARTISTS'],
  release: ['TALB'],
  albumArtist: ['TPE2', 'TXXX:ALBUM ARTIST', 'TXXX:ALBUMARTIST'],
}

/**
 * By kind of tag, the fields that hold each name, in capitals and in order of preference. The kinds
 * have music-metadata's names, except `INFO` (a LIST chunk of WAV) and `AIFF` (its own chunks).
 */
const FIELDS = {
  vorbis: VORBIS,
  APEv2: VORBIS,
  iTunes: {
    title: ['©NAM'],
    artist: ['©ART', '----:COM.APPLE.ITUNES:ARTISTS'],
    release: ['©ALB'],
    albumArtist: ['AART'],
  },
  'ID3v2.4': ID3V2,
  'ID3v2.3': ID3V2,
  'ID3v2.2': { title: ['TT2'], artist: ['TP1'], release: ['TAL'], albumArtist: ['TP2'] },
  // Titles and artists have levels, which music-metadata weighs.
  matroska: { title: [], artist: [], release: ['ALBUM:TITLE', 'TRACK:ALBUM'], albumArtist: [] },
  INFO: { title: ['INAM', 'TITL'], artist: ['IART'], release: ['IPRD'], albumArtist: [] },
  AIFF: { title: ['NAME'], artist: ['AUTH'], release: [], albumArtist: [] },
} satisfies Record<string, Record<keyof TagNames, string[]>>

type TagKind = keyof typeof FIELDS

/** The name that a field of a tag holds, if any. */
export function nameIn(kind: TagKind, id: string): keyof TagNames | undefined {
  return NAMES.find((name) => (FIELDS[kind][name] as string[]).includes(id))
}

/** The names in each of these kinds of tag as music-metadata has read them, all values of each. */
export function nativeNames(
  native: IAudioMetadata['native'],
  kinds: readonly TagKind[],
): TagNames[] {
  return kinds.map((kind) => {
    const names: TagNames = {}
    for (const name of NAMES) {
      for (const id of FIELDS[kind][name]) {
        const values = (native[kind] ?? [])
          .filter((tag) => tag.id.toUpperCase() === id)
          .map(({ value }) => textOf(value))
          .filter((value) => value !== undefined)
        // music-metadata splits a name of ID3v2.2 and 2.3 at each "/".
        const split = /^ID3v2\.[23]$/.test(kind) && !id.includes(':')
        if (values.length > 0) names[name] ??= split ? [values.join('/')] : values
      }
    }
    return names
  })
}

/**
 * The names in tags of any other kind, as music-metadata ranks them, but not those of ID3v1, whose
 * encoding it does not know.
 */
export function otherNames({
  common,
  native,
}: Pick<IAudioMetadata, 'common' | 'native'>): TagNames {
  const id3v1 = new Set((native.ID3v1 ?? []).map(({ value }) => value))
  const { title, artist, album: release, albumartist: albumArtist } = common
  const names: TagNames = {}
  for (const [name, value] of Object.entries({ title, artist, release, albumArtist })) {
    const plain = textOf(value)
    if (plain !== undefined && !id3v1.has(value)) names[name as keyof TagNames] = [plain]
  }
  return names
}

/** Each name from the first tag that has it, its values joined. */
export function firstNames(ranked: readonly TagNames[]): Partial<Record<keyof TagNames, string>> {
  const found: Partial<Record<keyof TagNames, string>> = {}
  for (const name of NAMES) {
    const values = ranked.find((names) => names[name])?.[name]?.slice(0, MOST_VALUES) ?? []
    const joined = textOf([...new Set(values)].join(', '))
    if (joined !== undefined) found[name] = joined
  }
  return found
}

/** A value of a tag as text, no longer than names may be; undefined for anything else. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string'
    ? cleanText(value)?.slice(0, LONGEST_NAME).trimEnd() || undefined
    : undefined
}
