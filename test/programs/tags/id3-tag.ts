import { crc32, deflateSync } from 'node:zlib'
import type { Dice } from '../hostile/dice.ts'
import { type FrameContent, type Id3Version, someFrames } from './id3-frames.ts'
import {
  bigEndian32,
  joinPieces,
  keptPiece,
  loosePiece,
  type Piece,
  synchsafe32,
} from './pieces.ts'
import { binaryBytes, isChosen } from './texts.ts'

/** How a tag of ID3v2 is written. */
export interface Id3Layout {
  version: Id3Version
  /** Which frames of version 4 have plain sizes, as iTunes wrote them. */
  plainSizes: 'none' | 'all' | 'large' | 'pictures'
  /** The unsynchronisation: that of the whole tag, of some frames, or a flag that promises too much. */
  unsynchronised: 'none' | 'tag' | 'frames' | 'flag only'
  /** Compressed, grouped and length-marked frames. */
  hasFrameFlags: boolean
  extended: 'none' | 'plain' | 'crc'
  hasFooter: boolean
  padding: number
  /** Bytes behind the padding that are no frame. */
  garbage: number
}

export function someLayout(dice: Dice, version: Id3Version): Id3Layout {
  const hasFooter = version === 4 && isChosen(dice, 0.1)
  const kinds =
    version === 4
      ? (['none', 'none', 'none', 'frames', 'flag only'] as const)
      : (['none', 'none', 'tag', 'flag only'] as const)
  return {
    version,
    plainSizes: 'none',
    unsynchronised: dice.pick(kinds),
    hasFrameFlags: version > 2 && isChosen(dice, 0.3),
    extended: version > 2 ? dice.pick(['none', 'none', 'none', 'plain', 'crc']) : 'none',
    hasFooter,
    padding: hasFooter ? 0 : dice.pick([0, 1, 10, 300, 4096]),
    garbage: !hasFooter && isChosen(dice, 0.05) ? 12 : 0,
  }
}

/** What the oddities of a layout are called in the report. */
export function layoutName(layout: Id3Layout): string {
  const { version, plainSizes, unsynchronised, extended, hasFooter, padding, garbage } = layout
  return [
    `ID3v2.${version}`,
    plainSizes !== 'none' && `plain sizes (${plainSizes})`,
    unsynchronised !== 'none' && `unsynchronised (${unsynchronised})`,
    extended !== 'none' && `extended header (${extended})`,
    layout.hasFrameFlags && 'frame flags',
    hasFooter && 'footer',
    `padding ${padding}`,
    garbage > 0 && 'garbage',
  ]
    .filter((word) => word !== false)
    .join(', ')
}

/** ID3v2, 6.1: a zero behind each 0xff that could begin a frame of MPEG, and behind a last one. */
function unsynchronise(bytes: Buffer): Buffer {
  const out: number[] = []
  for (const [i, byte] of bytes.entries()) {
    out.push(byte)
    const next = bytes[i + 1]
    if (byte === 0xff && (next === undefined || next === 0 || next >= 0xe0)) out.push(0)
  }
  return Buffer.from(out)
}

function frameHeader(id: string, size: Buffer, flags: number): Buffer {
  const name = Buffer.from(id, 'latin1')
  if (id.length === 3) return Buffer.concat([name, size.subarray(1)])
  return Buffer.concat([name, size, Buffer.of(flags >> 8, flags & 255)])
}

/** The flags of a frame, and its content as it is stored under them. */
function storedContent(
  dice: Dice,
  { content }: FrameContent,
  { version, unsynchronised, hasFrameFlags }: Id3Layout,
): { flags: number; stored: Buffer } {
  const length = content.length
  if (version === 3 && hasFrameFlags && length > 1) {
    const packed = () => Buffer.concat([bigEndian32(length), deflateSync(content)])
    switch (dice.between(0, 5)) {
      case 0:
        return { flags: 0x80, stored: packed() }
      case 1:
        return { flags: 0x20, stored: Buffer.concat([Buffer.of(7), content]) }
      case 2:
        return { flags: 0x4000, stored: content }
      case 3:
        return { flags: 0x8000, stored: content }
    }
  }
  if (version < 4 || length < 2) return { flags: 0, stored: content }
  if (hasFrameFlags) {
    switch (dice.between(0, 5)) {
      case 0:
        return { flags: 9, stored: Buffer.concat([synchsafe32(length), deflateSync(content)]) }
      case 1:
        return { flags: 0x40, stored: Buffer.concat([Buffer.of(9), content]) }
      case 2:
        return { flags: 1, stored: Buffer.concat([synchsafe32(length), content]) }
      case 3:
        return { flags: 0x4000, stored: content }
    }
  }
  if (unsynchronised !== 'frames' || isChosen(dice, 0.3)) return { flags: 0, stored: content }
  return isChosen(dice, 0.5)
    ? { flags: 3, stored: Buffer.concat([synchsafe32(length), unsynchronise(content)]) }
    : { flags: 2, stored: unsynchronise(content) }
}

function frameBytes(dice: Dice, frame: FrameContent, layout: Id3Layout): Piece {
  const { flags, stored } = storedContent(dice, frame, layout)
  const withSize = (size: Buffer) => Buffer.concat([frameHeader(frame.id, size, flags), stored])
  const plain = withSize(bigEndian32(stored.length))
  const right = layout.version === 4 ? withSize(synchsafe32(stored.length)) : plain
  const isPlain =
    layout.plainSizes === 'all' ||
    (layout.plainSizes === 'large' && stored.length > 1000) ||
    (layout.plainSizes === 'pictures' && frame.id === 'APIC')
  const made = layout.version === 4 && isPlain ? plain : right
  const isTransformed = layout.unsynchronised === 'tag'
  const bytes = isTransformed ? unsynchronise(made) : made
  if (frame.isAsked) return loosePiece(bytes)
  const piece = keptPiece(frame.id, 'ID3v2', bytes, right, made)
  const { replaceable } = frame
  return replaceable === undefined
    ? piece
    : { bytes, kept: piece.kept.map((part) => ({ ...part, replaceable })) }
}

function extendedHeader({ version, extended, padding }: Id3Layout, frames: Buffer): Buffer {
  const sum = crc32(frames)
  if (extended === 'none') return Buffer.alloc(0)
  if (version === 3) {
    return extended === 'crc'
      ? Buffer.concat([bigEndian32(10), Buffer.of(0x80, 0), bigEndian32(padding, sum)])
      : Buffer.concat([bigEndian32(6), Buffer.of(0, 0), bigEndian32(padding)])
  }
  const high = Buffer.of((sum >>> 28) & 15)
  return extended === 'crc'
    ? Buffer.concat([synchsafe32(12), Buffer.of(1, 0x20, 5), high, synchsafe32(sum)])
    : Buffer.concat([synchsafe32(6), Buffer.of(1, 0)])
}

/** A tag of ID3v2 with these frames. */
export function id3v2Piece(dice: Dice, frames: readonly FrameContent[], layout: Id3Layout): Piece {
  const { version, unsynchronised, extended, hasFooter, padding, garbage } = layout
  const written = joinPieces(frames.map((frame) => frameBytes(dice, frame, layout)))
  const zeros = Buffer.alloc(padding)
  const summed = version === 4 ? Buffer.concat([written.bytes, zeros]) : written.bytes
  const extension = extendedHeader(layout, summed)
  const extra = keptPiece('bytes behind the padding', 'ID3v2', binaryBytes(dice, garbage))
  const body = joinPieces([
    loosePiece(unsynchronised === 'tag' ? unsynchronise(extension) : extension),
    written,
    loosePiece(zeros),
    extra,
  ])
  const flags =
    (unsynchronised === 'none' ? 0 : 0x80) |
    (extended === 'none' ? 0 : 0x40) |
    (hasFooter ? 0x10 : 0)
  const head = Buffer.concat([Buffer.of(version, 0, flags), synchsafe32(body.bytes.length)])
  const footer = hasFooter ? [loosePiece(Buffer.from('3DI'), head)] : []
  return joinPieces([loosePiece(Buffer.from('ID3'), head), body, ...footer])
}

/** Any tag of a version. */
export function someId3v2(
  dice: Dice,
  version: Id3Version,
  special: Partial<Id3Layout> = {},
): { piece: Piece; name: string } {
  const layout = { ...someLayout(dice, version), ...special }
  return { piece: id3v2Piece(dice, someFrames(dice, version), layout), name: layoutName(layout) }
}
