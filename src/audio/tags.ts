import type { ICommonTagsResult, IFormat } from 'music-metadata'
import { DecodeError } from '../errors.ts'
import type { ForeignId } from '../ids.ts'
import { FileSource } from './byte-source.ts'
import { type Container, HEAD_BYTES, sniff } from './sniff.ts'

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

/** Characters of a text at most, and values of a list: what is longer is no title. */
const MOST_CHARACTERS = 1000
const MOST_VALUES = 100

const MIME: Readonly<Record<Container, string>> = {
  wav: 'audio/wav',
  au: 'audio/basic',
  aiff: 'audio/aiff',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  mp4: 'audio/mp4',
  aac: 'audio/aac',
}

/**
 * Reads the tags of an audio file; its content tells its format. A file whose tags cannot be read
 * has none: that is no reason not to analyse it.
 *
 * @param most bytes that may be read for them, covers that stand in between included
 * @throws {DecodeError} naming `limits.tagBytes` when there are more
 */
export async function readTags(path: string, most = 64 * 1024 ** 2): Promise<Tags> {
  // By import() and not on top: the package is ESM only, and this one is also built as CJS.
  const { parseBlob } = await import('music-metadata')
  let bytes: TagBytes | undefined
  try {
    bytes = await TagBytes.open(path, most)
    const { common, format } = await parseBlob(bytes as unknown as Blob, {
      skipCovers: true,
      duration: false,
    })
    return { ...describe(common), ...measure(format), foreignIds: foreignIdsOf(common) }
  } catch {
    if (bytes?.exceeded) {
      throw new DecodeError(`It has more than the ${most} bytes of limits.tagBytes.`)
    }
    return { foreignIds: [] }
  } finally {
    await bytes?.close()
  }
}

/** As much of a Blob as music-metadata uses, over a file, of which only so many bytes may be read. */
class TagBytes {
  readonly type: string
  exceeded = false
  readonly #source: FileSource
  #left: number
  /** The last bytes read, for most reads are of a few bytes one behind the other. */
  #held: { start: number; bytes: Uint8Array<ArrayBuffer> } = { start: 0, bytes: new Uint8Array(0) }

  private constructor(source: FileSource, type: string, left: number) {
    this.#source = source
    this.type = type
    this.#left = left
  }

  static async open(path: string, most: number): Promise<TagBytes> {
    const source = await FileSource.open(path)
    try {
      const container = sniff(await source.read(0, HEAD_BYTES))
      return new TagBytes(source, container ? MIME[container] : '', most)
    } catch (error) {
      await source.close()
      throw error
    }
  }

  get size(): number {
    return this.#source.size
  }

  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> } {
    return { arrayBuffer: () => this.#read(start, end - start) }
  }

  close(): Promise<void> {
    return this.#source.close()
  }

  async #read(start: number, length: number): Promise<ArrayBuffer> {
    const { start: from, bytes } = this.#held
    if (start < from || start + length > from + bytes.length) {
      const wanted = Math.min(Math.max(length, HEAD_BYTES), Math.max(0, this.size - start))
      this.#left -= wanted
      if (this.#left < 0) {
        this.exceeded = true
        throw new Error('too many bytes')
      }
      this.#held = { start, bytes: await this.#source.read(start, wanted) }
    }
    const at = start - this.#held.start
    return this.#held.bytes.slice(at, at + length).buffer
  }
}

function describe(common: ICommonTagsResult): Partial<Tags> {
  const tags: Partial<Tags> = {}
  const text = (value: unknown) =>
    typeof value === 'string' ? value.trim().slice(0, MOST_CHARACTERS) || undefined : undefined
  const put = <K extends keyof Tags>(name: K, value: Tags[K] | undefined) => {
    if (value !== undefined) tags[name] = value
  }
  const list = (values: unknown) => {
    const texts = (Array.isArray(values) ? values.slice(0, MOST_VALUES) : [values])
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
    for (const given of (Array.isArray(ids) ? ids : [ids]).slice(0, MOST_VALUES)) {
      const id = typeof given === 'string' ? given.trim() : ''
      if (id !== '' && id.length <= MOST_CHARACTERS) found.push({ catalog, type, id })
    }
  }
  add('musicbrainz', 'track', common.musicbrainz_recordingid)
  add('musicbrainz', 'release', common.musicbrainz_albumid)
  add('musicbrainz', 'artist', common.musicbrainz_artistid)
  add('acoustid', 'track', common.acoustid_id)
  add('isrc', 'track', common.isrc)
  return found
}
