import { DecodeError } from '../errors.ts'
import type { ByteSource } from './byte-source.ts'
import { ENCRYPTED, type SampleEntry, sampleEntry } from './mp4-entry.ts'
import {
  addFragmentSamples,
  addTableSamples,
  atomsIn,
  Samples,
  type SampleTables,
} from './mp4-samples.ts'
import {
  broken,
  byteAt,
  checkFragmentHead,
  checkRun,
  checkSampleSizes,
  type Edit,
  editsOf,
  mediaTime,
  movieScale,
  need,
  typeAt,
} from './mp4-tables.ts'
import { Undecodable } from './pcm-stream.ts'

/** The largest moov and moof atoms read, bytes. 6 h of AAC have about 4 MB. */
const MAX_TABLES = 67_108_864
const MAX_DEPTH = 16
/** Atoms side by side in the file, each a read of its own. 6 h in fragments of a second have 43,200. */
const MOST_ATOMS = 200_000

/** Atoms of which all that audile needs lies in atoms, one behind the other. */
const LISTS = new Set('moov trak mdia minf stbl edts mvex moof traf'.split(' '))

/** What `checkMp4` found. */
export interface Mp4Layout {
  /** Four-letter code of the first sound track's codec: 'mp4a', 'alac', … */
  codec: string
  channels: number
  sampleRate: number
  /** The stsd atom of the sound, with nothing but what a decoder needs. */
  descriptions: Buffer
  /** Seconds that the sound track lasts, 0 when it is not stated. */
  seconds: number
  /** Seconds that are left of them by the edit list, which may cut off more than an encoder's delay. */
  presented: number
  /** Units in a second, of the movie and of the sound. */
  scale: { movie: number; media: number }
  /** Units that the samples last. */
  units: number
  /** The part that an edit list presents. */
  edit: Edit | undefined
  /** The value of iTunes' tag iTunSMPB, which states the encoder's delay. */
  gapless: string | undefined
  /** Size of each sample in order. */
  sizes: Uint32Array
  /** Where they lie in order: an offset, so many bytes, an offset, so many bytes … */
  places: Float64Array
  /** Samples or atoms go on behind the end of the file. */
  truncated: boolean
}

/**
 * Walks the atoms of an MP4 or QuickTime file (ISO/IEC 14496-12) and finds the samples of its first
 * sound track, in the tables of the moov and in fragments. Atoms whose structure is known must lie
 * within their parents, and tables within their atoms; whatever else there is is passed over, for no
 * decoder sees it.
 *
 * @throws Undecodable when the file is encrypted; DecodeError naming the atom that is wrong, or when there is no
 * sound track
 */
export async function checkMp4(source: ByteSource): Promise<Mp4Layout> {
  let movie: Movie | undefined
  let truncated = false
  let count = 0
  for (let position = 0; position + 8 <= source.size; count++) {
    const head = new DataView((await source.read(position, 16)).buffer)
    const type = typeAt(head, 4)
    let size = head.getUint32(0)
    let headBytes = 8
    if (size === 1 && head.byteLength === 16) {
      size = head.getUint32(8) * 2 ** 32 + head.getUint32(12)
      headBytes = 16
    } else if (size === 0) size = source.size - position
    if (size < headBytes) {
      // Padding with zeros behind the last atom is common; anything else is damage.
      if (movie) break
      throw broken(type, `is ${size} bytes long`)
    }
    const beyond = position + size > source.size
    truncated ||= beyond
    if ((type === 'moov' && !movie) || (type === 'moof' && movie?.defaults)) {
      if (beyond) {
        if (movie) break
        throw broken(type, 'goes on behind the end of the file: the file is incomplete')
      }
      if (size > MAX_TABLES) throw broken(type, `has ${size} bytes; audile reads ${MAX_TABLES}`)
      const body = await source.read(position + headBytes, size - headBytes)
      const view = new DataView(body.buffer)
      if (movie) movie.addFragment(view, position)
      else movie = new Movie(view, source.size)
    }
    position += size
    if (count > MOST_ATOMS) throw broken(type, `is one of more than ${MOST_ATOMS}`)
  }
  if (!movie) {
    throw new DecodeError(
      'This MP4 file has no moov atom, without which nobody can tell where its sound is: it is incomplete.',
    )
  }
  const layout = movie.layout()
  return { ...layout, truncated: truncated || layout.truncated }
}

interface Track extends SampleTables {
  id: number
  handler: string
  descriptions?: DataView
  time: { scale: number; units: number }
  edits?: DataView
}

type SoundTrack = Track & { entry: SampleEntry }

/** A moov atom, and what its fragments add. */
class Movie {
  /** What holds for the fragments of the sound track; undefined when the file has none. */
  readonly defaults: { track: number; duration: number; size: number } | undefined
  readonly #samples: Samples
  readonly #sound: SoundTrack
  readonly #edits: Edit[]
  /** Units of the sound that the tables of the moov list. */
  readonly #listed: number
  #scale = 0
  readonly #tracks: Track[] = []
  readonly #extends: DataView[] = []
  #gapless: string | undefined

  constructor(body: DataView, fileSize: number) {
    this.#walk(body, 0)
    const sound = soundOf(this.#tracks)
    const { entry, sizes } = sound
    if (sizes) checkSampleSizes(sizes, fileSize, entry.frame)
    this.#sound = sound
    this.#edits = sound.edits ? editsOf(sound.edits) : []
    this.#samples = new Samples(fileSize)
    addTableSamples(this.#samples, sound, entry.frame)
    this.#listed = this.#samples.units
    const defaults = this.#extends.find((trex) => trex.getUint32(4) === sound.id)
    if (this.#extends.length > 0) {
      this.defaults = {
        track: sound.id,
        duration: defaults?.getUint32(12) ?? 0,
        size: defaults?.getUint32(16) ?? 0,
      }
    }
  }

  addFragment(moof: DataView, position: number): void {
    if (!this.defaults) return
    checkFragment(moof, 0)
    addFragmentSamples(this.#samples, moof, position, this.defaults)
  }

  layout(): Mp4Layout {
    const { entry, time } = this.#sound
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

  /** The edits as one, where they follow each other in the medium. */
  #edit(fragmented: boolean): Edit | undefined {
    const [first, ...rest] = this.#edits
    if (!first) return undefined
    const { scale } = this.#sound.time
    const toMedia = this.#scale > 0 ? scale / this.#scale : 0
    let { duration } = first
    for (const { start, duration: more } of rest) {
      // Writers round to units of the movie.
      const end = first.start + duration * toMedia
      if (duration === 0 || Math.abs(start - end) > 2 * toMedia + 1) return undefined
      duration = more === 0 ? 0 : duration + more
    }
    // An edit list written before the fragments were knows nothing of them.
    const known = duration * toMedia > this.#listed - first.start + toMedia
    return { start: first.start, duration: fragmented && !known ? 0 : duration }
  }

  #walk(atoms: DataView, depth: number): void {
    if (depth > MAX_DEPTH) throw broken('moov', `holds atoms within ${depth} others`)
    let end = 0
    for (const { type, body, end: after } of atomsIn(atoms)) {
      end = after
      if (type === 'trak') this.#tracks.push({ id: 0, handler: '', time: { scale: 0, units: 0 } })
      if (LISTS.has(type)) this.#walk(body, depth + 1)
      else if (type === 'udta' || type === 'meta' || type === 'ilst') this.#tags(type, body, depth)
      else this.#table(type, body)
    }
    checkEnd(atoms, end)
  }

  /** Whatever is not as it should be here is passed over: programs write what they like. */
  #tags(type: string, body: DataView, depth: number): void {
    if (depth > MAX_DEPTH) return
    const start = type === 'meta' && typeAt(body, 4) !== 'hdlr' ? 4 : 0
    for (const { type: kind, body: content } of atomsIn(body, start)) {
      if (kind === 'udta' || kind === 'meta' || kind === 'ilst') {
        this.#tags(kind, content, depth + 1)
      } else if (type === 'ilst' && kind === '----') this.#gapless ??= smpbOf(content)
    }
  }

  #table(type: string, body: DataView): void {
    if (type === 'mvhd') this.#scale = movieScale(body)
    else if (type === 'trex') {
      need(type, body, 24)
      this.#extends.push(body)
    }
    const track = this.#tracks.at(-1)
    if (!track) return
    if (type === 'tkhd') {
      const at = byteAt(body, 0) === 1 ? 20 : 12
      need(type, body, at + 8)
      track.id = body.getUint32(at)
    } else if (type === 'hdlr') {
      need(type, body, 12)
      track.handler ||= typeAt(body, 8)
    } else if (type === 'mdhd') track.time = mediaTime(body)
    else if (type === 'stsd') track.descriptions ??= body
    else if (type === 'elst') track.edits = body
    else if (type === 'stsz') track.sizes = body
    else if (type === 'stsc') track.groups = body
    else if (type === 'stts') track.times = body
    else if (type === 'stco') track.offsets = { table: body, bytes: 4 }
    else if (type === 'co64') track.offsets = { table: body, bytes: 8 }
  }
}

function soundOf(tracks: readonly Track[]): SoundTrack {
  const codecOf = ({ descriptions }: Track) => (descriptions ? typeAt(descriptions, 12) : '')
  let encrypted = tracks.some((track) => ENCRYPTED.test(codecOf(track)))
  const likely = tracks.filter((track) => track.handler === 'soun')
  const possible = tracks.filter((track) => ['mp4a', 'alac'].includes(codecOf(track)))
  for (const track of [...likely, ...possible]) {
    const entry = track.descriptions && sampleEntry(track.descriptions)
    if (!entry) continue
    encrypted ||= entry.encrypted
    if (!encrypted) return { ...track, entry }
  }
  if (!encrypted) throw new DecodeError('This MP4 file has no sound track.')
  // Another decoder would take the encrypted bytes for sound.
  throw new Undecodable(
    'This MP4 file is encrypted (DRM), so nothing can decode it without its key; give a copy without protection.',
  )
}

/** What follows the last atom of a list may be zeros or a byte or two, but no atom that is cut off. */
function checkEnd(atoms: DataView, end: number): void {
  if (end + 8 > atoms.byteLength) return
  const size = atoms.getUint32(end)
  if (size >= 8 || size === 1) {
    const left = atoms.byteLength - end
    throw broken(typeAt(atoms, end + 4), `is ${size} bytes long with ${left} left`)
  }
}

function checkFragment(atoms: DataView, depth: number): void {
  for (const { type, body } of atomsIn(atoms)) {
    if (type === 'traf' && depth === 0) checkFragment(body, 1)
    else if (type === 'trun') checkRun(body)
    else if (type === 'tfhd') checkFragmentHead(body)
  }
}

/** The value of an item of iTunes' list when it is the one that states the encoder's delay. */
function smpbOf(item: DataView): string | undefined {
  let name = ''
  for (const { type, body } of atomsIn(item)) {
    const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 1000))
    if (type === 'name') name = text.subarray(4).toString('latin1')
    else if (type === 'data' && name === 'iTunSMPB') return text.subarray(8).toString('latin1')
  }
  return undefined
}
