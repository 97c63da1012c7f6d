import { type ByteSource, latin1, viewOf } from '../audio/bytes.ts'
import { id3Length } from '../audio/mpeg-frames.ts'
import { bigEndianBytes, joinBytes, littleEndianBytes, type Splice } from './byte-edit.ts'
import type { EditableTags } from './editable-tags.ts'
import { openId3v2 } from './mpeg-edit.ts'
import type { NamesReader } from './repeated-names.ts'
import { refuseEdit } from './tag-block.ts'

interface FormChunk {
  id: string
  /** The position of its head of eight bytes. */
  start: number
  contentStart: number
  contentEnd: number
  /** Behind the byte that fills a content of odd length. */
  end: number
}

export interface ChunkFile {
  chunks: FormChunk[]
  isLittleEndian: boolean
  /** The position of the size of the form, and where it counts from. */
  formSize: { at: number; bytes: 4 | 8; from: number }
}

const MAX_CHUNKS = 10_000
const LONG_SIZE = 0xffffffff

/** In a WAV or AIFF file; other chunks, like LIST, are left alone. */
export async function openChunks(
  file: ByteSource,
  fileStart: number,
  maxBytes: number,
  readNames: NamesReader,
): Promise<EditableTags> {
  const { chunks, isLittleEndian, formSize } = await chunkFileOf(file, fileStart)
  const tagChunks = chunks.filter(({ id }) => id.toUpperCase() === 'ID3 ')
  if (tagChunks.length > 1) refuseEdit('file', 'has several ID3 chunks')
  const [chunk] = tagChunks
  const tagBytes = chunk ? (id3Length(await file.read(chunk.contentStart, 10), 0) ?? 0) : 0
  const contentBytes = chunk ? chunk.contentEnd - chunk.contentStart : 0
  if (chunk && (tagBytes < 10 || tagBytes > contentBytes)) {
    refuseEdit('ID3 chunk', 'holds no whole ID3 tag')
  }
  const range = chunk && { start: chunk.contentStart, end: chunk.contentStart + tagBytes }
  const block = await openId3v2(file, range, maxBytes, readNames)
  const numberBytes = isLittleEndian ? littleEndianBytes : bigEndianBytes
  const lastChunk = chunks.at(-1) as FormChunk
  return {
    blocks: [block],
    hasWholeBeats: true,
    edit: async (texts) => {
      const tag = block.withTexts(texts)
      const place = chunk ?? { start: lastChunk.contentEnd, end: lastChunk.end }
      const contentRest = chunk
        ? await file.read(chunk.contentStart + tagBytes, contentBytes - tagBytes)
        : new Uint8Array(0)
      const content = joinBytes(tag, contentRest)
      const id = Buffer.from(chunk?.id ?? (isLittleEndian ? 'id3 ' : 'ID3 '), 'latin1')
      const fillerBytes = (length: number) => new Uint8Array(length % 2)
      const bytes = joinBytes(
        // The chunk in front may lack the byte that fills it.
        chunk ? new Uint8Array(0) : fillerBytes(lastChunk.contentEnd - lastChunk.contentStart),
        id,
        numberBytes(content.length, 4),
        content,
        fillerBytes(content.length),
      )
      const { at: sizeStart, bytes: width, from } = formSize
      const size = lastChunk.end - from + bytes.length - (place.end - place.start)
      if (width === 4 && size >= LONG_SIZE) refuseEdit('file', 'would get longer than 4 GiB')
      const splices: Splice[] = [{ start: place.start, end: place.end, bytes }]
      splices.push({ start: sizeStart, end: sizeStart + width, bytes: numberBytes(size, width) })
      return splices
    },
  }
}

/** @throws {DecodeError} when the chunks do not fill the form exactly */
export async function chunkFileOf(file: ByteSource, fileStart: number): Promise<ChunkFile> {
  const head = await file.read(fileStart, 12)
  const form = latin1(head, 0, 4)
  const isLittleEndian = !['FORM', 'RIFX'].includes(form)
  const statedSize = viewOf(head).getUint32(4, isLittleEndian)
  let formSize: ChunkFile['formSize'] = { at: fileStart + 4, bytes: 4, from: fileStart + 8 }
  let end = fileStart + 8 + statedSize
  let longData: number | undefined
  if (/^(?:RF64|BW64)$/.test(form) && statedSize === LONG_SIZE) {
    const sizes = await file.read(fileStart + 12, 24)
    if (sizes.length < 24 || latin1(sizes, 0, 4) !== 'ds64')
      refuseEdit('file', 'lacks its ds64 chunk')
    formSize = { ...formSize, at: fileStart + 20, bytes: 8 }
    end = fileStart + 8 + Number(viewOf(sizes).getBigUint64(8, true))
    longData = Number(viewOf(sizes).getBigUint64(16, true))
  }
  if (end > file.size) refuseEdit('file', 'is shorter than its header states')
  const chunks: FormChunk[] = []
  for (let start = fileStart + 12; start < end; ) {
    const chunkHead = await file.read(start, 8)
    const id = latin1(chunkHead, 0, 4)
    if (start + 8 > end || !/^[ -~]{4}$/.test(id)) refuseEdit('file', 'has bytes that are no chunk')
    let size = viewOf(chunkHead).getUint32(4, isLittleEndian)
    if (id === 'data' && size === LONG_SIZE && longData !== undefined) size = longData
    const contentEnd = start + 8 + size
    if (contentEnd > end || chunks.length === MAX_CHUNKS) {
      refuseEdit('file', `has a chunk "${id}" that is longer than the file`)
    }
    const filler = size % 2 === 1 && contentEnd < end ? await file.read(contentEnd, 1) : undefined
    // Some writers leave the filling byte out.
    const chunkEnd = contentEnd + (filler?.[0] === 0 ? 1 : 0)
    chunks.push({ id, start, contentStart: start + 8, contentEnd, end: chunkEnd })
    start = chunkEnd
  }
  if (chunks.length === 0) refuseEdit('file', 'has no chunk')
  return { chunks, isLittleEndian, formSize }
}
