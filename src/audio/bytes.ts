/** The same bytes, to read numbers from. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Bytes as Latin-1 text, one character each: the signatures and ids of file formats are ASCII. */
export function latin1(bytes: Uint8Array, start = 0, length = bytes.length): string {
  const { buffer, byteOffset, byteLength } = bytes
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1', start, start + length)
}
