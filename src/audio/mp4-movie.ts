import { DecodeError } from '../errors.ts'
import type { ByteSource } from './bytes.ts'
import { atomsIn, atomsOf, broken, byteAt, longAt, need, typeAt } from './mp4-atoms.ts'
import { ENCRYPTED, type SampleEntry, sampleEntry } from './mp4-entry.ts'
import {
  addFragmentSamples,
  addTableSamples,
  type Edit,
  editsOf,
  type FragmentDefaults,
  joinedEdit,
  Samples,
} from './mp4-samples.ts'
import { mp4Items } from './mp4-tags.ts'
import { Undecodable } from './pcm-stream.ts'

/** The largest moov and moof atoms read, bytes. 6 h of AAC have about 4 MB. */
const MAX_TABLES = 67_108_864
const MAX_DEPTH = 16

/** Atoms whose content is a list of atoms. */
const LISTS = new Set('moov trak mdia minf stbl edts mvex moof traf'.split(' '))

/** The sound track of an MP4 file, and where its samples are. */
export interface Mp4Layout {
  /** Four-letter code of the first sound track's codec: 'mp4a', 'alac', … */
  codec: string
  channels: number
  /** Hertz. */
  sampleRate: number
  /** The stsd atom of the sound, reduced to what a decoder needs. */
  descriptions: Buffer
  /** Seconds that the sound track lasts, 0 when it is not stated. */
  seconds: number
  /** Seconds that the edit list leaves of them; it may cut off more than an encoder's delay. */
  presented: number
  /** Units in a second, of the movie and of the sound. */
  scale: { movie: number; media: number }
  /** How long the samples last, in units of the sound. */
  units: number
  /** The part that an edit list presents. */
  edit: Edit | undefined
  /** iTunes' tag iTunSMPB, which states the encoder's delay. */
  gapless: Uint8Array[]
  /** Size of each sample in order. */
  sizes: Uint32Array
  /** Where they lie in order: an offset, so many bytes, an offset, so many bytes … */
  places: Float64Array
  /** Samples or atoms go on behind the end of the file. */
  truncated: boolean
}

/**
 * Finds the samples of the first sound track of an MP4 or QuickTime file (ISO/IEC 14496-12), in the
 * tables of the moov and in fragments. Atoms whose structure is known must lie within their parents,
 * and tables within their atoms; everything else is skipped, because no decoder gets it.
 *
 * @throws Undecodable when the file is encrypted; DecodeError naming the atom that is wrong, or when
 * there is no sound track
 */
export async function readMp4(source: ByteSource): Promise<Mp4Layout> {
  let movie: Movie | undefined
  let truncated = false
  for await (const { type, position, start, end } of atomsOf(source)) {
    if (end < start) {
      // Padding with zeros behind the last atom is common; anything else is damage.
      if (movie) break
      throw broken(type, `is ${end - position} bytes long`)
    }
    const beyond = end > source.size
    truncated ||= beyond
    if (!(type === 'moov' && !movie) && !(type === 'moof' && movie?.defaults)) continue
    if (beyond) {
      if (movie) break
      throw broken(type, 'goes on behind the end of the file: the file is incomplete')
    }
    if (end - position > MAX_TABLES) {
      throw broken(type, `has ${end - position} bytes; audile reads ${MAX_TABLES}`)
    }
    const body = new DataView((await source.read(start, end - start)).buffer)
    if (movie) movie.addFragment(body, position)
    else movie = new Movie(body, source.size)
  }
  if (!movie) {
    throw new DecodeError(
      'This MP4 file has no moov atom, without which nobody can tell where its sound is: it is incomplete.',
    )
  }
  const layout = movie.layout()
  return { ...layout, truncated: truncated || layout.truncated }
}

/** The tables of a track. */
type Track = Partial<Record<(typeof TABLES)[number], DataView>>
const TABLES = [
  'tkhd',
  'hdlr',
  'mdhd',
  'stsd',
  'elst',
  'stsz',
  'stsc',
  'stts',
  'stco',
  'co64',
] as const

/** A moov atom, and what its fragments add. */
class Movie {
  /** What holds for the fragments of the sound track; undefined when the file has none. */
  readonly defaults: FragmentDefaults | undefined
  readonly #samples: Samples
  readonly #entry: SampleEntry
  readonly #time: { scale: number; units: number }
  readonly #edits: Edit[]
  /** Units of the sound that the tables of the moov list. */
  readonly #listed: number
  #scale = 0
  readonly #tracks: Track[] = []
  readonly #extends: DataView[] = []
  readonly #gapless: Uint8Array[]

  constructor(body: DataView, fileSize: number) {
    this.#gapless = mp4Items(body).filter((item) => Buffer.from(item).includes('iTunSMPB'))
    this.#walk(body, 0)
    const { sound, entry } = soundTrackOf(this.#tracks)
    this.#entry = entry
    this.#time = sound.mdhd ? timeOf('mdhd', sound.mdhd) : { scale: 0, units: 0 }
    this.#edits = sound.elst ? editsOf(sound.elst) : []
    this.#samples = new Samples(fileSize)
    addTableSamples(this.#samples, sound, entry.frame)
    this.#listed = this.#samples.units
    if (this.#extends.length > 0) {
      const track = sound.tkhd ? idOf(sound.tkhd) : 0
      const stated = this.#extends.find((trex) => trex.getUint32(4) === track)
      const [duration, size] = [stated?.getUint32(12) ?? 0, stated?.getUint32(16) ?? 0]
      this.defaults = { track, duration, size }
    }
  }

  addFragment(moof: DataView, position: number): void {
    if (this.defaults) addFragmentSamples(this.#samples, moof, position, this.defaults)
  }

  layout(): Mp4Layout {
    const entry = this.#entry
    const time = this.#time
    const { units, sizes, places, truncated } = this.#samples
    const perSecond = time.scale || entry.sampleRate || 1
    const fragmented = units > this.#listed
    const seconds = (fragmented ? Math.max(time.units, units) : time.units || units) / perSecond
    const edit = this.#edit(fragmented)
    const movie = this.#scale || perSecond
    const rest = Math.max(0, seconds - (edit?.start ?? 0) / perSecond)
    const edited = edit?.duration ? edit.duration / movie : rest
    return {
      codec: entry.mp3 ? '.mp3' : entry.codec,
      channels: entry.channels,
      sampleRate: entry.sampleRate,
      descriptions: entry.descriptions,
      seconds,
      presented: Math.min(edited, rest),
      scale: { movie, media: perSecond },
      units,
      edit,
      gapless: this.#gapless,
      sizes,
      places,
      truncated,
    }
  }

  #edit(fragmented: boolean): Edit | undefined {
    const toMedia = this.#scale > 0 ? this.#time.scale / this.#scale : 0
    const edit = joinedEdit(this.#edits, toMedia)
    // An edit list written before the fragments does not count them.
    if (!edit || !fragmented) return edit
    const counted = edit.duration * toMedia > this.#listed - edit.start + toMedia
    return counted ? edit : { ...edit, duration: 0 }
  }

  #walk(atoms: DataView, depth: number): void {
    if (depth > MAX_DEPTH) throw broken('moov', `holds atoms within ${depth} others`)
    let end = 0
    for (const { type, body, end: after } of atomsIn(atoms)) {
      end = after
      if (type === 'trak') this.#tracks.push({})
      if (LISTS.has(type)) this.#walk(body, depth + 1)
      else this.#table(type, body)
    }
    checkEnd(atoms, end)
  }

  #table(type: string, body: DataView): void {
    if (type === 'mvhd') this.#scale = timeOf(type, body).scale
    else if (type === 'trex') {
      need(type, body, 24)
      this.#extends.push(body)
    }
    const track = this.#tracks.at(-1)
    const table = TABLES.find((name) => name === type)
    // The first: QuickTime has a second hdlr, which is not of the sound.
    if (track && table) track[table] ??= body
  }
}

function idOf(tkhd: DataView): number {
  const at = byteAt(tkhd, 0) === 1 ? 20 : 12
  need('tkhd', tkhd, at + 8)
  return tkhd.getUint32(at)
}

/** The units in a second, and the length in units, of a movie or media header; 0 when not known. */
function timeOf(type: string, body: DataView): { scale: number; units: number } {
  const long = byteAt(body, 0) === 1
  need(type, body, long ? 32 : 20)
  const units = long ? longAt(body, 24) : body.getUint32(16)
  const known = units < (long ? 2 ** 63 : 0xffffffff)
  return { scale: body.getUint32(long ? 20 : 12), units: known ? units : 0 }
}

function soundTrackOf(tracks: readonly Track[]): { sound: Track; entry: SampleEntry } {
  const codecOf = ({ stsd }: Track) => (stsd ? typeAt(stsd, 12) : '')
  let encrypted = tracks.some((track) => ENCRYPTED.test(codecOf(track)))
  const likely = tracks.filter(({ hdlr }) => hdlr && typeAt(hdlr, 8) === 'soun')
  const possible = tracks.filter((track) => ['mp4a', 'alac'].includes(codecOf(track)))
  for (const sound of [...likely, ...possible]) {
    const entry = sound.stsd && sampleEntry(sound.stsd)
    if (!entry) continue
    encrypted ||= entry.encrypted
    if (!encrypted) return { sound, entry }
  }
  if (!encrypted) throw new DecodeError('This MP4 file has no sound track.')
  // Another decoder would take the encrypted bytes for sound.
  throw new Undecodable(
    'This MP4 file is encrypted (DRM), so nothing can decode it without its key; give a copy without protection.',
  )
}

/** Refuses a list whose last atom is cut off. Zeros, or a byte or two, may follow the last atom. */
function checkEnd(atoms: DataView, end: number): void {
  if (end + 8 > atoms.byteLength) return
  const size = atoms.getUint32(end)
  if (size >= 8 || size === 1) {
    const left = atoms.byteLength - end
    throw broken(typeAt(atoms, end + 4), `is ${size} bytes long with ${left} left`)
  }
}
