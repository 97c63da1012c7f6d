import { open } from 'node:fs/promises'
import { type ByteSource, pieces, READ_BYTES } from '../audio/bytes.ts'

/** Bytes of a source from `start` to before `end`, and what stands in their place. */
export interface Splice {
  start: number
  end: number
  bytes: Uint8Array
}

/** A piece of the edited bytes: of the source from `origin` on, or new bytes. */
interface Segment {
  start: number
  length: number
  origin?: number
  bytes?: Uint8Array
}

/** The bytes that `splices` make of a source, without writing them. The splices may not overlap. */
export function editedSource(source: ByteSource, splices: readonly Splice[]): ByteSource {
  const segments = segmentsOf(source, splices)
  const last = segments.at(-1)
  const size = last ? last.start + last.length : 0
  return {
    size,
    async read(position, length) {
      const end = Math.min(position + Math.max(0, length), size)
      const bytes = new Uint8Array(Math.max(0, end - position))
      for (let i = firstSegmentAt(segments, position); i < segments.length; i++) {
        const segment = segments[i] as Segment
        if (segment.start >= end) break
        const from = Math.max(position, segment.start)
        const to = Math.min(end, segment.start + segment.length)
        if (from < to) bytes.set(await readSegment(source, segment, from, to), from - position)
      }
      return bytes
    },
  }
}

async function readSegment(source: ByteSource, segment: Segment, from: number, to: number) {
  const { start, origin, bytes } = segment
  if (bytes) return bytes.subarray(from - start, to - start)
  return source.read((origin as number) + from - start, to - from)
}

function segmentsOf(source: ByteSource, splices: readonly Splice[]): Segment[] {
  const segments: Segment[] = []
  let origin = 0
  let start = 0
  const add = (segment: Omit<Segment, 'start'>) => {
    if (segment.length > 0) segments.push({ start, ...segment })
    start += segment.length
  }
  for (const splice of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (splice.start < origin) throw new RangeError('Two splices overlap.')
    add({ origin, length: splice.start - origin })
    add({ bytes: splice.bytes, length: splice.bytes.length })
    origin = splice.end
  }
  add({ origin, length: source.size - origin })
  return segments
}

function firstSegmentAt(segments: readonly Segment[], position: number): number {
  let low = 0
  let high = segments.length
  while (low + 1 < high) {
    const middle = (low + high) >> 1
    if ((segments[middle] as Segment).start <= position) low = middle
    else high = middle
  }
  return low
}

/**
 * Turns a copy of the source into the edited bytes. Bytes in front of the first splice are those of
 * the copy.
 */
export async function writeEdit(
  source: ByteSource,
  splices: readonly Splice[],
  copy: string,
): Promise<void> {
  const edited = editedSource(source, splices)
  const first = splices.reduce((least, { start }) => Math.min(least, start), edited.size)
  const file = await open(copy, 'r+')
  try {
    let position = first
    const rest: ByteSource = {
      size: edited.size - first,
      read: (from, length) => edited.read(first + from, length),
    }
    for await (const piece of pieces(rest, READ_BYTES)) {
      await file.write(piece, 0, piece.length, position)
      position += piece.length
    }
    await file.truncate(edited.size)
  } finally {
    await file.close()
  }
}

/** Whether bytes can be padding: whatever holds something is none. */
export function isZeroFilled(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let filled = 0
  for (const part of parts) {
    bytes.set(part, filled)
    filled += part.length
  }
  return bytes
}

/** The bytes with `splices` applied. */
export function spliceBytes(bytes: Uint8Array, splices: readonly Splice[]): Uint8Array {
  const parts: Uint8Array[] = []
  let origin = 0
  for (const splice of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(bytes.subarray(origin, splice.start), splice.bytes)
    origin = splice.end
  }
  return joinBytes(...parts, bytes.subarray(origin))
}

/** A number as `length` bytes, the highest first. */
export function bigEndianBytes(value: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let i = length - 1, rest = value; i >= 0; i--, rest = Math.floor(rest / 256)) {
    bytes[i] = rest % 256
  }
  return bytes
}

/** A number as `length` bytes, the lowest first. */
export function littleEndianBytes(value: number, length: number): Uint8Array {
  return bigEndianBytes(value, length).reverse()
}
