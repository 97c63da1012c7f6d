/** An edit must keep it; sizes, padding and checksums are no parts. */
export interface FilePart {
  /** For error messages: `ID3 frame APIC`. */
  label: string
  /** By its name in Vorbis comments. */
  valueName?: string
  content: Uint8Array | { start: number; end: number }
}

/** In their order. */
export type FileParts = AsyncGenerator<FilePart, void>
