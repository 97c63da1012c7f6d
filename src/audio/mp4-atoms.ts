import { DecodeError } from '../values/errors.ts'
import { type ByteSource, latin1 } from './bytes.ts'

/** Most atoms side by side; each takes a read. 6 h in fragments of a second have 43,200. */
const MOST_ATOMS = 200_000

interface FileAtom {
  type: string
  /** Where the atom starts, and where its content does. */
  position: number
  start: number
  /** Where the atom ends, by its size: possibly after the end of its parent. */
  end: number
}

export interface Atom {
  type: string
  body: DataView
  /** Where the atom ends in its parent. */
  end: number
}

/** The atoms of a file, up to one that is shorter than its own head. */
export async function* atomsOf(source: ByteSource): AsyncGenerator<FileAtom, void> {
  for (let position = 0, count = 0; position + 8 <= source.size; count++) {
    const head = new DataView((await source.read(position, 16)).buffer)
    if (head.byteLength < 8) return
    const type = typeAt(head, 4)
    if (count === MOST_ATOMS) throw broken(type, `is one of more than ${MOST_ATOMS}`)
    const { size, headBytes } = sizeAt(head, 0, source.size - position)
    yield { type, position, start: position + headBytes, end: position + size }
    if (size < headBytes) return
    position += size
  }
}

/** The atoms of a list, up to the first that does not fit in it. */
export function* atomsIn(view: DataView, start = 0): Generator<Atom> {
  for (let at = start; at + 8 <= view.byteLength; ) {
    const { size, headBytes } = sizeAt(view, at, view.byteLength - at)
    if (size < headBytes || at + size > view.byteLength) return
    const type = typeAt(view, at + 4)
    const body = new DataView(view.buffer, view.byteOffset + at + headBytes, size - headBytes)
    at += size
    yield { type, body, end: at }
  }
}

/** The size of an atom: 0 stands for all that is left, 1 for a 64-bit size after the type. */
function sizeAt(view: DataView, at: number, left: number): { size: number; headBytes: number } {
  const size = view.getUint32(at)
  if (size === 1 && at + 16 <= view.byteLength) return { size: longAt(view, at + 8), headBytes: 16 }
  return { size: size === 0 ? left : size, headBytes: 8 }
}

/** An atom with a 32-bit size. */
export function atomOf(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(parts.reduce((sum, { length }) => sum + length, 8))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...parts])
}

/** Reads a count and checks that so many entries fit after it. */
export function entries(
  type: string,
  body: DataView,
  at: number,
  start: number,
  width: number,
): number {
  need(type, body, start)
  const count = body.getUint32(at)
  const room = Math.floor((body.byteLength - start) / width)
  if (count > room) throw broken(type, `claims ${count} entries in room for ${room}`)
  return count
}

export function need(type: string, body: DataView, bytes: number): void {
  if (body.byteLength < bytes) {
    throw broken(type, `has ${body.byteLength} bytes, not ${bytes} or more`)
  }
}

/** A 64-bit number. */
export function longAt(view: DataView, at: number): number {
  return view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4)
}

/** The byte at a position, 0 after the end. */
export function byteAt(body: DataView, at: number): number {
  return at < body.byteLength ? body.getUint8(at) : 0
}

export function typeAt(view: DataView, at: number): string {
  if (at + 4 > view.byteLength) return '????'
  return latin1(new Uint8Array(view.buffer, view.byteOffset + at, 4))
}

export function bytesOf(view: DataView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
}

export function broken(type: string, how: string): DecodeError {
  return new DecodeError(
    `This MP4 file is damaged: its atom "${type.replace(/[^ -~]/g, '?')}" ${how}.`,
  )
}
