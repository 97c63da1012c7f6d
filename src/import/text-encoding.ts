import { isUtf8 } from 'node:buffer'
import { decodeBytes } from '../values/text.ts'

/** In bytes. A longer line is decoded in parts. */
const LONGEST_LINE = 1 << 22

const LF = 10

/**
 * Bytes as text: UTF-16 if they begin like it; else each line is UTF-8, or, if it is not,
 * Windows-1252. A BOM is left out.
 */
export async function* textOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  let held: Uint8Array[] = []
  let size = 0
  let utf16: InstanceType<typeof TextDecoder> | undefined
  let isStart = true
  for await (const piece of pieces) {
    held.push(piece)
    size += piece.length
    // A BOM has up to three bytes.
    if (isStart && size < 3) continue
    if (!isStart && !utf16 && size < LONGEST_LINE && !piece.includes(LF)) continue
    let bytes = joinedBytes(held)
    if (isStart) {
      const encoding = utf16Of(bytes)
      if (encoding !== undefined) utf16 = new TextDecoder(encoding)
      else bytes = withoutBom(bytes)
      isStart = false
    }
    const end = utf16 ? bytes.length : lineEndIn(bytes)
    const whole = bytes.subarray(0, end)
    yield utf16 ? utf16.decode(whole, { stream: true }) : linesIn(whole)
    held = end < bytes.length ? [bytes.subarray(end)] : []
    size = bytes.length - end
  }
  const rest = joinedBytes(held)
  yield utf16 ? utf16.decode(rest) : linesIn(isStart ? withoutBom(rest) : rest)
}

/** The whole text of bytes; see {@link textOf}. */
export async function wholeTextOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: string[] = []
  for await (const part of textOf(pieces)) parts.push(part)
  return parts.join('')
}

/** UTF-16 is known by its BOM, or by a NUL beside the first character. */
export function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (second === 0 && isPrintable(first)) return 'utf-16le'
  return first === 0 && isPrintable(second) ? 'utf-16be' : undefined
}

function isPrintable(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x20 && byte < 0x7f
}

/** Bytes without a last UTF-8 character that is cut off. */
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

/** Where the last whole line ends. A line that is too long ends after its last character. */
function lineEndIn(bytes: Uint8Array): number {
  const end = bytes.lastIndexOf(LF) + 1
  return end === 0 && bytes.length >= LONGEST_LINE ? withoutCutCharacter(bytes).length : end
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes lines, each in its encoding. */
function linesIn(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return UTF8.decode(bytes)
  const lines: string[] = []
  for (let from = 0; from < bytes.length; ) {
    const lf = bytes.indexOf(LF, from)
    const end = lf < 0 ? bytes.length : lf + 1
    const line = bytes.subarray(from, end)
    lines.push(isUtf8(line) ? UTF8.decode(line) : decodeBytes(line, 'windows-1252'))
    from = end
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
