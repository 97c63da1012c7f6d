import { type ByteSource, latin1, viewOf } from '../audio/bytes.ts'
import { type Container, identifyFormat } from '../audio/formats.ts'
import { atomsOf, longAt } from '../audio/mp4-atoms.ts'
import { id3Length } from '../audio/mpeg-frames.ts'
import { oggCodec } from '../audio/ogg-pages.ts'
import { isZeroFilled } from './byte-edit.ts'
import { chunkFileOf } from './chunk-edit.ts'
import type { FilePart, FileParts } from './file-part.ts'
import { FLAC_BLOCK, flacBlocksOf } from './flac-edit.ts'
import { boxIn, type Mp4Box } from './mp4-boxes.ts'
import { apeRange } from './mpeg-edit.ts'
import { packetPiecesOf, pageAt, type RawPage } from './ogg-edit.ts'
import { apeParts, commentParts, id3Parts } from './tag-parts.ts'

/** With sizes and padding, the parts are the whole file. */
export async function* filePartsOf(container: Container, file: ByteSource): FileParts {
  const { misplaced, audio, id3 } = await identifyFormat(file)
  const start = misplaced ? file.size - audio.size : 0
  if (start > 0) yield rangePart('ID3 tag in front of the file', 0, start)
  if (container === 'flac') yield* flacParts(file, start)
  else if (container === 'ogg') yield* oggParts(file, start)
  else if (container === 'mp4') yield* mp4Parts(file, start)
  else if (container === 'wav' || container === 'aiff') yield* chunkParts(file, start)
  else yield* mpegParts(file, id3[0]?.end ?? 0)
}

function rangePart(label: string, start: number, end: number): FilePart {
  return { label, content: { start, end } }
}

async function* mpegParts(file: ByteSource, soundStart: number): FileParts {
  if (soundStart > 0) yield* id3Parts(await file.read(0, soundStart))
  const ape = await apeRange(file)
  yield rangePart('sound', soundStart, ape?.start ?? file.size)
  if (!ape) return
  yield* apeParts(await file.read(ape.start, ape.end - ape.start))
  yield rangePart('end of the file', ape.end, file.size)
}

async function* chunkParts(file: ByteSource, fileStart: number): FileParts {
  const { chunks, formSize } = await chunkFileOf(file, fileStart)
  yield rangePart('form', fileStart, fileStart + 4)
  yield rangePart('form type', fileStart + 8, fileStart + 12)
  for (const { id, contentStart, contentEnd } of chunks) {
    const tagBytes =
      id.toUpperCase() === 'ID3 ' ? (id3Length(await file.read(contentStart, 10), 0) ?? 0) : 0
    if (tagBytes > 0) {
      yield* id3Parts(await file.read(contentStart, tagBytes))
      if (contentStart + tagBytes < contentEnd) {
        yield rangePart('end of the ID3 chunk', contentStart + tagBytes, contentEnd)
      }
      continue
    }
    // The size of the form stands at the beginning of ds64.
    const sizeBytes = id === 'ds64' && formSize.bytes === 8 ? 8 : 0
    yield { label: 'name of a chunk', content: Buffer.from(id, 'latin1') }
    yield rangePart(`chunk "${id}"`, contentStart + sizeBytes, contentEnd)
  }
  yield rangePart('end of the file', chunks.at(-1)?.end ?? 0, file.size)
}

async function* flacParts(file: ByteSource, fileStart: number): FileParts {
  const blocks = await flacBlocksOf(file, fileStart)
  for (const { type, start, end } of blocks) {
    if (type === FLAC_BLOCK.comment) {
      yield* commentParts(await file.read(start + 4, end - start - 4))
    } else if (type !== FLAC_BLOCK.padding || !(await hasOnlyZeros(file, start + 4, end))) {
      yield rangePart(`FLAC block of type ${type}`, start + 4, end)
    }
  }
  yield rangePart('sound', blocks.at(-1)?.end ?? 0, file.size)
}

async function hasOnlyZeros(file: ByteSource, start: number, end: number): Promise<boolean> {
  return isZeroFilled(await file.read(start, end - start))
}

/** Pages without numbers and checksums; header packets, however they are paged. */
async function* oggParts(file: ByteSource, fileStart: number): FileParts {
  let taggedStream: { serial: number; headersLeft: number; firstNumber?: number } | undefined
  let packet: Uint8Array[] = []
  let position = fileStart
  while (position < file.size) {
    const page = await pageAt(file, position)
    if (!page) break
    position = page.end
    const codec = taggedStream
      ? undefined
      : oggCodec(packetPiecesOf(page)[0]?.bytes ?? new Uint8Array(0))
    if (codec === 'vorbis' || codec === 'opus' || codec === 'flac') {
      const headersLeft = { vorbis: 2, opus: 1, flac: Number.POSITIVE_INFINITY }[codec]
      taggedStream = { serial: page.serial, headersLeft }
    } else if (
      taggedStream &&
      page.serial === taggedStream.serial &&
      taggedStream.headersLeft > 0
    ) {
      for (const { bytes, isComplete } of packetPiecesOf(page)) {
        packet.push(bytes)
        if (!isComplete) continue
        const wholePacket = Buffer.concat(packet)
        packet = []
        taggedStream.headersLeft = isLastFlacBlock(wholePacket) ? 0 : taggedStream.headersLeft - 1
        yield* headerParts(wholePacket)
      }
      continue
    }
    const isOfTagged = taggedStream !== undefined && page.serial === taggedStream.serial && !codec
    if (taggedStream && isOfTagged) taggedStream.firstNumber ??= page.sequence
    yield pagePart(page, isOfTagged ? (taggedStream?.firstNumber ?? 0) : 0)
  }
  yield rangePart('end of the file', position, file.size)
}

/** Headers of Vorbis and Opus begin with other bytes than 80 to ff. */
function isLastFlacBlock(packet: Uint8Array): boolean {
  return ((packet[0] ?? 0) & 0x80) !== 0
}

function* headerParts(packet: Uint8Array): Generator<FilePart, void> {
  const start = latin1(packet, 0, 8)
  const isFlac = ((packet[0] ?? 0) & 0x7f) === FLAC_BLOCK.comment
  const headBytes = start.startsWith('\x03vorbis') ? 7 : start === 'OpusTags' ? 8 : isFlac ? 1 : 0
  if (headBytes === 0) {
    yield { label: 'Ogg header', content: packet }
    return
  }
  yield { label: 'head of the comment', content: packet.subarray(0, headBytes) }
  yield* commentParts(packet.subarray(isFlac ? 4 : headBytes))
}

function pagePart({ bytes, sequence }: RawPage, firstNumber: number): FilePart {
  const content = Uint8Array.from(bytes)
  content.fill(0, 22, 26)
  viewOf(content).setUint32(18, (sequence - firstNumber) >>> 0)
  return { label: 'Ogg page', content }
}

async function* mp4Parts(file: ByteSource, fileStart: number): FileParts {
  const topBoxes: { type: string; start: number; end: number }[] = []
  const source: ByteSource = {
    size: file.size - fileStart,
    read: (position, length) => file.read(fileStart + position, length),
  }
  for await (const { type, position, end } of atomsOf(source)) {
    topBoxes.push({ type, start: fileStart + position, end: fileStart + end })
  }
  for (const { type, start, end } of topBoxes) {
    if (type === 'moov') {
      const bytes = await file.read(start, end - start)
      yield* boxParts(bytes, boxIn(bytes), 'moov', (offset) => positionInBox(topBoxes, offset))
    } else if (
      !isFree(type) ||
      end - start > 2 ** 24 ||
      !(await hasOnlyZeros(file, start + 8, end))
    ) {
      yield rangePart(`MP4 box "${type}"`, start, end)
    }
  }
  yield rangePart('end of the file', topBoxes.at(-1)?.end ?? fileStart, file.size)
}

const isFree = (type: string) => type === 'free'

/** Boxes are counted among those that stay. */
function positionInBox(
  topBoxes: readonly { type: string; start: number; end: number }[],
  offset: number,
): [box: number, offset: number] {
  const fixedBoxes = topBoxes.filter(({ type }) => !isFree(type))
  const index = fixedBoxes.findIndex(({ start, end }) => offset >= start && offset < end)
  return [index, offset - (fixedBoxes[index]?.start ?? 0)]
}

const ITEM_VALUES: Readonly<Record<string, string>> = { tmpo: 'BPM', '©cmt': 'COMMENT' }

type BoxPosition = (offset: number) => readonly [box: number, offset: number]

function* boxParts(
  bytes: Uint8Array,
  box: Mp4Box,
  path: string,
  positionOf: BoxPosition,
): Generator<FilePart, void> {
  const label = `MP4 box ${path}`
  const content = bytes.subarray(box.contentStart, box.end)
  if (path.endsWith('/ilst')) {
    for (const item of box.children) yield itemPart(bytes, item)
  } else if (isContainer(path)) {
    yield { label: `name of ${label}`, content: Buffer.from(path) }
    if (box.childrenStart > box.contentStart) {
      yield {
        label: `version of ${label}`,
        content: bytes.subarray(box.contentStart, box.childrenStart),
      }
    }
    for (const child of box.children) {
      yield* boxParts(bytes, child, `${path}/${child.type}`, positionOf)
    }
    yield { label: `end of ${label}`, content: bytes.subarray(box.childrenEnd, box.end) }
  } else if (box.type === 'stco' || box.type === 'co64') {
    yield { label, content: placedOffsets(content, box.type === 'stco' ? 4 : 8, positionOf) }
  } else if (!isFree(box.type) || content.some((byte) => byte !== 0)) {
    yield { label, content }
  }
}

function isContainer(path: string): boolean {
  return /^moov(?:\/trak(?:\/mdia(?:\/minf(?:\/stbl)?)?)?|\/udta(?:\/meta)?)?$/.test(path)
}

function itemPart(bytes: Uint8Array, item: Mp4Box): FilePart {
  const nameBox =
    item.type === '----' ? item.children.find(({ type }) => type === 'name') : undefined
  const name = nameBox && latin1(bytes.subarray(nameBox.contentStart + 4, nameBox.end))
  const valueName = name?.toUpperCase() ?? ITEM_VALUES[item.type]
  const content = bytes.subarray(item.start, item.end)
  const label = `MP4 item ${name ?? item.type}`
  return { label, content, ...(valueName !== undefined && { valueName }) }
}

function placedOffsets(table: Uint8Array, width: 4 | 8, positionOf: BoxPosition): Uint8Array {
  const view = viewOf(table)
  const count = view.getUint32(4)
  const positions = new Float64Array(2 * count)
  for (let i = 0; i < count; i++) {
    const entryStart = 8 + i * width
    positions.set(
      positionOf(width === 4 ? view.getUint32(entryStart) : longAt(view, entryStart)),
      2 * i,
    )
  }
  const tableEnd = table.subarray(8 + count * width)
  return Buffer.concat([table.subarray(0, 8), new Uint8Array(positions.buffer), tableEnd])
}
