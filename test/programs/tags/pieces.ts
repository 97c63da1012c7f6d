/** A part of a made file that no writer of other values may change. */
export interface KeptPart {
  /** For the report: `APIC`, `chunk bext`. */
  name: string
  /** Its bytes, and the other forms that mean the same, such as a right size in place of a wrong one. */
  forms: readonly Buffer[]
  /** Parts of one group keep their order. */
  group: string
  /** Of the parts with one such name, one may be replaced: which comment is the comment is open. */
  replaceable?: string
}

/** Bytes, and the parts in them that must be kept. */
export interface Piece {
  bytes: Buffer
  kept: readonly KeptPart[]
}

/** Bytes that may change: sizes, padding, values that are asked for. */
export function loosePiece(...parts: readonly Uint8Array[]): Piece {
  return { bytes: Buffer.concat(parts), kept: [] }
}

/** Bytes that must be kept as they are, or in another of the given forms. */
export function keptPiece(
  name: string,
  group: string,
  bytes: Buffer,
  ...otherForms: readonly Buffer[]
): Piece {
  return { bytes, kept: bytes.length > 0 ? [{ name, group, forms: [bytes, ...otherForms] }] : [] }
}

export function joinPieces(pieces: readonly Piece[]): Piece {
  return {
    bytes: Buffer.concat(pieces.map(({ bytes }) => bytes)),
    kept: pieces.flatMap(({ kept }) => kept),
  }
}

export function bigEndian32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * i)
  return bytes
}

export function littleEndian32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, 4 * i)
  return bytes
}

/** The size of ID3v2: four times seven bits. */
export function synchsafe32(value: number): Buffer {
  return Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f))
}
