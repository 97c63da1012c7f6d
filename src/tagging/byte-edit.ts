import { open } from 'node:fs/promises'
import { type ByteSource, pieces, READ_BYTES } from '../audio/bytes.ts'

/** From `start` to before `end`. */
export interface Splice {
  start: number
  end: number
  bytes: Uint8Array
}

/** Bytes of the source from `origin` on, or new bytes. */
interface EditSegment {
  start: number
  length: number
  origin?: number
  bytes?: Uint8Array
}

/** Nothing is written; the splices may not overlap. */
export function editedSource(source: ByteSource, splices: readonly Splice[]): ByteSource {
  const segments = editSegmentsOf(source, splices)
  const last = segments.at(-1)
  const size = last ? last.start + last.length : 0
  return {
    size,
    async read(position, length) {
      const end = Math.min(position + Math.max(0, length), size)
      const bytes = new Uint8Array(Math.max(0, end - position))
      for (let i = firstSegmentAt(segments, position); i < segments.length; i++) {
        const segment = segments[i] as EditSegment
        if (segment.start >= end) break
        const firstByte = Math.max(position, segment.start)
        const endByte = Math.min(end, segment.start + segment.length)
        if (firstByte < endByte)
          bytes.set(
            await readEditSegment(source, segment, firstByte, endByte),
            firstByte - position,
          )
      }
      return bytes
    },
  }
}

async function readEditSegment(
  source: ByteSource,
  segment: EditSegment,
  firstByte: number,
  endByte: number,
) {
  const { start, origin, bytes } = segment
  if (bytes) return bytes.subarray(firstByte - start, endByte - start)
  return source.read((origin as number) + firstByte - start, endByte - firstByte)
}

function editSegmentsOf(source: ByteSource, splices: readonly Splice[]): EditSegment[] {
  const segments: EditSegment[] = []
  let origin = 0
  let start = 0
  const addSegment = (segment: Omit<EditSegment, 'start'>) => {
    if (segment.length > 0) segments.push({ start, ...segment })
    start += segment.length
  }
  for (const splice of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (splice.start < origin) throw new RangeError('Two splices overlap.')
    addSegment({ origin, length: splice.start - origin })
    addSegment({ bytes: splice.bytes, length: splice.bytes.length })
    origin = splice.end
  }
  addSegment({ origin, length: source.size - origin })
  return segments
}

function firstSegmentAt(segments: readonly EditSegment[], position: number): number {
  let low = 0
  let high = segments.length
  while (low + 1 < high) {
    const middle = (low + high) >> 1
    if ((segments[middle] as EditSegment).start <= position) low = middle
    else high = middle
  }
  return low
}

/** Bytes in front of the first splice are those of the copy. */
export async function writeEdit(
  source: ByteSource,
  splices: readonly Splice[],
  copy: string,
): Promise<void> {
  const edited = editedSource(source, splices)
  const firstChange = splices.reduce(
    (earliest, { start }) => Math.min(earliest, start),
    edited.size,
  )
  const file = await open(copy, 'r+')
  try {
    let position = firstChange
    const changedBytes: ByteSource = {
      size: edited.size - firstChange,
      read: (start, length) => edited.read(firstChange + start, length),
    }
    for await (const piece of pieces(changedBytes, READ_BYTES)) {
      await file.write(piece, 0, piece.length, position)
      position += piece.length
    }
    await file.truncate(edited.size)
  } finally {
    await file.close()
  }
}

/** What holds something is no padding. */
export function isZeroFilled(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let position = 0
  for (const piece of parts) {
    bytes.set(piece, position)
    position += piece.length
  }
  return bytes
}

export function spliceBytes(bytes: Uint8Array, splices: readonly Splice[]): Uint8Array {
  const parts: Uint8Array[] = []
  let origin = 0
  for (const splice of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(bytes.subarray(origin, splice.start), splice.bytes)
    origin = splice.end
  }
  return joinBytes(...parts, bytes.subarray(origin))
}

/** The highest byte first. */
export function bigEndianBytes(value: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (
    let i = length - 1, remainder = value;
    i >= 0;
    i--, remainder = Math.floor(remainder / 256)
  ) {
    bytes[i] = remainder % 256
  }
  return bytes
}

/** The lowest byte first. */
export function littleEndianBytes(value: number, length: number): Uint8Array {
  return bigEndianBytes(value, length).reverse()
}
