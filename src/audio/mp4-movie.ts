import { DecodeError } from '../values/errors.ts'
import type { ByteSource } from './bytes.ts'
import { atomsIn, atomsOf, brokenAtom, byteAt, longAt, requireBytes, typeAt } from './mp4-atoms.ts'
import { ENCRYPTED_CODES, readSampleEntry, type SampleEntry } from './mp4-entry.ts'
import {
  addFragmentSamples,
  addTableSamples,
  type FragmentDefaults,
  joinEdits,
  type PresentedEdit,
  readEdits,
  TrackSamples,
} from './mp4-samples.ts'
import { readMp4Items } from './mp4-tags.ts'
import { Undecodable } from './pcm-stream.ts'

/** 6 h of AAC have about 4 MB. */
const MAX_TABLE_BYTES = 67_108_864
const MAX_ATOM_DEPTH = 16

const LIST_ATOMS = new Set('moov trak mdia minf stbl edts mvex moof traf'.split(' '))

/** The sound track of an MP4 file, and where its samples are. */
export interface Mp4Layout {
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
  edit: PresentedEdit | undefined
  /** iTunes' tag iTunSMPB, which states the encoder's delay. */
  gapless: Uint8Array[]
  sizes: Uint32Array
  /** Where they lie in order: an offset, a length in bytes, an offset, a length … */
  places: Float64Array
  /** Samples or atoms continue after the end of the file. */
  truncated: boolean
}

/**
 * Finds the samples of the first sound track (ISO/IEC 14496-12). Unknown atoms are skipped, because
 * no decoder gets them.
 *
 * @throws Undecodable when the file is encrypted
 * @throws DecodeError naming the atom that is wrong
 */
export async function readMp4(source: ByteSource): Promise<Mp4Layout> {
  let sound: Mp4Sound | undefined
  let truncated = false
  for await (const { type, position, start, end } of atomsOf(source)) {
    if (end < start) {
      // Padding with zeros after the last atom is common.
      if (sound) break
      throw brokenAtom(type, `is ${end - position} bytes long`)
    }
    const goesBeyond = end > source.size
    truncated ||= goesBeyond
    if (!(type === 'moov' && !sound) && !(type === 'moof' && sound?.defaults)) continue
    if (goesBeyond) {
      if (sound) break
      throw brokenAtom(type, 'goes on behind the end of the file: the file is incomplete')
    }
    if (end - position > MAX_TABLE_BYTES) {
      throw brokenAtom(type, `has ${end - position} bytes; audile reads ${MAX_TABLE_BYTES}`)
    }
    const body = new DataView((await source.read(start, end - start)).buffer)
    if (!sound) sound = soundOfMovie(body, source.size)
    else if (sound.defaults) addFragmentSamples(sound.samples, body, position, sound.defaults)
  }
  if (!sound) {
    throw new DecodeError(
      'This MP4 file has no moov atom, without which nobody can tell where its sound is: it is incomplete.',
    )
  }
  return mp4LayoutOf(sound, truncated)
}

interface Mp4Sound {
  track: TrackTables
  entry: SampleEntry
  /** Units in a second of the movie; 0 when not stated. */
  scale: number
  samples: TrackSamples
  /** Units of the sound that the tables of the moov list. */
  listed: number
  defaults: FragmentDefaults | undefined
  gapless: Uint8Array[]
}

function soundOfMovie(moov: DataView, fileSize: number): Mp4Sound {
  const gapless = readMp4Items(moov).filter((item) => Buffer.from(item).includes('iTunSMPB'))
  const movie = readMovie(moov)
  const { sound: track, entry } = soundTrackOf(movie.tracks)
  const samples = new TrackSamples(fileSize)
  addTableSamples(samples, track, entry.frame)
  const { scale } = movie
  const { units: listed } = samples
  return { track, entry, scale, samples, listed, defaults: defaultsOf(movie, track), gapless }
}

function mp4LayoutOf(sound: Mp4Sound, truncated: boolean): Mp4Layout {
  const { track, entry, samples, listed, gapless } = sound
  const { units, sizes, places } = samples
  const time = track.mdhd ? readTime('mdhd', track.mdhd) : { scale: 0, units: 0 }
  const perSecond = time.scale || entry.sampleRate || 1
  const statedUnits = units > listed ? Math.max(time.units, units) : time.units || units
  const seconds = statedUnits / perSecond
  const perSample = FRAME_SAMPLES[entry.codec]
  const availableSeconds =
    perSample && entry.sampleRate ? (sizes.length * perSample) / entry.sampleRate : 0
  const edit = trackEdit(track, sound.scale > 0 ? time.scale / sound.scale : 0, units, listed)
  const movie = sound.scale || perSecond
  const remainingSeconds = Math.max(0, seconds - (edit?.start ?? 0) / perSecond)
  const edited = edit?.duration ? edit.duration / movie : remainingSeconds
  return {
    codec: entry.mp3 ? '.mp3' : entry.codec,
    sampleRate: entry.sampleRate,
    descriptions: entry.descriptions,
    seconds: Math.min(seconds, availableSeconds),
    presented: Math.min(edited, remainingSeconds),
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

type TrackTables = Partial<Record<(typeof TRACK_TABLES)[number], DataView>>
const TRACK_TABLES = [
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

interface MovieTables {
  /** Units in a second; 0 when not stated. */
  scale: number
  tracks: TrackTables[]
  /** The defaults of fragments (trex), an atom for each track. */
  extended: DataView[]
}

function readMovie(moov: DataView): MovieTables {
  const movie: MovieTables = { scale: 0, tracks: [], extended: [] }
  const walkAtoms = (atoms: DataView, depth: number): void => {
    if (depth > MAX_ATOM_DEPTH) throw brokenAtom('moov', `holds atoms within ${depth} others`)
    let end = 0
    for (const { type, body, end: after } of atomsIn(atoms)) {
      end = after
      if (type === 'trak') movie.tracks.push({})
      const track = movie.tracks.at(-1)
      const table = TRACK_TABLES.find((name) => name === type)
      if (LIST_ATOMS.has(type)) walkAtoms(body, depth + 1)
      else if (type === 'mvhd') movie.scale = readTime(type, body).scale
      else if (type === 'trex') {
        requireBytes(type, body, 24)
        movie.extended.push(body)
      }
      // Keeps the first: QuickTime's second hdlr does not describe the sound.
      else if (track && table) track[table] ??= body
    }
    checkEnd(atoms, end)
  }
  walkAtoms(moov, 0)
  return movie
}

function defaultsOf(
  { extended }: MovieTables,
  { tkhd }: TrackTables,
): FragmentDefaults | undefined {
  if (extended.length === 0) return undefined
  const track = tkhd ? trackIdOf(tkhd) : 0
  const stated = extended.find((trex) => trex.getUint32(4) === track)
  return { track, duration: stated?.getUint32(12) ?? 0, size: stated?.getUint32(16) ?? 0 }
}

/** The edit list as one edit; the moov lists `listed` of all `units`. */
function trackEdit(
  { elst }: TrackTables,
  toMedia: number,
  units: number,
  listed: number,
): PresentedEdit | undefined {
  const edit = elst && joinEdits(readEdits(elst), toMedia)
  // An edit list written before the fragments does not count them.
  if (!edit || units === listed) return edit
  const counted = edit.duration * toMedia > listed - edit.start + toMedia
  return counted ? edit : { ...edit, duration: 0 }
}

function trackIdOf(tkhd: DataView): number {
  const offset = byteAt(tkhd, 0) === 1 ? 20 : 12
  requireBytes('tkhd', tkhd, offset + 8)
  return tkhd.getUint32(offset)
}

/** The units in a second, and the length in units, of a movie or media header; 0 when not known. */
function readTime(type: string, body: DataView): { scale: number; units: number } {
  const isLong = byteAt(body, 0) === 1
  requireBytes(type, body, isLong ? 32 : 20)
  const units = isLong ? longAt(body, 24) : body.getUint32(16)
  const isKnown = units < (isLong ? 2 ** 63 : 0xffffffff)
  return { scale: body.getUint32(isLong ? 20 : 12), units: isKnown ? units : 0 }
}

function soundTrackOf(tracks: readonly TrackTables[]): { sound: TrackTables; entry: SampleEntry } {
  const codecOf = ({ stsd }: TrackTables) => (stsd ? typeAt(stsd, 12) : '')
  let encrypted = tracks.some((track) => ENCRYPTED_CODES.test(codecOf(track)))
  const soundTracks = tracks.filter(({ hdlr }) => hdlr && typeAt(hdlr, 8) === 'soun')
  const codecTracks = tracks.filter((track) => ['mp4a', 'alac'].includes(codecOf(track)))
  for (const sound of [...soundTracks, ...codecTracks]) {
    const entry = sound.stsd && readSampleEntry(sound.stsd)
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

/** Zeros, or a byte or two, may follow the last atom. */
function checkEnd(atoms: DataView, end: number): void {
  if (end + 8 > atoms.byteLength) return
  const size = atoms.getUint32(end)
  if (size >= 8 || size === 1) {
    const remaining = atoms.byteLength - end
    throw brokenAtom(typeAt(atoms, end + 4), `is ${size} bytes long with ${remaining} left`)
  }
}
