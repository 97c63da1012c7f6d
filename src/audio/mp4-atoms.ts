import { DecodeError } from '../errors.ts'
import type { ByteSource } from './byte-source.ts'
import {
  broken,
  checkFragmentHead,
  checkRun,
  checkSampleSizes,
  chunkOffset,
  editedUnits,
  entries,
  entryAt,
  isMp3,
  mediaSeconds,
  movieScale,
  need,
  typeAt,
} from './mp4-tables.ts'

/** The largest moov and moof atoms read, bytes. 6 h of AAC have about 4 MB. */
const MAX_TABLES = 67_108_864
/** Products of chunks and chunk groups beyond this take a decoder seconds to walk. */
const MAX_CHUNK_STEPS = 1_000_000_000
const MAX_DEPTH = 16
/** Atoms side by side in the file, each a read of its own. 6 h in fragments of a second have 43,200. */
const MOST_ATOMS = 200_000

/** Atoms that hold atoms. In the loose ones, writers differ on where those start. */
const STRICT = new Set('moov trak mdia minf stbl edts mvex moof traf'.split(' '))
const LOOSE = new Set('udta meta sinf wave'.split(' '))

/** What `checkMp4` found. */
export interface Mp4Layout {
  /** The moov atom, header included, with 32-bit size. */
  moov: Uint8Array<ArrayBuffer>
  /** The sound is in moof atoms behind the moov. */
  fragmented: boolean
  /** Four-letter code of the first sound track's codec: 'mp4a', 'alac', … */
  codec: string
  channels: number
  sampleRate: number
  /** Seconds that the sound track's header states, 0 when it does not. */
  seconds: number
  /** Seconds that are left of them by the edit list, which may cut off more than an encoder's delay. */
  presented: number
  /** All chunk offset tables: position of the first entry within `moov`, entries, bytes of each. */
  offsets: OffsetTable[]
  /** Smallest chunk offset. */
  firstChunk: number
  /** An atom goes on behind the end of the file. */
  truncated: boolean
}

/**
 * Walks the atoms of an MP4 or QuickTime file (ISO/IEC 14496-12) and checks that each lies within its
 * parent and each table within its atom, before any decoder sees the file: decoders allocate what
 * the tables claim.
 *
 * @throws DecodeError naming the atom that is wrong, or when there is no sound track
 */
export async function checkMp4(source: ByteSource): Promise<Mp4Layout> {
  let moov: Uint8Array<ArrayBuffer> | undefined
  let truncated = false
  let atoms = 0
  for (let position = 0; position + 8 <= source.size; atoms++) {
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
      if (moov) break
      throw broken(type, `is ${size} bytes long`)
    }
    const beyond = position + size > source.size
    truncated ||= beyond
    if (STRICT.has(type) || LOOSE.has(type)) {
      if (beyond) {
        if (moov) break
        throw broken(type, 'goes on behind the end of the file: the file is incomplete')
      }
      if (size > MAX_TABLES) throw broken(type, `has ${size} bytes; audile reads ${MAX_TABLES}`)
      const body = await source.read(position + headBytes, size - headBytes)
      const atom = withHead(type, body)
      if (type === 'moov' && !moov) moov = atom
      // Decoders enter all of them, wherever they stand.
      else new AtomChecker(source.size).check(new DataView(atom.buffer))
    }
    position += size
    if (atoms > MOST_ATOMS) throw broken(type, `is one of more than ${MOST_ATOMS}`)
  }
  if (!moov) {
    throw new DecodeError(
      'This MP4 file has no moov atom, without which nobody can tell where its sound is: it is incomplete.',
    )
  }
  const checker = new AtomChecker(source.size)
  checker.check(new DataView(moov.buffer))
  return { moov, truncated, ...checker.result() }
}

interface OffsetTable {
  at: number
  count: number
  bytes: 4 | 8
}

interface Track {
  handler: string
  entry: { codec: string; channels: number; sampleRate: number } | undefined
  seconds: number
  /** Units of the movie's time scale that the edit list presents, 0 without one. */
  edited: number
  chunks: number
  groups: number
  /** 'mp4a' that holds MPEG audio, not AAC. */
  mp3: boolean
}

class AtomChecker {
  readonly #fileSize: number
  readonly #tracks: Track[] = []
  readonly #offsets: OffsetTable[] = []
  #firstChunk = Number.POSITIVE_INFINITY
  #fragmented = false
  /** The movie's time scale. */
  #scale = 0

  constructor(fileSize: number) {
    this.#fileSize = fileSize
  }

  check(atoms: DataView): void {
    this.#walk(atoms, 0, atoms.byteLength, 0)
  }

  result() {
    const track =
      this.#tracks.find(({ handler, entry }) => handler === 'soun' && entry) ??
      this.#tracks.find(({ entry }) => entry?.codec === 'mp4a' || entry?.codec === 'alac')
    if (!track?.entry) throw new DecodeError('This MP4 file has no sound track.')
    const { codec, channels, sampleRate } = track.entry
    const edited = this.#scale > 0 ? track.edited / this.#scale : 0
    return {
      codec: track.mp3 ? '.mp3' : codec,
      channels,
      sampleRate,
      seconds: track.seconds,
      presented: edited > 0 ? Math.min(edited, track.seconds) : track.seconds,
      fragmented: this.#fragmented && track.chunks === 0,
      offsets: this.#offsets,
      firstChunk: Number.isFinite(this.#firstChunk) ? this.#firstChunk : 0,
    }
  }

  #walk(view: DataView, start: number, end: number, depth: number, strict = true): void {
    if (depth > MAX_DEPTH) throw broken(typeAt(view, start - 4), `lies in ${depth} others`)
    for (let at = start; at + 8 <= end; ) {
      const type = typeAt(view, at + 4)
      let size = view.getUint32(at)
      let body = at + 8
      if (size === 0) size = end - at
      else if (size === 1 && at + 16 <= end) {
        size = view.getUint32(at + 8) * 2 ** 32 + view.getUint32(at + 12)
        body = at + 16
        if (size < 16) throw broken(type, `is ${size} bytes long`)
        // Decoders read these tables with a short head only.
        if (depth > 0) throw broken(type, 'has a 64-bit size within another atom')
      } else if (size < 8) return // a terminator, as QuickTime writes behind user data
      if (at + size > end) {
        if (!strict) return
        throw broken(type, `is ${size} bytes long with ${end - at} left`)
      }
      if (type === 'trak') this.#tracks.push(newTrack())
      if (type === 'stsd') this.#descriptions(view, body, at + size, depth)
      else if (STRICT.has(type)) this.#walk(view, body, at + size, depth + 1, strict)
      else if (LOOSE.has(type)) {
        const first = type === 'meta' ? Math.min(body + 4, at + size) : body
        this.#walk(view, first, at + size, depth + 1, false)
      } else this.#table(type, new DataView(view.buffer, body, at + size - body), body)
      at += size
    }
  }

  #table(type: string, body: DataView, at: number): void {
    const track = this.#tracks.at(-1)
    if (type === 'stsz') checkSampleSizes(body, this.#fileSize)
    else if (type === 'stco') this.#chunkOffsets(type, body, at, 4)
    else if (type === 'co64') this.#chunkOffsets(type, body, at, 8)
    else if (type === 'stsc') {
      const groups = entries(type, body, 4, 8, 12)
      if (track) track.groups = groups
    } else if (type === 'stts' || type === 'ctts') entries(type, body, 4, 8, 8)
    else if (type === 'elst') {
      const edited = editedUnits(body)
      if (track) track.edited = edited
    } else if (type === 'trun') checkRun(body)
    else if (type === 'tfhd') checkFragmentHead(body)
    else if (type === 'trex') {
      need(type, body, 24)
      this.#fragmented = true
    } else if (type === 'tkhd') need(type, body, 20)
    else if (type === 'mvhd') this.#scale = movieScale(body)
    else if (type === 'mdhd') {
      const seconds = mediaSeconds(body)
      if (track) track.seconds = seconds
    } else if (type === 'hdlr') {
      need(type, body, 12)
      if (track) track.handler ||= typeAt(body, 8)
    } else if (type === 'esds') {
      need(type, body, 5)
      if (track) track.mp3 ||= isMp3(body)
    }
    if (track && track.chunks * track.groups > MAX_CHUNK_STEPS) {
      throw broken('stsc', `has ${track.groups} groups for ${track.chunks} chunks`)
    }
  }

  #chunkOffsets(type: string, body: DataView, at: number, bytes: 4 | 8): void {
    const count = entries(type, body, 4, 8, bytes)
    const track = this.#tracks.at(-1)
    if (track) track.chunks = count
    this.#offsets.push({ at: at + 8, count, bytes })
    for (let i = 0; i < count; i++) {
      this.#firstChunk = Math.min(this.#firstChunk, chunkOffset(body, 8 + i * bytes, bytes))
    }
  }

  #descriptions(view: DataView, start: number, end: number, depth: number): void {
    if (start + 8 > end) throw broken('stsd', 'ends before its first entry')
    const count = view.getUint32(start + 4)
    let at = start + 8
    for (let i = 0; i < count && at + 16 <= end; i++) {
      const size = view.getUint32(at)
      const codec = typeAt(view, at + 4)
      if (size < 16) return
      if (at + size > end) throw broken(codec, `is ${size} bytes long with ${end - at} left`)
      const track = this.#tracks.at(-1)
      if (size >= 36) {
        const version = view.getUint16(at + 16)
        const head =
          version === 2 && size >= 72 ? view.getUint32(at + 36) || 72 : version === 1 ? 52 : 36
        if (track) track.entry ??= entryAt(view, at, codec, version === 2 && size >= 72)
        // Entries of other kinds than sound have longer heads, but decoders look for atoms here in any.
        if (size > head) this.#walk(view, at + head, at + size, depth + 1, false)
      }
      at += size
    }
  }
}

function newTrack(): Track {
  return { handler: '', entry: undefined, seconds: 0, edited: 0, chunks: 0, groups: 0, mp3: false }
}

function withHead(type: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const atom = new Uint8Array(body.length + 8)
  new DataView(atom.buffer).setUint32(0, atom.length)
  atom.set(Buffer.from(type, 'latin1'), 4)
  atom.set(body, 8)
  return atom
}
