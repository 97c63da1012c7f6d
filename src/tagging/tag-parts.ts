import { latin1, viewOf } from '../audio/bytes.ts'
import { APE_FOOTER_BYTES } from './ape-block.ts'
import { isZeroFilled } from './byte-edit.ts'
import type { FilePart } from './file-part.ts'
import { plainContent } from './id3v2-walk.ts'

const ID3_VALUES: Readonly<Record<string, string>> = {
  TBPM: 'BPM',
  TBP: 'BPM',
  TKEY: 'INITIALKEY',
  TKE: 'INITIALKEY',
  TMOO: 'MOOD',
}

/** As readers find them: by the size that leads to another frame. */
export function* id3Parts(tag: Uint8Array): Generator<FilePart, void> {
  const version = tag[3] as number
  const flags = tag[5] as number
  yield { label: 'ID3 header', content: tag.slice(0, 6) }
  const footerBytes = version === 4 && (flags & 0x10) !== 0 ? 10 : 0
  const body = tag.subarray(10, tag.length - footerBytes)
  const plainParts = [...bodyParts(body, version, flags)]
  const isUnsynchronised = version < 4 && (flags & 0x80) !== 0
  if (!isUnsynchronised) {
    yield* plainParts
    return
  }
  const decodedParts = [...bodyParts(withoutInsertedZeros(body), version, flags)]
  // Some writers set the flag without inserting zeros.
  const isClean = decodedParts.at(-1)?.label !== REST_LABEL
  yield* isClean || plainParts.at(-1)?.label === REST_LABEL ? decodedParts : plainParts
}

const REST_LABEL = 'ID3 bytes'

function* bodyParts(body: Uint8Array, version: number, flags: number): Generator<FilePart, void> {
  let position = 0
  if (version > 2 && (flags & 0x40) !== 0 && !isFrameAt(body, 0, version)) {
    const length = version === 3 ? 4 + viewOf(body).getUint32(0) : synchsafeValueAt(body, 0)
    const header = body.slice(0, length)
    // The size of the padding.
    if (version === 3) header.fill(0, 6, 10)
    yield { label: 'ID3 extended header', content: header }
    position = length
  }
  for (;;) {
    const end = isFrameAt(body, position, version) ? frameEnd(body, position, version) : undefined
    if (end === undefined) break
    yield framePart(body.subarray(position, end), version)
    position = end
  }
  let restEnd = body.length
  while (restEnd > position && body[restEnd - 1] === 0) restEnd--
  if (restEnd > position) yield { label: REST_LABEL, content: body.subarray(position, restEnd) }
}

function framePart(frame: Uint8Array, version: number): FilePart {
  const id = latin1(frame, 0, version === 2 ? 3 : 4).replace(/[\0 ]$/, '')
  const flags = version === 2 ? 0 : (frame[9] as number)
  const content = plainContent({ flags, content: frame.subarray(version === 2 ? 6 : 10) }, version)
  const valueName = ID3_VALUES[id] ?? (content && describedValue(id, content))
  return { label: `ID3 frame ${id}`, content: frame, ...(valueName !== undefined && { valueName }) }
}

/** `COMMENT` is a comment without a description. */
function describedValue(id: string, content: Uint8Array): string | undefined {
  const start = { TXXX: 1, TXX: 1, COMM: 4, COM: 4 }[id]
  if (start === undefined) return undefined
  // Names of values are ASCII: without NULs and marks they read alike.
  const isWide = content[0] === 1 || content[0] === 2
  const text = latin1(content.subarray(start)).replace(/^(?:\xff\xfe|\xfe\xff)/, '')
  const wideEnd = text.match(/^(?:[^\0]\0|\0[^\0])*/)?.[0] ?? ''
  const description = isWide ? wideEnd.replaceAll('\0', '') : (text.split('\0', 1)[0] ?? '')
  if (start === 1) return description.toUpperCase()
  return description === '' ? 'COMMENT' : undefined
}

function frameEnd(body: Uint8Array, position: number, version: number): number | undefined {
  const headBytes = version === 2 ? 6 : 10
  if (position + headBytes > body.length) return undefined
  const view = viewOf(body)
  const start = position + headBytes
  if (version === 2) return withinBody(body, start + (view.getUint32(position + 2) & 0xffffff))
  const sizes = [view.getUint32(position + 4), synchsafeValueAt(body, position + 4)]
  if (version === 4 && (view.getUint32(position + 4) & 0x80808080) === 0) sizes.reverse()
  const [usualEnd, otherEnd] = sizes.map((size) => withinBody(body, start + size))
  if (usualEnd !== undefined && isBoundary(body, usualEnd, version)) return usualEnd
  if (otherEnd !== undefined && isBoundary(body, otherEnd, version)) return otherEnd
  // Padding that other bytes follow.
  return usualEnd !== undefined && body[usualEnd] === 0 ? usualEnd : undefined
}

function withinBody(body: Uint8Array, end: number): number | undefined {
  return end <= body.length ? end : undefined
}

/** Another frame follows, or only zeros. */
function isBoundary(body: Uint8Array, position: number, version: number): boolean {
  return isFrameAt(body, position, version) || isZeroFilled(body.subarray(position))
}

function isFrameAt(body: Uint8Array, position: number, version: number): boolean {
  const form = version === 2 ? /^[A-Z][A-Z0-9]{2}/ : /^[A-Z][A-Z0-9]{2}[A-Z0-9\0 ]/
  return form.test(latin1(body, position, 4))
}

function synchsafeValueAt(bytes: Uint8Array, position: number): number {
  const size = viewOf(bytes).getUint32(position)
  const septets = [size >>> 24, size >>> 16, size >>> 8, size].map((byte) => byte & 127)
  return septets.reduce((sum, septet) => sum * 128 + septet, 0)
}

function withoutInsertedZeros(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, i) => byte !== 0 || bytes[i - 1] !== 0xff)
}

/** With the vendor, and what follows the last field. */
export function* commentParts(comment: Uint8Array): Generator<FilePart, void> {
  const view = viewOf(comment)
  const vendorEnd = 4 + view.getUint32(0, true)
  yield { label: VENDOR_LABEL, content: comment.subarray(0, vendorEnd) }
  const count = view.getUint32(vendorEnd, true)
  let position = vendorEnd + 4
  for (let i = 0; i < count; i++) {
    const end = position + 4 + view.getUint32(position, true)
    const text = latin1(comment.subarray(position + 4, end))
    const [name, value] = text.split('=', 2) as [string, string?]
    const label = `Vorbis comment ${name.slice(0, 40)}`
    const valueName = value === undefined ? {} : { valueName: name.toUpperCase() }
    yield { label, content: comment.subarray(position, end), ...valueName }
    position = end
  }
  yield { label: 'end of the Vorbis comment', content: comment.subarray(position) }
}

export const VENDOR_LABEL = 'vendor of the Vorbis comment'

/** Header and footer have no sizes. */
export function* apeParts(tag: Uint8Array): Generator<FilePart, void> {
  const view = viewOf(tag)
  const footer = tag.length - APE_FOOTER_BYTES
  let position = latin1(tag, 0, 8) === 'APETAGEX' && footer > 0 ? APE_FOOTER_BYTES : 0
  if (position > 0) yield { label: 'APE header', content: withoutSizes(tag.slice(0, position)) }
  while (position < footer) {
    const keyEnd = tag.indexOf(0, position + 8)
    const end = keyEnd + 1 + view.getUint32(position, true)
    const key = latin1(tag, position + 8, keyEnd - position - 8)
    const content = tag.subarray(position, end)
    yield { label: `APE item ${key}`, content, valueName: key.toUpperCase() }
    position = end
  }
  yield { label: 'APE footer', content: withoutSizes(tag.slice(footer)) }
}

function withoutSizes(head: Uint8Array): Uint8Array {
  return head.fill(0, 12, 20)
}
