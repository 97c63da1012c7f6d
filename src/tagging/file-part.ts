/**
 * A part of a file that an edit must keep: bytes, or a range of the file. Sizes, padding and
 * checksums are no parts.
 */
export interface FilePart {
  /** What it is, for error messages: `ID3 frame APIC`. */
  label: string
  /** The value that it states, by its name in Vorbis comments. */
  valueName?: string
  content: Uint8Array | { start: number; end: number }
}

/** The parts of a file in their order. */
export type FileParts = AsyncGenerator<FilePart, void>
