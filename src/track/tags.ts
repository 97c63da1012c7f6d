import type { ICommonTagsResult, IFormat } from 'music-metadata'
import type { ForeignId } from '../ids.ts'

/** What a file says of itself. Only what it says is set. */
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
  /** Seconds, by the container; a hint, not a measurement. */
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

/**
 * Reads the tags of an audio file. A file whose tags cannot be read has none: that is no reason
 * not to analyse it.
 */
export async function readTags(path: string): Promise<Tags> {
  // By import() and not on top: the package is ESM only, and this one is also built as CJS.
  const { parseFile } = await import('music-metadata')
  try {
    const { common, format } = await parseFile(path, { skipCovers: true, duration: false })
    return { ...describe(common), ...measure(format), foreignIds: foreignIdsOf(common) }
  } catch {
    return { foreignIds: [] }
  }
}

function describe(common: ICommonTagsResult): Partial<Tags> {
  const tags: Partial<Tags> = {}
  const text = (value: unknown) =>
    typeof value === 'string' ? value.trim() || undefined : undefined
  const put = <K extends keyof Tags>(name: K, value: Tags[K] | undefined) => {
    if (value !== undefined) tags[name] = value
  }
  const list = (values: unknown) => {
    const texts = (Array.isArray(values) ? values : [values])
      .map(text)
      .filter((t) => t !== undefined)
    return texts.length > 0 ? texts : undefined
  }
  put('title', text(common.title))
  put('artist', text(common.artist) ?? list(common.artists)?.join(', '))
  put('release', text(common.album))
  put('genres', list(common.genre))
  put('moods', list(common.mood))
  put('year', common.year || undefined)
  put('trackNumber', common.track?.no ?? undefined)
  put('discNumber', common.disk?.no ?? undefined)
  put('isrc', list(common.isrc))
  put('replayGain', replayGainOf(common))
  return tags
}

function replayGainOf(common: ICommonTagsResult): Tags['replayGain'] {
  const gain: NonNullable<Tags['replayGain']> = {}
  const { replaygain_track_gain: track, replaygain_album_gain: album } = common
  if (track && Number.isFinite(track.dB)) gain.trackGain = track.dB
  if (album && Number.isFinite(album.dB)) gain.albumGain = album.dB
  const trackPeak = common.replaygain_track_peak?.ratio ?? common.replaygain_track_peak_ratio
  const albumPeak = common.replaygain_album_peak?.ratio
  if (Number.isFinite(trackPeak)) gain.trackPeak = trackPeak as number
  if (Number.isFinite(albumPeak)) gain.albumPeak = albumPeak as number
  return Object.keys(gain).length > 0 ? gain : undefined
}

function measure(format: IFormat): Partial<Tags> {
  const measured: Partial<Tags> = {}
  // A damaged header gives an infinite duration and rates of 0.
  const sane = (value: number | undefined) =>
    value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined
  const duration = sane(format.duration)
  const bitrate = sane(format.bitrate)
  const samplerate = sane(format.sampleRate)
  if (duration !== undefined) measured.duration = duration
  if (bitrate !== undefined) measured.bitrate = Math.round(bitrate / 1000)
  if (samplerate !== undefined) measured.samplerate = Math.round(samplerate)
  return measured
}

function foreignIdsOf(common: ICommonTagsResult): ForeignId[] {
  const found: ForeignId[] = []
  const add = (catalog: string, type: ForeignId['type'], ids: string | string[] | undefined) => {
    for (const id of Array.isArray(ids) ? ids : [ids]) {
      if (typeof id === 'string' && id.trim() !== '') found.push({ catalog, type, id: id.trim() })
    }
  }
  add('musicbrainz', 'track', common.musicbrainz_recordingid)
  add('musicbrainz', 'release', common.musicbrainz_albumid)
  add('musicbrainz', 'artist', common.musicbrainz_artistid)
  add('acoustid', 'track', common.acoustid_id)
  add('isrc', 'track', common.isrc)
  return found
}
