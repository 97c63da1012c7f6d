import { DecodeError } from '../values/errors.ts'
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
  /** Hertz. */
  sampleRate: number
  /** The stsd atom of the sound, reduced to what a decoder needs. */
  descriptions: Buffer
  /** Seconds that the sound surely lasts, whatever is stated; 0 when that is not known. */
  seconds: number
  /** Seconds that the edit list presents; it may cut off more than an encoder's delay. */
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
  /** Where they lie in order: an offset, a length in bytes, an offset, a length … */
  places: Float64Array
  /** Samples or atoms continue after the end of the file. */
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
  let found: Sound | undefined
  let truncated = false
  for await (const { type, position, start, end } of atomsOf(source)) {
    if (end < start) {
      // Padding with zeros after the last atom is common; anything else is damage.
      if (found) break
      throw broken(type, `is ${end - position} bytes long`)
    }
    const beyond = end > source.size
    truncated ||= beyond
    if (!(type === 'moov' && !found) && !(type === 'moof' && found?.defaults)) continue
    if (beyond) {
      if (found) break
      throw broken(type, 'goes on behind the end of the file: the file is incomplete')
    }
    if (end - position > MAX_TABLES) {
      throw broken(type, `has ${end - position} bytes; audile reads ${MAX_TABLES}`)
    }
    const body = new DataView((await source.read(start, end - start)).buffer)
    if (!found) found = soundIn(body, source.size)
    else if (found.defaults) addFragmentSamples(found.samples, body, position, found.defaults)
  }
  if (!found) {
    throw new DecodeError(
      'This MP4 file has no moov atom, without which nobody can tell where its sound is: it is incomplete.',
    )
  }
  return layoutOf(found, truncated)
}

interface Sound {
  track: Track
  entry: SampleEntry
  /** Units in a second of the movie; 0 when not stated. */
  scale: number
  samples: Samples
  /** Units of the sound that the tables of the moov list. */
  listed: number
  defaults: FragmentDefaults | undefined
  gapless: Uint8Array[]
}

function soundIn(moov: DataView, fileSize: number): Sound {
  const gapless = mp4Items(moov).filter((item) => Buffer.from(item).includes('iTunSMPB'))
  const movie = movieIn(moov)
  const { sound: track, entry } = soundTrackOf(movie.tracks)
  const samples = new Samples(fileSize)
  addTableSamples(samples, track, entry.frame)
  const { scale } = movie
  const { units: listed } = samples
  return { track, entry, scale, samples, listed, defaults: defaultsOf(movie, track), gapless }
}

function layoutOf(sound: Sound, truncated: boolean): Mp4Layout {
  const { track, entry, samples, listed, gapless } = sound
  const { units, sizes, places } = samples
  const time = track.mdhd ? timeOf('mdhd', track.mdhd) : { scale: 0, units: 0 }
  const perSecond = time.scale || entry.sampleRate || 1
  const stated = units > listed ? Math.max(time.units, units) : time.units || units
  const seconds = stated / perSecond
  const perSample = FRAME_SAMPLES[entry.codec]
  const availableSeconds =
    perSample && entry.sampleRate ? (sizes.length * perSample) / entry.sampleRate : 0
  const edit = editOf(track, sound.scale > 0 ? time.scale / sound.scale : 0, units, listed)
  const movie = sound.scale || perSecond
  const rest = Math.max(0, seconds - (edit?.start ?? 0) / perSecond)
  const edited = edit?.duration ? edit.duration / movie : rest
  return {
    codec: entry.mp3 ? '.mp3' : entry.codec,
    sampleRate: entry.sampleRate,
    descriptions: entry.descriptions,
    seconds: Math.min(seconds, availableSeconds),
    presented: Math.min(edited, rest),
    scale: { movie, media: perSecond },
    units,
    edit,
    gapless,
    sizes,
    places,
    truncated: truncated || samples.truncated,
  }
}

/** The fewest samples of a frame, by codec. */
const FRAME_SAMPLES: Readonly<Record<string, number>> = { mp4a: 960, alac: 4096 }

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

interface Movie {
  /** Units in a second; 0 when not stated. */
  scale: number
  tracks: Track[]
  /** The defaults of fragments (trex), an atom for each track. */
  extended: DataView[]
}

function movieIn(moov: DataView): Movie {
  const movie: Movie = { scale: 0, tracks: [], extended: [] }
  const walk = (atoms: DataView, depth: number): void => {
    if (depth > MAX_DEPTH) throw broken('moov', `holds atoms within ${depth} others`)
    let end = 0
    for (const { type, body, end: after } of atomsIn(atoms)) {
      end = after
      if (type === 'trak') movie.tracks.push({})
      const track = movie.tracks.at(-1)
      const table = TABLES.find((name) => name === type)
      if (LISTS.has(type)) walk(body, depth + 1)
      else if (type === 'mvhd') movie.scale = timeOf(type, body).scale
      else if (type === 'trex') {
        need(type, body, 24)
        movie.extended.push(body)
      }
      // Keeps the first: QuickTime has a second hdlr, which does not describe the sound.
      else if (track && table) track[table] ??= body
    }
    checkEnd(atoms, end)
  }
  walk(moov, 0)
  return movie
}

/** The defaults for the fragments of a track; undefined when the file has none. */
function defaultsOf({ extended }: Movie, { tkhd }: Track): FragmentDefaults | undefined {
  if (extended.length === 0) return undefined
  const track = tkhd ? idOf(tkhd) : 0
  const stated = extended.find((trex) => trex.getUint32(4) === track)
  return { track, duration: stated?.getUint32(12) ?? 0, size: stated?.getUint32(16) ?? 0 }
}

/**
 * The edit list of a track as one edit.
 *
 * @param units length of all samples, fragments included; the moov lists `listed` of it
 */
function editOf({ elst }: Track, toMedia: number, units: number, listed: number): Edit | undefined {
  const edit = elst && joinedEdit(editsOf(elst), toMedia)
  // An edit list written before the fragments does not count them.
  if (!edit || units === listed) return edit
  const counted = edit.duration * toMedia > listed - edit.start + toMedia
  return counted ? edit : { ...edit, duration: 0 }
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
