import { type ByteSource, latin1, viewOf } from '../audio/bytes.ts'
import { ID3V1_BYTES, isApeHeader } from '../audio/id3.ts'
import { APE_FOOTER_BYTES, ApeBlock } from './ape-block.ts'
import type { Splice } from './byte-edit.ts'
import type { EditableTags } from './editable-tags.ts'
import { Id3v2Block } from './id3v2-block.ts'
import { type NamesReader, namesById } from './repeated-names.ts'
import { refuseEdit } from './tag-block.ts'

export interface ByteRange {
  start: number
  end: number
}

/** Readers that find an ID3v2 tag look at no other. */
const NAME_FRAMES = {
  title: 'TIT2',
  artist: 'TPE1',
  release: 'TALB',
  albumArtist: 'TPE2',
  genres: 'TCON',
  year: 'TYER',
  trackNumber: 'TRCK',
} as const

/** ID3v2 in front of the frames, APE behind them. */
export async function openMpeg(
  file: ByteSource,
  id3: ByteRange | undefined,
  maxBytes: number,
  readNames: NamesReader,
): Promise<EditableTags> {
  const place = id3 ?? { start: 0, end: 0 }
  const block = await openId3v2(file, id3, maxBytes, readNames)
  const ape = await apeRange(file)
  const apeBlock = ape && new ApeBlock(await file.read(ape.start, ape.end - ape.start))
  return {
    blocks: apeBlock ? [block, apeBlock] : [block],
    hasWholeBeats: true,
    edit: async (texts) => {
      const splices: Splice[] = [{ ...place, bytes: block.withTexts(texts) }]
      if (ape && apeBlock) splices.push({ ...ape, bytes: apeBlock.withTexts(texts) })
      return splices
    },
  }
}

/** Without a range a new one. */
export async function openId3v2(
  file: ByteSource,
  range: ByteRange | undefined,
  maxBytes: number,
  readNames: NamesReader,
): Promise<Id3v2Block> {
  if (!range) return new Id3v2Block().withFrames(namesById(await readNames(), NAME_FRAMES))
  const length = range.end - range.start
  if (length > maxBytes) {
    refuseEdit('ID3 tag', `has more than the ${maxBytes} bytes of limits.tagBytes`)
  }
  if (range.end > file.size) refuseEdit('ID3 tag', 'is longer than the file')
  const block = new Id3v2Block(await file.read(range.start, length))
  return block.isEmpty ? block.withFrames(namesById(await readNames(), NAME_FRAMES)) : block
}

const LYRICS_END = 'LYRICS200'
/** Some programs put longer fields ("TAG+") in front of an ID3v1 tag. */
const ENHANCED_BYTES = 227

/** ID3v1 and Lyrics3 tags may follow it. */
export async function apeRange(file: ByteSource): Promise<ByteRange | undefined> {
  let end = file.size
  const textAt = async (start: number, length: number) =>
    start < 0 ? '' : latin1(await file.read(start, length))
  const lastBytes = await file.read(Math.max(0, end - ID3V1_BYTES), ID3V1_BYTES)
  if (
    latin1(lastBytes, 0, 3) === 'TAG' &&
    lastBytes.length === ID3V1_BYTES &&
    !isApeHeader(lastBytes)
  ) {
    end -= ID3V1_BYTES
    if ((await textAt(end - ENHANCED_BYTES, 4)) === 'TAG+') end -= ENHANCED_BYTES
  }
  if ((await textAt(end - LYRICS_END.length, LYRICS_END.length)) === LYRICS_END) {
    const size = Number(await textAt(end - LYRICS_END.length - 6, 6))
    const start = end - LYRICS_END.length - 6 - size
    if ((await textAt(start, 11)) === 'LYRICSBEGIN') end = start
  }
  if ((await textAt(end - APE_FOOTER_BYTES, 8)) !== 'APETAGEX') return undefined
  const footer = viewOf(await file.read(end - APE_FOOTER_BYTES, APE_FOOTER_BYTES))
  const start = end - footer.getUint32(12, true)
  const hasHeader = (await textAt(start - APE_FOOTER_BYTES, 8)) === 'APETAGEX'
  if (start < 0 || start > end - APE_FOOTER_BYTES) {
    refuseEdit('APE tag', 'states another size than it has')
  }
  return { start: hasHeader ? start - APE_FOOTER_BYTES : start, end }
}
