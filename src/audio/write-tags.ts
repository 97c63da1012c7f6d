import { isDeepStrictEqual } from 'node:util'
import type { Tag, XiphComment } from 'node-taglib-sharp'
import { loadPeer } from '../kernel/load-package.ts'
import { DecodeError, messageOf } from '../values/errors.ts'
import { latin1, openFile } from './bytes.ts'
import { type Container, FORMATS, identify } from './formats.ts'
import { atomsOf } from './mp4-atoms.ts'
import { ABOVE_R128 } from './tag-names.ts'
import { apeSlots, id3Slots, type Library, mp4Slots, type Slots, vorbisSlots } from './tag-slots.ts'
import { parsed, readLimited, readTags } from './tags.ts'

/** What is to stand in the tags of a file; what is absent stays as it is. */
export interface WrittenValues {
  /** Beats per minute. */
  bpm?: number
  key?: string
  /** dB to -18 LUFS; files of Opus hold it to -23 LUFS. */
  trackGain?: number
  /** A ratio to full scale. */
  trackPeak?: number
  albumGain?: number
  albumPeak?: number
  mood?: string
  comment?: string
}

/** A value in the tags of a file that changes. */
export interface TagChange {
  /** Its name in Vorbis comments, whatever the format: `BPM`, `REPLAYGAIN_TRACK_GAIN`. */
  tag: string
  /** `null`: it was not there. */
  from: string | null
  /** `null`: it is removed. */
  to: string | null
}

/** The formats whose tags can be written: the package's media type and kind of tag for each. */
const WRITABLE: Partial<Record<Container, { mime: string; kind: 'Id3v2' | 'Xiph' | 'Apple' }>> = {
  wav: { mime: 'taglib/wav', kind: 'Id3v2' },
  aiff: { mime: 'taglib/aiff', kind: 'Id3v2' },
  ogg: { mime: 'taglib/ogg', kind: 'Xiph' },
  flac: { mime: 'taglib/flac', kind: 'Xiph' },
  mp4: { mime: 'taglib/m4a', kind: 'Apple' },
  aac: { mime: 'taglib/aac', kind: 'Id3v2' },
  mp3: { mime: 'taglib/mp3', kind: 'Id3v2' },
}
const REMEDY = 'convert it; audile writes tags of mp3, flac, ogg, opus, m4a, wav, aiff and aac'

type Texts = Map<string, string | undefined>

/** What {@link writeTags} needs. */
export interface WriteTagsTask {
  path: string
  values: WrittenValues
  /** The most bytes that are read for the tags. */
  bytes: number
  /** A copy of the file, into which they are written. Default: nothing is written. */
  copy?: string
}

/**
 * Writes values into the tags of a copy of a file, and tells what changes.
 *
 * @throws {DecodeError} for a format whose tags cannot be written; when a value did not get into the
 * copy, or another one changed: do not use the copy
 * @throws {ParameterError} when the package `node-taglib-sharp` is not installed
 */
export async function writeTags(task: WriteTagsTask): Promise<{ changes: TagChange[] }> {
  const { path, copy, bytes } = task
  const changes = await open(task, (_, found) => found)
  if (copy === undefined) return { changes }
  const inCopy = { ...task, path: copy }
  await open(inCopy, ({ tags, save }) => {
    for (const slots of tags) for (const { tag, to } of changes) slots.set(tag, to ?? undefined)
    save()
  })
  const [left] = await open(inCopy, (_, found) => found)
  if (left) throw new DecodeError(`Its ${left.tag} cannot be written; ${REMEDY}.`)
  const written = new Set(changes.map(({ tag }) => tag))
  const after = await others(copy, written, bytes)
  for (const [kind, values] of Object.entries(await others(path, written, bytes))) {
    if (isDeepStrictEqual(values, after[kind])) continue
    const message = `Other values of its ${kind} tag would change or get lost; use a tag editor.`
    throw new DecodeError(message)
  }
  return { changes }
}

interface OpenTags {
  /** The main tag first. */
  tags: Slots[]
  save(): void
}

async function open<T>(
  { path, values, bytes }: Omit<WriteTagsTask, 'copy'>,
  use: (file: OpenTags, changes: TagChange[]) => T,
): Promise<T> {
  const library = await loadPeer<Library>('node-taglib-sharp', 'track.writeTags')
  const { container, isOpus, isFragmented } = await formatOf(path)
  const writable = container && WRITABLE[container]
  // The package does not correct the places that fragments and their index state.
  if (isFragmented) throw new DecodeError(`Tags of fragmented MP4 cannot be written; ${REMEDY}.`)
  if (!writable) {
    const title = container ? FORMATS[container].title : 'its'
    throw new DecodeError(`Tags of ${title} format cannot be written; ${REMEDY}.`)
  }
  const { kind, mime } = writable
  const named = await readTags(path, bytes)
  const restore = withoutDefaults(library)
  try {
    const file = library.File.createFromPath(path, mime, library.ReadStyle.None)
    try {
      const types = library.TagTypes
      const tag = file.getTag(types[kind], true)
      if (tag instanceof library.Id3v2Tag && tag.frames.length === 0) {
        // The package makes one of version 2 in AIFF files, whose gains few programs read.
        tag.version = 3
        // Readers that find this tag look at no other, so it gets the names that stand in others.
        setNames(tag, named)
      }
      const ape = kind === 'Id3v2' ? file.getTag(types.Ape, false) : undefined
      const tags = [slotsOf(library, tag), ...(ape ? [slotsOf(library, ape)] : [])]
      const texts = textsOf(values, { isOpus: isOpus === true, whole: kind !== 'Xiph' })
      return use({ tags, save: () => file.save() }, changesOf(tags, texts))
    } finally {
      file.dispose()
    }
  } catch (error) {
    throw new DecodeError(`Its tags cannot be written: ${messageOf(error)}; ${REMEDY}.`, {
      cause: error,
    })
  } finally {
    restore()
  }
}

interface Format {
  container?: Container
  isOpus?: boolean
  isFragmented?: boolean
}

async function formatOf(path: string): Promise<Format> {
  const file = await openFile(path)
  try {
    const { container, audio } = await identify(file)
    if (!container) return {}
    if (container === 'ogg') {
      return { container, isOpus: latin1(await audio.read(28, 8)) === 'OpusHead' }
    }
    if (container === 'mp4') {
      for await (const { type } of atomsOf(audio)) {
        if (type === 'moof') return { container, isFragmented: true }
      }
    }
    return { container }
  } finally {
    await file.close()
  }
}

/** Keeps the package from adding empty tags of other kinds to files that it opens. */
function withoutDefaults({ MpegAudioFileSettings, AacFileSettings, ...others }: Library) {
  const { FlacFileSettings, WaveFileSettings } = others
  const all = [MpegAudioFileSettings, AacFileSettings, FlacFileSettings, WaveFileSettings]
  const before = all.map(({ defaultTagTypes }) => defaultTagTypes)
  for (const one of all) one.defaultTagTypes = others.TagTypes.None
  return () => {
    for (const [i, one] of all.entries()) one.defaultTagTypes = before[i] as number
  }
}

function setNames(tag: Tag, named: Awaited<ReturnType<typeof readTags>>): void {
  const { title, artist, release, albumArtist, genres, year, trackNumber } = named
  if (title !== undefined) tag.title = title
  if (artist !== undefined) tag.performers = [artist]
  if (release !== undefined) tag.album = release
  if (albumArtist !== undefined) tag.albumArtists = [albumArtist]
  if (genres) tag.genres = genres
  if (year !== undefined) tag.year = year
  if (trackNumber !== undefined) tag.track = trackNumber
}

function slotsOf(library: Library, tag: Tag): Slots {
  if (tag instanceof library.Id3v2Tag) return id3Slots(library, tag)
  if (tag instanceof library.ApeTag) return apeSlots(tag)
  if (tag instanceof library.Mpeg4AppleTag) return mp4Slots(tag)
  return vorbisSlots(tag as XiphComment)
}

/** @param whole - whether the format has only whole beats per minute */
function textsOf(values: WrittenValues, form: { isOpus: boolean; whole: boolean }): Texts {
  const { bpm, key, mood, comment } = values
  const texts: Texts = new Map()
  const add = (name: string, text: string | undefined) =>
    text !== undefined && texts.set(name, text)
  add(
    'BPM',
    bpm === undefined ? bpm : String(form.whole ? Math.round(bpm) : Number(bpm.toFixed(2))),
  )
  add('INITIALKEY', key)
  add('MOOD', mood)
  add('COMMENT', comment)
  for (const of of ['track', 'album'] as const) {
    const [gain, peak] = [values[`${of}Gain`], values[`${of}Peak`]]
    const name = of.toUpperCase()
    if (form.isOpus && gain !== undefined) {
      texts.set(`R128_${name}_GAIN`, String(Math.round(256 * (gain - ABOVE_R128))))
      // RFC 7845, 5.2.1: not both in one file.
      texts.set(`REPLAYGAIN_${name}_GAIN`, undefined)
      texts.set(`REPLAYGAIN_${name}_PEAK`, undefined)
    } else {
      add(`REPLAYGAIN_${name}_GAIN`, gain === undefined ? gain : `${gain.toFixed(2)} dB`)
      add(`REPLAYGAIN_${name}_PEAK`, peak?.toFixed(6))
    }
  }
  return texts
}

/** What differs in one of the tags. A tag of which nothing is asked has no value to differ. */
function changesOf([main, ape]: readonly Slots[], texts: Texts): TagChange[] {
  const changes: TagChange[] = []
  for (const [tag, to] of texts) {
    const old = ape?.get(tag)
    const from = main?.get(tag) ?? old
    const isSame = same(tag, main?.get(tag), to) && (old === undefined || same(tag, old, to))
    if (!isSame) changes.push({ tag, from: from ?? null, to: to ?? null })
  }
  return changes
}

/** Whether two texts are equal, of numbers also if they are written in another way. */
function same(tag: string, a: string | undefined, b: string | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b
  return /BPM|GAIN|PEAK/.test(tag) && Number.parseFloat(a) === Number.parseFloat(b)
}

/** The ids that music-metadata gives a value in the kinds of tags, in capitals. */
function idsOf(tag: string): string[] {
  const frames = { BPM: ['TBPM', 'TBP', 'TMPO'], INITIALKEY: ['TKEY', 'TKE'], MOOD: ['TMOO'] }
  const own = frames[tag as keyof typeof frames] ?? []
  return [tag, `TXXX:${tag}`, `----:COM.APPLE.ITUNES:${tag}`, ...own]
}

/** All values in the tags of a file but the written ones, by kind of tag, in an order of their own. */
async function others(
  path: string,
  written: ReadonlySet<string>,
  bytes: number,
): Promise<Record<string, unknown>> {
  const ids = new Set([...written].flatMap(idsOf))
  const { container } = await formatOf(path)
  const { found, exceeded } = await readLimited(path, bytes, async (file) => {
    const { misplaced, audio } = await identify(file)
    return parsed(misplaced ? audio : file, container, true)
  })
  if (exceeded) throw new DecodeError(`It has more than the ${bytes} bytes of limits.tagBytes.`)
  const isWritten = ({ id, value }: { id: string; value: unknown }) => {
    if (written.has('COMMENT') && isComment(id, value)) return true
    // In version 2, music-metadata leaves the name in the value.
    return ids.has((id === 'TXX' ? `TXXX:${String(value).split('\0')[0]}` : id).toUpperCase())
  }
  return Object.fromEntries(
    Object.entries(found?.native ?? {}).map(([kind, values]) => {
      const left = values.filter((one) => !isWritten(one))
      return [kind, left.sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)))]
    }),
  )
}

function isComment(id: string, value: unknown): boolean {
  if (id === '©cmt') return true
  return /^COMM?$/.test(id) && (value as { descriptor?: string }).descriptor === ''
}
