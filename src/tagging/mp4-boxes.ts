import { latin1, viewOf } from '../audio/bytes.ts'
import { longAt } from '../audio/mp4-atoms.ts'
import { refuseEdit } from './tag-block.ts'

/** ISO/IEC 14496-12, 4.2. */
export interface Mp4Box {
  type: string
  start: number
  /** Behind the size, the type, and a 64-bit size. */
  contentStart: number
  end: number
  children: Mp4Box[]
  /** Zeros may follow the children. */
  childrenStart: number
  childrenEnd: number
}

/** By the box around them. */
const CONTAINER_BOXES: Readonly<Record<string, readonly string[]>> = {
  '': ['moov'],
  moov: ['trak', 'udta', 'meta'],
  trak: ['mdia', 'meta'],
  mdia: ['minf'],
  minf: ['stbl'],
  udta: ['meta'],
  meta: ['ilst'],
  // Other items may hold what is no box.
  ilst: ['----', 'tmpo', '©cmt'],
}
const MAX_BOXES = 200_000

/** The box fills `bytes`. */
export function boxIn(bytes: Uint8Array): Mp4Box {
  const counter = { left: MAX_BOXES }
  const [box] = boxesIn(bytes, 0, bytes.length, '', counter)
  if (!box || box.end !== bytes.length) refuseEdit('MP4 boxes', 'are damaged')
  return box
}

function boxesIn(
  bytes: Uint8Array,
  start: number,
  end: number,
  parent: string,
  counter: { left: number },
): Mp4Box[] {
  const boxes: Mp4Box[] = []
  const view = viewOf(bytes)
  for (let position = start; position + 8 <= end; ) {
    let size = view.getUint32(position)
    let contentStart = position + 8
    // QuickTime ends user data with four zeros.
    if (size === 0 && parent === 'udta') break
    if (size === 0) size = end - position
    if (size === 1 && position + 16 <= end) {
      size = longAt(view, position + 8)
      contentStart = position + 16
    }
    if (size < contentStart - position || position + size > end || counter.left-- === 0) {
      refuseEdit('MP4 boxes', 'are damaged')
    }
    const type = latin1(bytes, position + 4, 4)
    const box: Mp4Box = {
      type,
      start: position,
      contentStart,
      end: position + size,
      children: [],
      childrenStart: contentStart,
      childrenEnd: position + size,
    }
    if (CONTAINER_BOXES[parent]?.includes(type)) fillBox(bytes, box, parent, counter)
    boxes.push(box)
    position += size
  }
  return boxes
}

function fillBox(bytes: Uint8Array, box: Mp4Box, parent: string, counter: { left: number }): void {
  // In MP4 a version precedes the boxes of `meta`, in QuickTime none.
  const isVersioned = box.type === 'meta' && latin1(bytes, box.contentStart + 4, 4) !== 'hdlr'
  if (isVersioned) box.childrenStart = Math.min(box.end, box.contentStart + 4)
  box.children = boxesIn(bytes, box.childrenStart, box.end, box.type, counter)
  box.childrenEnd = box.children.at(-1)?.end ?? box.childrenStart
  const endBytes = bytes.subarray(box.childrenEnd, box.end)
  const canEndInZeros = box.type === 'udta' || box.type === 'meta' || parent === 'ilst'
  if (endBytes.some((byte) => byte !== 0) || (endBytes.length > 0 && !canEndInZeros)) {
    refuseEdit(`MP4 box "${box.type}"`, 'holds bytes that are no box')
  }
}

/** At any depth. */
export function boxesOfType(box: Mp4Box, type: string): Mp4Box[] {
  const ownBox = box.type === type ? [box] : []
  return [...ownBox, ...box.children.flatMap((child) => boxesOfType(child, type))]
}
