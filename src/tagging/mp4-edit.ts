import { type ByteSource, viewOf } from '../audio/bytes.ts'
import { atomOf, atomsOf, longAt } from '../audio/mp4-atoms.ts'
import { bigEndianBytes, isZeroFilled, joinBytes, type Splice, spliceBytes } from './byte-edit.ts'
import type { EditableTags } from './editable-tags.ts'
import { ItemBlock } from './item-block.ts'
import { boxesOfType, boxIn, type Mp4Box } from './mp4-boxes.ts'
import { refuseEdit, SPARE_BYTES } from './tag-block.ts'

interface TopBox {
  type: string
  start: number
  end: number
}

interface Mp4Movie {
  file: ByteSource
  /** The position of `moov` in the file. */
  start: number
  bytes: Uint8Array
  box: Mp4Box
  top: readonly TopBox[]
}

export async function openMp4(
  file: ByteSource,
  fileStart: number,
  maxBytes: number,
): Promise<EditableTags> {
  const topBoxes = await topBoxesOf(file, fileStart)
  const movies = topBoxes.filter(({ type }) => type === 'moov')
  const [movie] = movies
  if (!movie || movies.length > 1) refuseEdit('MP4 file', 'has not exactly one box "moov"')
  const length = movie.end - movie.start
  if (length > maxBytes) {
    refuseEdit('MP4 box "moov"', `has more than the ${maxBytes} bytes of limits.tagBytes`)
  }
  const bytes = await file.read(movie.start, length)
  const box = boxIn(bytes)
  const block = new ItemBlock(bytes, itemListOf(box))
  return {
    blocks: [block],
    hasWholeBeats: true,
    edit: (texts) =>
      planMp4({ file, start: movie.start, bytes, box, top: topBoxes }, block.withTexts(texts)),
  }
}

async function topBoxesOf(file: ByteSource, fileStart: number): Promise<TopBox[]> {
  const topBoxes: TopBox[] = []
  const source: ByteSource = {
    size: file.size - fileStart,
    read: (position, length) => file.read(fileStart + position, length),
  }
  let end = 0
  for await (const box of atomsOf(source)) {
    if (box.end < box.start || box.end > source.size) refuseEdit('MP4 file', 'is cut off')
    topBoxes.push({ type: box.type, start: fileStart + box.position, end: fileStart + box.end })
    end = box.end
  }
  const endBytes = await source.read(end, 8)
  if (endBytes.some((byte) => byte !== 0)) refuseEdit('MP4 file', 'ends in bytes that are no box')
  return topBoxes
}

function childOf(box: Mp4Box | undefined, type: string): Mp4Box | undefined {
  return box?.children.find((child) => child.type === type)
}

function metaOf(movie: Mp4Box): { userData: Mp4Box | undefined; meta: Mp4Box | undefined } {
  const userDataBoxes = movie.children.filter(({ type }) => type === 'udta')
  const userData =
    userDataBoxes.find((box) => childOf(childOf(box, 'meta'), 'ilst')) ?? userDataBoxes[0]
  const metas = userData?.children.filter(({ type }) => type === 'meta') ?? []
  return { userData, meta: metas.find((box) => childOf(box, 'ilst')) ?? metas[0] }
}

function itemListOf(movie: Mp4Box): Mp4Box | undefined {
  return childOf(metaOf(movie).meta, 'ilst')
}

async function planMp4(movie: Mp4Movie, items: Uint8Array): Promise<Splice[]> {
  const change = replaceItems(movie, items)
  const growth = change.bytes.length - (change.end - change.start)
  const freeSplice = growth === 0 ? undefined : await freeBehind(movie, growth)
  const shift = freeSplice ? 0 : growth
  const splices: Splice[] = [change]
  for (const box of change.parents) splices.push(sizeSplice(movie.bytes, box, growth))
  if (shift !== 0) splices.push(...movedOffsets(movie, shift))
  const bytes = spliceBytes(movie.bytes, splices)
  const movieSplice = { start: movie.start, end: movie.start + movie.bytes.length, bytes }
  return freeSplice ? [movieSplice, freeSplice] : [movieSplice]
}

interface ItemChange extends Splice {
  /** Around the change. */
  parents: Mp4Box[]
}

function freeBox(length: number): Uint8Array {
  return atomOf('free', new Uint8Array(length - 8))
}

/** What is free behind the old items is used. */
function replaceItems({ bytes, box }: Mp4Movie, items: Uint8Array): ItemChange {
  const { userData, meta } = metaOf(box)
  const list = childOf(meta, 'ilst')
  const spare = freeBox(SPARE_BYTES)
  if (!userData) {
    const end = box.childrenEnd
    const content = atomOf('udta', metaBox(items, spare))
    return { start: end, end, bytes: content, parents: [box] }
  }
  if (!meta) {
    const end = userData.childrenEnd
    return { start: end, end, bytes: metaBox(items, spare), parents: [box, userData] }
  }
  const parents = [box, userData, meta]
  if (!list) {
    const handler = childOf(meta, 'hdlr')
    const isItunes =
      handler &&
      Buffer.from(bytes.subarray(handler.contentStart + 8, handler.contentStart + 12)).toString(
        'latin1',
      ) === 'mdir'
    if (!isItunes) refuseEdit('MP4 box "meta"', 'is of another kind than that of iTunes')
    const end = handler.end
    return { start: end, end, bytes: joinBytes(items, spare), parents }
  }
  const following = meta.children[meta.children.indexOf(list) + 1]
  const isFree =
    following?.type === 'free' &&
    isZeroFilled(bytes.subarray(following.contentStart, following.end))
  const end = isFree ? following.end : list.end
  const freeBytes = end - list.start - items.length
  if (freeBytes === 0) return { start: list.start, end, bytes: items, parents }
  const newFreeBox = freeBytes >= 8 ? freeBox(freeBytes) : spare
  return { start: list.start, end, bytes: joinBytes(items, newFreeBox), parents }
}

function metaBox(items: Uint8Array, spare: Uint8Array): Uint8Array {
  const handler = atomOf('hdlr', new Uint8Array(8), Buffer.from('mdirappl'), new Uint8Array(9))
  return atomOf('meta', new Uint8Array(4), handler, items, spare)
}

function sizeSplice(bytes: Uint8Array, box: Mp4Box, growth: number): Splice {
  const { start } = box
  const statedSize = viewOf(bytes).getUint32(start)
  const size = box.end - start + growth
  if (statedSize === 1) return { start: start + 8, end: start + 16, bytes: bigEndianBytes(size, 8) }
  // A size of 0 reaches to the end, wherever that is.
  if (statedSize === 0) return { start, end: start + 4, bytes: bigEndianBytes(0, 4) }
  if (size >= 2 ** 32) refuseEdit(`MP4 box "${box.type}"`, 'would get longer than 4 GiB')
  return { start, end: start + 4, bytes: bigEndianBytes(size, 4) }
}

/** A free box behind `moov` gives the growth, so that nothing else moves. */
async function freeBehind(
  { file, start, top }: Mp4Movie,
  growth: number,
): Promise<Splice | undefined> {
  const index = top.findIndex((box) => box.start === start)
  const freeTopBox = top[index + 1]
  if (freeTopBox?.type !== 'free' || freeTopBox.end - freeTopBox.start > 2 ** 24) return undefined
  const freeBytes = freeTopBox.end - freeTopBox.start - growth
  if (freeBytes !== 0 && freeBytes < 8) return undefined
  const content = await file.read(freeTopBox.start, freeTopBox.end - freeTopBox.start)
  const isShort = viewOf(content).getUint32(0) === content.length
  if (!isShort || !isZeroFilled(content.subarray(8))) return undefined
  return {
    start: freeTopBox.start,
    end: freeTopBox.end,
    bytes: freeBytes === 0 ? new Uint8Array(0) : freeBox(freeBytes),
  }
}

const OFFSET_TABLES = { stco: 4, co64: 8 } as const

/** ISO/IEC 14496-12, 8.7.5. */
function movedOffsets(movie: Mp4Movie, shift: number): Splice[] {
  const { start, bytes, box, top } = movie
  const movieEnd = start + bytes.length
  const isLast = top.at(-1)?.start === start
  const fixedBoxes = ['saio', 'iloc'].flatMap((type) => boxesOfType(box, type))
  const isFixed =
    fixedBoxes.length > 0 || top.some(({ type }) => ['meta', 'mfra', 'sidx'].includes(type))
  if (isFixed && !isLast)
    refuseEdit('MP4 file', 'states places in it in a way that is not understood')
  const splices: Splice[] = []
  for (const track of boxesOfType(box, 'trak')) {
    const isElsewhere = hasOtherSource(bytes, track)
    for (const [type, width] of Object.entries(OFFSET_TABLES)) {
      for (const table of boxesOfType(track, type)) {
        const tableSplice = movedTable(bytes, table, { width, start, movieEnd, moved: shift })
        if (tableSplice && isElsewhere)
          refuseEdit('MP4 file', 'has a track whose data lie in another file')
        if (tableSplice) splices.push(tableSplice)
      }
    }
  }
  return splices
}

/** By the data references (8.7.2). */
function hasOtherSource(bytes: Uint8Array, track: Mp4Box): boolean {
  const [media] = boxesOfType(track, 'minf')
  const information = childOf(media, 'dinf')
  if (!information) return false
  const content = bytes.subarray(information.contentStart, information.end)
  // In `dref`: a version, a count, then entries whose lowest flag says "in this file".
  const view = viewOf(content)
  for (let entryStart = 16; entryStart + 12 <= content.length; ) {
    const size = view.getUint32(entryStart)
    if ((view.getUint32(entryStart + 8) & 1) === 0) return true
    if (size < 12) return true
    entryStart += size
  }
  return false
}

interface OffsetMove {
  width: number
  start: number
  movieEnd: number
  moved: number
}

function movedTable(bytes: Uint8Array, table: Mp4Box, move: OffsetMove): Splice | undefined {
  const { width, start, movieEnd, moved: shift } = move
  const content = bytes.slice(table.contentStart, table.end)
  const view = viewOf(content)
  const count = content.length < 8 ? -1 : view.getUint32(4)
  if (count < 0 || 8 + count * width > content.length) {
    refuseEdit(`MP4 box "${table.type}"`, 'is damaged')
  }
  let isChanged = false
  for (let i = 0; i < count; i++) {
    const entryStart = 8 + i * width
    const offset = width === 4 ? view.getUint32(entryStart) : longAt(view, entryStart)
    if (offset < start) continue
    if (offset < movieEnd) refuseEdit(`MP4 box "${table.type}"`, 'points into the box "moov"')
    const place = offset + shift
    if (width === 4 && place >= 2 ** 32) refuseEdit('MP4 file', 'would get longer than 4 GiB')
    content.set(bigEndianBytes(place, width), entryStart)
    isChanged = true
  }
  return isChanged ? { start: table.contentStart, end: table.end, bytes: content } : undefined
}
