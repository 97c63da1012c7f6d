import type { IAudioMetadata, ICommonTagsResult, IFormat, IOptions, ITag } from 'music-metadata'
import { DecodeError } from '../errors.ts'
import type { ForeignId } from '../ids.ts'
import { loadPackage } from '../load-package.ts'
import { LONGEST_NAME } from '../text.ts'
import { type ByteSource, FileSource, part } from './byte-source.ts'
import { chunkNames } from './chunk-tags.ts'
import { ID3V1_BYTES, id3v1Names, id3v2Names, isApeHeader } from './id3.ts'
import { mp4Tags } from './mp4-tags.ts'
import { id3Length } from './mpeg-frames.ts'
import { flacAround, oggComment } from './ogg-comments.ts'
import { type Container, HEAD_BYTES, sniff } from './sniff.ts'
import { shown, type TagNames } from './tag-text.ts'

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

/** Values of a list at most. */
const MOST_VALUES = 100

const MIME: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  au: 'audio/basic',
  aiff: 'audio/aiff',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  mp4: 'audio/mp4',
  aac: 'audio/aac',
}

/** Bytes of a read at least, as most are of a few behind each other. More would use up what may be read where parts are many, as the fragments of an MP4 file are. */
const READ_AHEAD = 2048
/** ID3v2 tags at the start of a file that are read. */
const MOST_TAGS = 64
/** Parts of a file that are kept after reading: its start, its end, and what lies around the tags. */
const MOST_WINDOWS = 8

/**
 * Reads the tags of an audio file; its content tells its format. Of a damaged file they are what can
 * be read, maybe nothing: that is no reason not to analyse it.
 *
 * @param most bytes that may be read for them, covers that stand in between included
 * @throws {DecodeError} naming `limits.tagBytes` when there are more
 */
export async function readTags(path: string, most = 64 * 1024 ** 2): Promise<Tags> {
  let file: FileSource | undefined
  let bytes: Budget | undefined
  let tags: Tags = { foreignIds: [] }
  try {
    file = await FileSource.open(path)
    bytes = new Budget(file, most)
    tags = await tagsOf(bytes)
  } catch {
    // No tags.
  } finally {
    await file?.close()
  }
  if (bytes?.exceeded) {
    throw new DecodeError(`It has more than the ${most} bytes of limits.tagBytes.`)
  }
  return tags
}

async function tagsOf(file: Budget): Promise<Tags> {
  const { names: id3, end } = await leadingId3(file)
  const container = sniff(await file.read(end, HEAD_BYTES)) ?? (end > 0 ? 'mp3' : undefined)
  // Only MPEG audio has its ID3v2 tag in front by right; other formats begin behind it.
  const behind = end > 0 && container !== 'mp3' && container !== 'aac'
  const last = await file.read(file.size - ID3V1_BYTES, ID3V1_BYTES)
  const plain = behind ? part(file, end) : file
  const sound = isApeHeader(last) ? withoutApeHeader(plain) : plain
  const whole = await parsed(sound, container)
  const { format } = whole
  let tags = whole
  const restated = await restatedTags(sound, container)
  if (restated) tags = await parsed(inMemory(restated.bytes), restated.container)
  if (behind && Object.keys(tags.native).length === 0)
    tags = await parsed(part(file, 0, end), 'mp3')
  const chunks = container === 'wav' || container === 'aiff' ? await chunkNames(sound) : []
  return {
    ...describe(tags.common),
    ...named([
      ...nativeNames(tags.native, ['vorbis', 'iTunes']),
      ...id3,
      ...chunks,
      ...nativeNames(tags.native, ['ID3v2.4', 'ID3v2.3', 'ID3v2.2', 'APEv2', 'matroska']),
      otherNames(tags),
      id3v1Names(last),
    ]),
    ...measure(format),
    foreignIds: foreignIdsOf(tags.common),
  }
}

/** The ID3v2 tags that a file begins with, and where they end. */
async function leadingId3(file: ByteSource): Promise<{ names: TagNames[]; end: number }> {
  const names: TagNames[] = []
  let end = 0
  while (names.length < MOST_TAGS) {
    const length = id3Length(await file.read(end, 10), 0)
    if (!length) break
    names.push(id3v2Names(await file.read(end, length)))
    end += length
  }
  return { names, end }
}

/** Tags written anew, where music-metadata loses some for the way they lie in the file. */
async function restatedTags(
  sound: ByteSource,
  container: Container | undefined,
): Promise<{ container: Container; bytes: Uint8Array } | undefined> {
  if (container === 'mp4') {
    const bytes = await mp4Tags(sound)
    return bytes && { container, bytes }
  }
  if (container !== 'ogg') return undefined
  const comment = await oggComment(sound)
  return comment && { container: 'flac', bytes: flacAround(comment) }
}

type Parsed = Pick<IAudioMetadata, 'common' | 'format' | 'native'>

/** What music-metadata finds before it ends or fails. */
async function parsed(source: ByteSource, container: Container | undefined): Promise<Parsed> {
  // By import() and not on top: the package is ESM only, and this one is also built as CJS.
  const { parseBlob } = await loadPackage('music-metadata', () => import('music-metadata'))
  let found: Parsed | undefined
  const blob = {
    size: source.size,
    type: (container && MIME[container]) ?? '',
    slice: (start: number, end: number) => ({
      arrayBuffer: async () => (await source.read(start, end - start)).buffer,
    }),
  }
  const options: IOptions = {
    skipCovers: true,
    duration: false,
    observer: ({ metadata }) => {
      found = metadata
    },
  }
  try {
    return await parseBlob(blob as unknown as Blob, options)
  } catch {
    return found ?? { common: NOTHING, format: {} as IFormat, native: {} }
  }
}

const NOTHING = {} as ICommonTagsResult

/** An APE tag is read by its end; its head, where an ID3v1 tag would stand, is taken for one. */
function withoutApeHeader(source: ByteSource): ByteSource {
  const head = source.size - ID3V1_BYTES
  return {
    size: source.size,
    read: async (position, length) => {
      const bytes = await source.read(position, length)
      if (head >= position && head < position + bytes.length) bytes[head - position] = 0
      return bytes
    },
  }
}

function inMemory(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: async (position, length) => new Uint8Array(bytes.slice(position, position + length)),
  }
}

/** A source of which only so many bytes may be read; those read last are kept. */
class Budget implements ByteSource {
  exceeded = false
  readonly #source: ByteSource
  #left: number
  /** Most reads are of a few bytes one behind the other. */
  readonly #windows: { start: number; bytes: Uint8Array<ArrayBuffer> }[] = []

  constructor(source: ByteSource, left: number) {
    this.#source = source
    this.#left = left
  }

  get size(): number {
    return this.#source.size
  }

  async read(position: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const from = Math.max(0, position)
    const end = Math.min(from + length, this.size)
    if (end <= from) return new Uint8Array(0)
    const held = this.#windows.find(
      ({ start, bytes }) => start <= from && end <= start + bytes.length,
    )
    if (held) return held.bytes.slice(from - held.start, end - held.start)
    const wanted = Math.min(Math.max(end - from, READ_AHEAD), this.size - from)
    this.#left -= wanted
    if (this.#left < 0) {
      this.exceeded = true
      throw new Error('too many bytes')
    }
    const bytes = await this.#source.read(from, wanted)
    this.#windows.unshift({ start: from, bytes })
    // The first holds the tags that a file begins with.
    if (this.#windows.length > MOST_WINDOWS) this.#windows.splice(MOST_WINDOWS - 2, 1)
    return bytes.slice(0, end - from)
  }
}

/** By kind of tag, the names of its fields in capitals; the second is looked at when there is no first. */
const FIELDS: Readonly<Record<string, Readonly<Record<keyof TagNames, readonly string[]>>>> = {
  vorbis: { title: ['TITLE'], artist: ['ARTIST', 'ARTISTS'], release: ['ALBUM'] },
  APEv2: { title: ['TITLE'], artist: ['ARTIST', 'ARTISTS'], release: ['ALBUM'] },
  iTunes: {
    title: ['©NAM'],
    artist: ['©ART', '----:COM.APPLE.ITUNES:ARTISTS'],
    release: ['©ALB'],
  },
  'ID3v2.4': { title: ['TIT2'], artist: ['TPE1', 'TXXX:ARTISTS'], release: ['TALB'] },
  'ID3v2.3': { title: ['TIT2'], artist: ['TPE1', 'TXXX:ARTISTS'], release: ['TALB'] },
  'ID3v2.2': { title: ['TT2'], artist: ['TP1'], release: ['TAL'] },
  // Titles and artists of different levels are weighed by music-metadata.
  matroska: { title: [], artist: [], release: ['ALBUM:TITLE', 'TRACK:ALBUM'] },
}

/** The names in these kinds of tag, all values of each. */
function nativeNames(native: IAudioMetadata['native'], kinds: readonly string[]): TagNames[] {
  return kinds.map((kind) => {
    const names: TagNames = {}
    for (const [field, ids] of Object.entries(FIELDS[kind]!)) {
      for (const id of ids) {
        const values = valuesOf((native[kind] ?? []).filter((tag) => tag.id.toUpperCase() === id))
        // music-metadata takes a name of ID3v2.3 apart at each "/".
        const whole = /^ID3v2\.[23]$/.test(kind) && !id.includes(':') ? [values.join('/')] : values
        if (values.length > 0) names[field as keyof TagNames] ??= whole
      }
    }
    return names
  })
}

function valuesOf(tags: readonly ITag[]): string[] {
  return tags.map(({ value }) => text(value)).filter((value) => value !== undefined)
}

/** What tags of other kinds say; not what ID3v1 does, whose encoding music-metadata does not know. */
function otherNames({ common, native }: Parsed): TagNames {
  const old = new Set((native.ID3v1 ?? []).map(({ value }) => value))
  const names: TagNames = {}
  for (const [field, value] of [
    ['title', common.title],
    ['artist', common.artist],
    ['release', common.album],
  ] as const) {
    const plain = text(value)
    if (plain !== undefined && !old.has(value)) names[field] = [plain]
  }
  return names
}

/** Each name by the first tag that has it, its values joined. */
function named(ranked: readonly TagNames[]): Pick<Tags, keyof TagNames> {
  const tags: Pick<Tags, keyof TagNames> = {}
  for (const field of ['title', 'artist', 'release'] as const) {
    const values = ranked.find((names) => names[field])?.[field]?.slice(0, MOST_VALUES) ?? []
    const joined = text([...new Set(values)].join(', '))
    if (joined !== undefined) tags[field] = joined
  }
  return tags
}

function text(value: unknown): string | undefined {
  return typeof value === 'string'
    ? shown(value)?.slice(0, LONGEST_NAME).trimEnd() || undefined
    : undefined
}

function describe(common: ICommonTagsResult): Partial<Tags> {
  const tags: Partial<Tags> = {}
  const put = <K extends keyof Tags>(name: K, value: Tags[K] | undefined) => {
    if (value !== undefined) tags[name] = value
  }
  const list = (values: unknown) => {
    const texts = (Array.isArray(values) ? values.slice(0, MOST_VALUES) : [values])
      .map(text)
      .filter((t) => t !== undefined)
    return texts.length > 0 ? texts : undefined
  }
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
