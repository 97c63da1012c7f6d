import { isUtf8 } from 'node:buffer'
import { decodeBytes } from '../values/text.ts'

/** A longer line is decoded in parts. */
const MAX_LINE_BYTES = 1 << 22

const LINE_FEED = 10

/** UTF-16 if the bytes begin like it; else each line is UTF-8 or Windows-1252. */
export async function* decodePieces(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void> {
  let heldPieces: Uint8Array[] = []
  let size = 0
  let utf16: InstanceType<typeof TextDecoder> | undefined
  let isStart = true
  for await (const piece of pieces) {
    heldPieces.push(piece)
    size += piece.length
    // A BOM has up to three bytes.
    if (isStart && size < 3) continue
    if (!isStart && !utf16 && size < MAX_LINE_BYTES && !piece.includes(LINE_FEED)) continue
    let bytes = joinedBytes(heldPieces)
    if (isStart) {
      const encoding = utf16EncodingOf(bytes)
      if (encoding !== undefined) utf16 = new TextDecoder(encoding)
      else bytes = withoutBom(bytes)
      isStart = false
    }
    const end = utf16 ? bytes.length : lineEndIn(bytes)
    const wholeLines = bytes.subarray(0, end)
    yield utf16 ? utf16.decode(wholeLines, { stream: true }) : decodeLines(wholeLines)
    heldPieces = end < bytes.length ? [bytes.subarray(end)] : []
    size = bytes.length - end
  }
  const lastBytes = joinedBytes(heldPieces)
  yield utf16 ? utf16.decode(lastBytes) : decodeLines(isStart ? withoutBom(lastBytes) : lastBytes)
}

export async function decodeWhole(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: string[] = []
  for await (const text of decodePieces(pieces)) parts.push(text)
  return parts.join('')
}

/** By its BOM, or by a NUL beside the first character. */
export function utf16EncodingOf([firstByte, secondByte]: Uint8Array):
  | 'utf-16le'
  | 'utf-16be'
  | undefined {
  if (firstByte === 0xff && secondByte === 0xfe) return 'utf-16le'
  if (firstByte === 0xfe && secondByte === 0xff) return 'utf-16be'
  if (secondByte === 0 && isPrintable(firstByte)) return 'utf-16le'
  return firstByte === 0 && isPrintable(secondByte) ? 'utf-16be' : undefined
}

function isPrintable(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x20 && byte < 0x7f
}

/** A last UTF-8 character may be cut off. */
export function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

/** A line that is too long ends after its last character. */
function lineEndIn(bytes: Uint8Array): number {
  const end = bytes.lastIndexOf(LINE_FEED) + 1
  return end === 0 && bytes.length >= MAX_LINE_BYTES ? withoutCutCharacter(bytes).length : end
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

function decodeLines(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return UTF8.decode(bytes)
  const lines: string[] = []
  for (let start = 0; start < bytes.length; ) {
    const lineFeed = bytes.indexOf(LINE_FEED, start)
    const end = lineFeed < 0 ? bytes.length : lineFeed + 1
    const line = bytes.subarray(start, end)
    lines.push(isUtf8(line) ? UTF8.decode(line) : decodeBytes(line, 'windows-1252'))
    start = end
  }
  return lines.join('')
}

function withoutBom(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces
  return pieces.length === 1 && first ? first : Buffer.concat(pieces)
}
