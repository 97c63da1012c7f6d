import { type ByteSource, viewOf } from './bytes.ts'
import { type Atom, atomOf, atomsIn, atomsOf, bytesOf, typeAt } from './mp4-atoms.ts'
import { cleanText, decodeUtf16, readGuessedText } from './tag-text.ts'

const MAX_ITEMS = 10_000
/** Covers are larger and are left out. */
const MAX_ITEM_BYTES = 65_536
const MAX_META_DEPTH = 4

/** Kinds of value (QuickTime File Format, "Well-known types"). */
const IMPLICIT_KIND = 0
const UTF8_KIND = 1
const UTF16_KIND = 2

/** Items that correspond to the names of QuickTime metadata. */
const QUICKTIME_KEYS: Readonly<Record<string, string>> = {
  title: '©nam',
  artist: '©ART',
  album: '©alb',
  genre: '©gen',
  year: '©day',
  date: '©day',
  creationdate: '©day',
}

/** A small MP4 file of whole items: music-metadata gives up at the first damaged atom. */
export async function readMp4Tags(source: ByteSource): Promise<Uint8Array | undefined> {
  for await (const { type, start, end } of atomsOf(source)) {
    if (end < start || end > source.size) break
    if (type !== 'moov') continue
    const items = readMp4Items(viewOf(await source.read(start, end - start)))
    if (items.length === 0) break
    const brand = atomOf('ftyp', Buffer.from('M4A \0\0\0\0M4A '))
    return Buffer.concat([brand, atomOf('moov', itemList(items))])
  }
  return undefined
}

/** Items as user data, where programs look for them. */
export function itemList(items: readonly Uint8Array[]): Buffer {
  const handler = atomOf('hdlr', new Uint8Array(8), Buffer.from('mdirappl'), new Uint8Array(9))
  return atomOf('udta', atomOf('meta', new Uint8Array(4), handler, atomOf('ilst', ...items)))
}

export function readMp4Items(moov: DataView): Uint8Array[] {
  const items: Uint8Array[] = []
  collectItems('moov', moov, items, 0)
  return items
}

function collectItems(parent: string, list: DataView, items: Uint8Array[], depth: number): void {
  // In MP4 four bytes for a version precede the atoms.
  const start = parent === 'meta' && typeAt(list, 4) !== 'hdlr' ? 4 : 0
  const keys: string[] = []
  for (const { type, body } of atomsIn(list, start)) {
    if (items.length >= MAX_ITEMS) return
    if (type === 'udta' || type === 'meta') {
      if (depth < MAX_META_DEPTH) collectItems(type, body, items, depth + 1)
    } else if (type === 'keys') keys.push(...readKeyNames(body))
    else if (type === 'ilst') {
      for (const item of atomsIn(body)) {
        if (items.length < MAX_ITEMS) items.push(...wholeItem(item, keys))
      }
    } else if (parent === 'udta' && type.startsWith('©')) {
      const text = quickTimeText(body)
      if (text !== undefined) items.push(atomOf(type, atomOf('data', textValue(text))))
    }
  }
}

/** The names to which items refer by number: a count, then size, namespace and name of each. */
function readKeyNames(body: DataView): string[] {
  if (body.byteLength > MAX_ITEM_BYTES) return []
  return [...atomsIn(body, 8)].map((key) => Buffer.from(bytesOf(key.body)).toString())
}

/** Without pictures and damaged values; none when nothing is left. */
function wholeItem(item: Atom, keys: readonly string[]): Uint8Array[] {
  let { type } = item
  const key = keys[Buffer.from(type, 'latin1').readUInt32BE() - 1]
  if (key !== undefined) type = QUICKTIME_KEYS[key.replace(/^.*\./, '').toLowerCase()] ?? ''
  if (type === '') return []
  const itemParts: Uint8Array[] = []
  let values = 0
  for (const { type: kind, body } of atomsIn(item.body)) {
    if (body.byteLength > MAX_ITEM_BYTES) continue
    const bytes = bytesOf(body)
    if ((kind === 'mean' || kind === 'name') && bytes.length >= 4)
      itemParts.push(atomOf(kind, bytes))
    else if (kind === 'data' && bytes.length > 8) {
      const value = usableValue(type, bytes)
      if (!value) continue
      itemParts.push(atomOf('data', value))
      values++
    }
  }
  return values > 0 ? [atomOf(type, ...itemParts)] : []
}

function usableValue(type: string, body: Uint8Array): Uint8Array | undefined {
  const kind = viewOf(body).getUint32(0)
  const value = body.subarray(8)
  if (type === 'trkn' || type === 'disk') return value.length >= 6 ? body : undefined
  if (type === 'gnre') return value.length >= 2 ? body : undefined
  if (kind === UTF8_KIND) return body
  if (kind === UTF16_KIND) return textValue(decodeUtf16(value, false))
  // Some programs state no kind for items that always hold text.
  if (kind === IMPLICIT_KIND && (type.startsWith('©') || type === '----')) {
    return textValue(Buffer.from(value).toString())
  }
  return undefined
}

/** A string of QuickTime user data: its length, its language, its text. */
function quickTimeText(body: DataView): string | undefined {
  if (body.byteLength < 4) return undefined
  const length = body.getUint16(0)
  return length > body.byteLength - 4
    ? undefined
    : cleanText(readGuessedText(bytesOf(body).subarray(4, 4 + length)))
}

function textValue(text: string): Uint8Array {
  return Buffer.concat([Uint8Array.of(0, 0, 0, UTF8_KIND, 0, 0, 0, 0), Buffer.from(text)])
}
