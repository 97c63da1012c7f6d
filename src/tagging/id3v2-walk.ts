import { inflateSync } from 'node:zlib'
import { latin1, viewOf } from '../audio/bytes.ts'
import { refuseEdit } from './tag-block.ts'

/** Eight bits in each byte, or seven ("synchsafe"). */
export type SizeForm = 'plain' | 'synchsafe'

/** Positions count from the start of the tag, in the bytes of the file. */
export interface Id3Frame {
  id: string
  start: number
  end: number
  /** The second byte of its flags; 0 before ID3v2.3. */
  flags: number
  sizeForm: SizeForm
  /** Without the bytes that unsynchronisation inserts. */
  content: Uint8Array
}

export interface Id3Layout {
  version: 2 | 3 | 4
  frames: Id3Frame[]
  /** Or where the first frame could begin. */
  framesStart: number
  /** Whichever way the sizes are read. */
  paddingStart: number
  /** A footer may follow. */
  end: number
  hasFooter: boolean
  /** New frames have to be unsynchronised too. */
  isUnsynchronised: boolean
  /** Readers differ in how they read bytes of ff. */
  isFalselyMarked: boolean
  extendedHeader: { start: number; hasPaddingSize: boolean } | undefined
}

const HEADER_BYTES = 10

/**
 * Writers also use the size form of another version, or falsely claim unsynchronisation.
 *
 * @throws {DecodeError} when the frames do not end at padding or at the end of the tag
 */
export function walkId3v2(tag: Uint8Array): Id3Layout {
  const version = tag[3] as number
  const flags = tag[5] as number
  if (version !== 2 && version !== 3 && version !== 4) {
    refuseEdit('ID3 tag', `is of the unknown version 2.${version}`)
  }
  const knownFlags = { 2: 0x80, 3: 0xe0, 4: 0xf0 }[version]
  if ((flags & ~knownFlags) !== 0) {
    refuseEdit('ID3 tag', `has unknown flags (${flags.toString(16)})`)
  }
  const hasFooter = version === 4 && (flags & 0x10) !== 0
  const end = tag.length - (hasFooter ? HEADER_BYTES : 0)
  const body = tag.subarray(HEADER_BYTES, end)
  const isExtended = version > 2 && (flags & 0x40) !== 0
  const claimsUnsynchronisation = version < 4 && (flags & 0x80) !== 0
  const origins = claimsUnsynchronisation ? originsOf(body) : undefined
  const isFalselyMarked = claimsUnsynchronisation && hasUnmarkedSync(body)
  if (isFalselyMarked && origins && origins.length - 1 !== body.length) {
    refuseEdit('ID3 tag', 'is unsynchronised only in part')
  }
  const reading =
    readBody(version, body, isFalselyMarked ? undefined : origins, isExtended) ??
    (origins ? undefined : readBody(version, body, undefined, isExtended, true))
  if (!reading) refuseEdit('ID3 tag', 'holds bytes that are no frame')
  const isUnsynchronised = claimsUnsynchronisation && !isFalselyMarked
  return { ...reading, version, end, hasFooter, isUnsynchronised, isFalselyMarked }
}

/** Unsynchronisation would have parted these bytes. */
function hasUnmarkedSync(body: Uint8Array): boolean {
  return body.some((byte, i) => byte === 0xff && (body[i + 1] ?? 0) >= 0xe0)
}

/** For each decoded byte its place in `bytes`; the last entry is the end. */
function originsOf(bytes: Uint8Array): Uint32Array {
  const origins = new Uint32Array(bytes.length + 1)
  let count = 0
  for (let i = 0; i < bytes.length; i++) {
    origins[count++] = i
    if (bytes[i] === 0xff && bytes[i + 1] === 0) i++
  }
  origins[count++] = bytes.length
  return origins.subarray(0, count)
}

type BodyReading = Pick<Id3Layout, 'frames' | 'framesStart' | 'paddingStart' | 'extendedHeader'>

function readBody(
  version: 2 | 3 | 4,
  body: Uint8Array,
  origins: Uint32Array | undefined,
  isExtended: boolean,
  canEndInOddBytes = false,
): BodyReading | undefined {
  const decoded = origins
    ? Uint8Array.from(origins.subarray(0, -1), (origin) => body[origin] as number)
    : body
  const originOf = (position: number) => HEADER_BYTES + (origins?.[position] ?? position)
  let start = 0
  let extendedHeader: BodyReading['extendedHeader']
  // Some writers set the flag of the extended header but write none.
  if (isExtended && !frameIdAt(decoded, 0, version)) {
    const extended = extendedHeaderOf(decoded, version)
    if (!extended) return undefined
    start = extended.length
    extendedHeader = { start: originOf(0), hasPaddingSize: extended.hasPaddingSize }
  }
  const paths = new FramePaths(version, decoded)
  const path = canEndInOddBytes ? paths.findBeforeOddBytes(start) : paths.findPath(start)
  if (!path) return undefined
  return {
    frames: path.frames.map((frame) => ({
      ...frame,
      start: originOf(frame.start),
      end: originOf(frame.end),
    })),
    framesStart: originOf(start),
    paddingStart: originOf(path.paddingStart),
    extendedHeader,
  }
}

function extendedHeaderOf(
  body: Uint8Array,
  version: 2 | 3 | 4,
): { length: number; hasPaddingSize: boolean } | undefined {
  if (body.length < 6) return undefined
  const view = viewOf(body)
  const hasChecksum = version === 3 ? ((body[4] as number) & 0x80) !== 0 : false
  const hasChecksum4 = version === 4 && ((body[5] as number) & 0x20) !== 0
  const length = version === 3 ? 4 + view.getUint32(0) : synchsafeSizeAt(body, 0)
  if (hasChecksum || hasChecksum4) refuseEdit('ID3 tag', 'has a checksum over all its frames')
  if (length < 6 || length > body.length) return undefined
  return { length, hasPaddingSize: version === 3 && length >= 10 }
}

interface FramePath {
  frames: Id3Frame[]
  paddingStart: number
}

/** Each size may be read in two forms; a path counts that ends at zeros or at the end. */
class FramePaths {
  readonly #version: 2 | 3 | 4
  readonly #body: Uint8Array
  readonly #headBytes: number
  /** Of the zeros that end the body. */
  readonly #zerosStart: number
  readonly #leadsToEnd = new Map<number, boolean>()

  constructor(version: 2 | 3 | 4, body: Uint8Array) {
    this.#version = version
    this.#body = body
    this.#headBytes = version === 2 ? 6 : 10
    let zeros = body.length
    while (zeros > 0 && body[zeros - 1] === 0) zeros--
    this.#zerosStart = zeros
  }

  findPath(start: number): FramePath | undefined {
    this.#searchPaths(start)
    if (!this.#leadsToEnd.get(start)) return undefined
    const frames: Id3Frame[] = []
    let paddingStart = start
    for (let position = start; !this.#isEnd(position); ) {
      const [nextFrame, ...otherFrames] = this.#nextFrames(position).filter(({ end }) =>
        this.#leadsToEnd.get(end),
      )
      frames.push(nextFrame as Id3Frame)
      position = (nextFrame as Id3Frame).end
      paddingStart = Math.max(paddingStart, position)
      // Another reader may take zeros behind this frame for its end.
      for (const { end } of otherFrames) {
        if (!this.#isEnd(end))
          refuseEdit('ID3 tag', 'has frames whose sizes can be read in two ways')
        paddingStart = Math.max(paddingStart, end)
      }
    }
    return { frames, paddingStart }
  }

  /** In front of zeros that other bytes follow, sizes must be the same in both forms. */
  findBeforeOddBytes(start: number): FramePath | undefined {
    const frames: Id3Frame[] = []
    let position = start
    while (this.#body[position] !== 0) {
      const [nextFrame, ...otherFrames] = this.#nextFrames(position)
      if (!nextFrame || otherFrames.length > 0) return undefined
      frames.push(nextFrame)
      position = nextFrame.end
    }
    return { frames, paddingStart: this.#body.length }
  }

  #isEnd(position: number): boolean {
    return position === this.#body.length || position >= this.#zerosStart
  }

  /** Without recursion: a tag may have 100,000 frames. */
  #searchPaths(start: number): void {
    const openPositions = [start]
    while (openPositions.length > 0) {
      const position = openPositions.at(-1) as number
      const ends = this.#isEnd(position) ? [] : this.#nextFrames(position).map(({ end }) => end)
      const unknownEnds = ends.filter((end) => !this.#leadsToEnd.has(end))
      if (unknownEnds.length > 0) {
        openPositions.push(...unknownEnds)
        continue
      }
      openPositions.pop()
      const leads = this.#isEnd(position) || ends.some((end) => this.#leadsToEnd.get(end))
      this.#leadsToEnd.set(position, leads)
    }
  }

  /** One for each form of the size that fits, the form of the version first. */
  #nextFrames(position: number): Id3Frame[] {
    const body = this.#body
    const id = frameIdAt(body, position, this.#version)
    const contentStart = position + this.#headBytes
    if (id === undefined || contentStart > body.length) return []
    const flags = this.#version === 2 ? 0 : (body[position + 9] as number)
    const frames: Id3Frame[] = []
    for (const { size, sizeForm } of this.#sizeFormsAt(position)) {
      const end = contentStart + size
      if (end > body.length || frames.some((frame) => frame.end === end)) continue
      const content = body.subarray(contentStart, end)
      frames.push({ id, start: position, end, flags, sizeForm, content })
    }
    return frames
  }

  #sizeFormsAt(position: number): { size: number; sizeForm: SizeForm }[] {
    const view = viewOf(this.#body)
    if (this.#version === 2) {
      return [{ size: view.getUint32(position + 2) & 0xffffff, sizeForm: 'plain' }]
    }
    const plain = { size: view.getUint32(position + 4), sizeForm: 'plain' } as const
    if ((plain.size & 0x80808080) !== 0) return [plain]
    const size = synchsafeSizeAt(this.#body, position + 4)
    const synchsafe = { size, sizeForm: 'synchsafe' } as const
    return this.#version === 3 ? [plain, synchsafe] : [synchsafe, plain]
  }
}

/** A frame with more holds no value. */
const MAX_INFLATED_BYTES = 1_048_576

/** Before compression and unsynchronisation; `undefined` if encrypted. */
export function plainContent(
  { flags, content }: Pick<Id3Frame, 'flags' | 'content'>,
  version: number,
): Uint8Array | undefined {
  if (version === 2 || flags === 0) return content
  const hasFlag = (inVersion3: number, inVersion4: number) =>
    (flags & (version === 3 ? inVersion3 : inVersion4)) !== 0
  if (hasFlag(0x40, 0x04)) return undefined
  const isCompressed = hasFlag(0x80, 0x08)
  const groupBytes = hasFlag(0x20, 0x40) ? 1 : 0
  const lengthBytes = (version === 3 ? isCompressed : hasFlag(0, 0x01)) ? 4 : 0
  let plainBytes = content.subarray(groupBytes + lengthBytes)
  if (hasFlag(0, 0x02))
    plainBytes = plainBytes.filter((byte, i) => byte !== 0 || plainBytes[i - 1] !== 0xff)
  if (!isCompressed) return plainBytes
  try {
    return inflateSync(plainBytes, { maxOutputLength: MAX_INFLATED_BYTES })
  } catch {
    return undefined
  }
}

/** iTunes writes ids of ID3v2.2 in later versions, with a NUL. */
function frameIdAt(body: Uint8Array, position: number, version: 2 | 3 | 4): string | undefined {
  const id = latin1(body, position, version === 2 ? 3 : 4)
  const form = version === 2 ? /^[A-Z][A-Z0-9]{2}$/ : /^[A-Z][A-Z0-9]{2}[A-Z0-9\0 ]$/
  return form.test(id) ? id.replace(/[\0 ]$/, '') : undefined
}

function synchsafeSizeAt(bytes: Uint8Array, position: number): number {
  return [0, 1, 2, 3].reduce((sum, i) => sum * 128 + ((bytes[position + i] as number) & 127), 0)
}
