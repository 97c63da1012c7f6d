import { type ByteSource, viewOf } from '../audio/bytes.ts'
import { bigEndianBytes, isZeroFilled, joinBytes, type Splice } from './byte-edit.ts'
import { CommentBlock } from './comment-block.ts'
import type { EditableTags } from './editable-tags.ts'
import { type NamesReader, namesById } from './repeated-names.ts'
import { refuseEdit, SPARE_BYTES } from './tag-block.ts'

/** Types of metadata blocks (RFC 9639, 8.1). */
export const FLAC_BLOCK = { streamInfo: 0, padding: 1, comment: 4 } as const
const MAX_BLOCK_BYTES = 2 ** 24 - 1
const MAX_BLOCKS = 10_000

const NAME_FIELDS = {
  title: 'TITLE',
  artist: 'ARTIST',
  release: 'ALBUM',
  albumArtist: 'ALBUMARTIST',
  genres: 'GENRE',
  year: 'DATE',
  trackNumber: 'TRACKNUMBER',
} as const

interface FlacBlock {
  type: number
  /** The position of its head of four bytes. */
  start: number
  end: number
}

export async function openFlac(
  file: ByteSource,
  fileStart: number,
  maxBytes: number,
  readNames: NamesReader,
): Promise<EditableTags> {
  const blocks = await flacBlocksOf(file, fileStart)
  const comments = blocks.filter(({ type }) => type === FLAC_BLOCK.comment)
  if (comments.length > 1) refuseEdit('FLAC metadata', 'has several Vorbis comments')
  const [comment] = comments
  if (comment && comment.end - comment.start > maxBytes) {
    refuseEdit('Vorbis comment', `has more than the ${maxBytes} bytes of limits.tagBytes`)
  }
  const content = comment && (await file.read(comment.start + 4, comment.end - comment.start - 4))
  const block = new CommentBlock(content)
  const padding = await paddingOf(file, blocks)
  return {
    blocks: [block],
    hasWholeBeats: false,
    edit: async (texts) => {
      // Readers that find fields look at no ID3v2 tag in front.
      const names = block.isEmpty && fileStart > 0 ? namesById(await readNames(), NAME_FIELDS) : {}
      const content = block.withTexts(new Map([...Object.entries(names), ...texts]))
      return planFlac({ blocks, comment, padding }, content)
    },
  }
}

/** Padding that holds something is none. */
async function paddingOf(
  file: ByteSource,
  blocks: readonly FlacBlock[],
): Promise<FlacBlock | undefined> {
  for (const block of blocks) {
    if (block.type !== FLAC_BLOCK.padding) continue
    const content = await file.read(block.start + 4, block.end - block.start - 4)
    if (isZeroFilled(content)) return block
  }
  return undefined
}

export async function flacBlocksOf(file: ByteSource, fileStart: number): Promise<FlacBlock[]> {
  const blocks: FlacBlock[] = []
  for (let start = fileStart + 4, isLast = false; !isLast; ) {
    const head = await file.read(start, 4)
    const firstByte = head[0] ?? 0xff
    isLast = (firstByte & 0x80) !== 0
    const type = firstByte & 0x7f
    const end = head.length < 4 ? 0 : start + 4 + (viewOf(head).getUint32(0) & 0xffffff)
    const isMisplaced = (blocks.length === 0) !== (type === FLAC_BLOCK.streamInfo)
    if (end === 0 || end > file.size || type === 127 || isMisplaced || blocks.length > MAX_BLOCKS) {
      refuseEdit('FLAC metadata', 'is damaged')
    }
    blocks.push({ type, start, end })
    start = end
  }
  const sync = await file.read(blocks.at(-1)?.end ?? 0, 2)
  if (sync.length > 0 && (sync[0] !== 0xff || ((sync[1] ?? 0) & 0xfe) !== 0xf8)) {
    refuseEdit('FLAC metadata', 'does not end where its sound begins')
  }
  return blocks
}

interface FlacLayout {
  blocks: readonly FlacBlock[]
  comment: FlacBlock | undefined
  padding: FlacBlock | undefined
}

/** The padding gives what the comment grows, if it can. */
function planFlac({ blocks, comment, padding }: FlacLayout, content: Uint8Array): Splice[] {
  if (content.length > MAX_BLOCK_BYTES) {
    refuseEdit('Vorbis comment', 'would get longer than a FLAC block can be')
  }
  const streamInfo = blocks[0] as FlacBlock
  const lastBlock = blocks.at(-1)
  const { start, end } = comment ?? { start: streamInfo.end, end: streamInfo.end }
  const growth = 4 + content.length - (end - start)
  const paddingRoom = padding ? padding.end - padding.start - 4 : -1
  const spare = new Uint8Array(paddingRoom >= growth ? paddingRoom - growth : SPARE_BYTES)
  // What is written behind the last block becomes the last one.
  const isAtEnd = lastBlock === (comment ?? streamInfo)
  const commentBytes = blockBytes(FLAC_BLOCK.comment, isAtEnd && padding !== undefined, content)
  const newBlocks = padding ? [] : [blockBytes(FLAC_BLOCK.padding, isAtEnd, spare)]
  const splices: Splice[] = [{ start, end, bytes: joinBytes(commentBytes, ...newBlocks) }]
  if (!comment && lastBlock === streamInfo) {
    splices.push({ start: streamInfo.start, end: streamInfo.start + 1, bytes: Uint8Array.of(0) })
  }
  if (padding) {
    const bytes = blockBytes(FLAC_BLOCK.padding, lastBlock === padding, spare)
    splices.push({ start: padding.start, end: padding.end, bytes })
  }
  return splices
}

function blockBytes(type: number, isLast: boolean, content: Uint8Array): Uint8Array {
  const firstByte = Uint8Array.of(type | (isLast ? 0x80 : 0))
  return joinBytes(firstByte, bigEndianBytes(content.length, 3), content)
}
