import { DecodeError } from '../values/errors.ts'
import { type ByteSource, latin1 } from './bytes.ts'

/** Each takes a read; 6 h in fragments of a second have 43,200. */
const MAX_ATOMS = 200_000

interface FileAtom {
  type: string
  position: number
  start: number
  /** Where the atom ends, by its size: possibly after the end of its parent. */
  end: number
}

export interface Atom {
  type: string
  body: DataView
  end: number
}

/** The atoms of a file, up to one that is shorter than its own head. */
export async function* atomsOf(source: ByteSource): AsyncGenerator<FileAtom, void> {
  for (let position = 0, count = 0; position + 8 <= source.size; count++) {
    const head = new DataView((await source.read(position, 16)).buffer)
    if (head.byteLength < 8) return
    const type = typeAt(head, 4)
    if (count === MAX_ATOMS) throw brokenAtom(type, `is one of more than ${MAX_ATOMS}`)
    const { size, headBytes } = atomSizeAt(head, 0, source.size - position)
    yield { type, position, start: position + headBytes, end: position + size }
    if (size < headBytes) return
    position += size
  }
}

/** The atoms of a list, up to the first that does not fit in it. */
export function* atomsIn(view: DataView, start = 0): Generator<Atom> {
  for (let offset = start; offset + 8 <= view.byteLength; ) {
    const { size, headBytes } = atomSizeAt(view, offset, view.byteLength - offset)
    if (size < headBytes || offset + size > view.byteLength) return
    const type = typeAt(view, offset + 4)
    const body = new DataView(view.buffer, view.byteOffset + offset + headBytes, size - headBytes)
    offset += size
    yield { type, body, end: offset }
  }
}

/** 0 stands for all that is left, 1 for a 64-bit size after the type. */
function atomSizeAt(
  view: DataView,
  offset: number,
  remaining: number,
): { size: number; headBytes: number } {
  const size = view.getUint32(offset)
  if (size === 1 && offset + 16 <= view.byteLength)
    return { size: longAt(view, offset + 8), headBytes: 16 }
  return { size: size === 0 ? remaining : size, headBytes: 8 }
}

/** An atom with a 32-bit size. */
export function atomOf(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(parts.reduce((sum, { length }) => sum + length, 8))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...parts])
}

/** Reads a count and checks that so many entries fit after it. */
export function checkEntries(
  type: string,
  body: DataView,
  offset: number,
  start: number,
  width: number,
): number {
  requireBytes(type, body, start)
  const count = body.getUint32(offset)
  const room = Math.floor((body.byteLength - start) / width)
  if (count > room) throw brokenAtom(type, `claims ${count} entries in room for ${room}`)
  return count
}

export function requireBytes(type: string, body: DataView, bytes: number): void {
  if (body.byteLength < bytes) {
    throw brokenAtom(type, `has ${body.byteLength} bytes, not ${bytes} or more`)
  }
}

export function longAt(view: DataView, offset: number): number {
  return view.getUint32(offset) * 2 ** 32 + view.getUint32(offset + 4)
}

/** The byte at a position, 0 after the end. */
export function byteAt(body: DataView, offset: number): number {
  return offset < body.byteLength ? body.getUint8(offset) : 0
}

export function typeAt(view: DataView, offset: number): string {
  if (offset + 4 > view.byteLength) return '????'
  return latin1(new Uint8Array(view.buffer, view.byteOffset + offset, 4))
}

export function bytesOf(view: DataView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
}

export function brokenAtom(type: string, how: string): DecodeError {
  return new DecodeError(
    `This MP4 file is damaged: its atom "${type.replace(/[^ -~]/g, '?')}" ${how}.`,
  )
}
