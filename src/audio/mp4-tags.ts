import { type ByteSource, latin1, viewOf } from './bytes.ts'
import { atomOf, atomsOf, type FileAtom } from './mp4-atoms.ts'
import { cleanText, guessedText, utf16 } from './tag-text.ts'

/** The most items that are read. */
const MOST_ITEMS = 10_000
/** Bytes of each item that is read. Covers are larger and are left out. */
const MOST_BYTES = 65_536
const MOST_DEPTH = 4

/** Kinds of value (QuickTime File Format, "Well-known types"). */
const IMPLICIT = 0
const UTF8 = 1
const UTF16 = 2

/** The items of iTunes that correspond to the names of QuickTime metadata, which ffmpeg writes too. */
const KEYS: Readonly<Record<string, string>> = {
  title: '©nam',
  artist: '©ART',
  album: '©alb',
  genre: '©gen',
  year: '©day',
  date: '©day',
  creationdate: '©day',
}

/**
 * The tags of an MP4 or QuickTime file as a small MP4 file that has only whole items: music-metadata
 * gives up at the first damaged atom, wherever it is. QuickTime's own strings become items too.
 * Undefined when there are none.
 */
export async function mp4Tags(source: ByteSource): Promise<Uint8Array | undefined> {
  const items: Uint8Array[] = []
  for await (const atom of atomsWithin(source, 0, source.size)) {
    if (atom.type !== 'moov') continue
    await collect(source, atom, items, 0)
    // Thousands of fragments may follow, each a read of its own.
    break
  }
  if (items.length === 0) return undefined
  const list = atomOf('ilst', ...items)
  const handler = atomOf('hdlr', new Uint8Array(8), Buffer.from('mdirappl'), new Uint8Array(9))
  const meta = atomOf('meta', new Uint8Array(4), handler, list)
  return Buffer.concat([
    atomOf('ftyp', Buffer.from('M4A \0\0\0\0M4A ')),
    atomOf('moov', atomOf('udta', meta)),
  ])
}

async function collect(source: ByteSource, parent: FileAtom, items: Uint8Array[], depth: number) {
  if (depth > MOST_DEPTH) return
  if (items.length >= MOST_ITEMS) return
  let { start } = parent
  if (parent.type === 'meta') {
    // In MP4, four bytes for a version precede the atoms; in QuickTime none do.
    const head = await source.read(start, 8)
    if (latin1(head.subarray(4)) !== 'hdlr') start += 4
  }
  const keys: string[] = []
  for await (const atom of atomsWithin(source, start, parent.end)) {
    if (atom.type === 'udta' || atom.type === 'meta') {
      await collect(source, atom, items, depth + 1)
    } else if (atom.type === 'keys' && atom.end - atom.start <= MOST_BYTES) {
      keys.push(...keysOf(await source.read(atom.start, atom.end - atom.start)))
    } else if (atom.type === 'ilst') {
      for await (const item of atomsWithin(source, atom.start, atom.end)) {
        if (items.length >= MOST_ITEMS) return
        items.push(...(await itemOf(source, item, keys)))
      }
    } else if (parent.type === 'udta' && atom.type.startsWith('©')) {
      const text = await quickTimeText(source, atom)
      if (text !== undefined) items.push(textItem(atom.type, text))
    }
  }
}

/** The atoms between two positions, up to the first that does not lie between them. */
async function* atomsWithin(
  source: ByteSource,
  from: number,
  to: number,
): AsyncGenerator<FileAtom, void> {
  for await (const atom of atomsOf(source, from, to)) {
    if (atom.end < atom.start || atom.end > to) return
    yield atom
  }
}

/** The names to which items refer by number: a count, then size, namespace and name of each. */
function keysOf(body: Uint8Array): string[] {
  const view = viewOf(body)
  const keys: string[] = []
  for (let at = 8; at + 8 <= body.length; ) {
    const size = view.getUint32(at)
    if (size < 8 || at + size > body.length) break
    keys.push(Buffer.from(body.subarray(at + 8, at + size)).toString())
    at += size
  }
  return keys
}

/** An item with its values that are whole and no pictures; none when nothing is left. */
async function itemOf(source: ByteSource, item: FileAtom, keys: string[]): Promise<Uint8Array[]> {
  let type = item.type
  const number = Buffer.from(type, 'latin1').readUInt32BE()
  const key = number <= keys.length ? keys[number - 1] : undefined
  if (key !== undefined) type = KEYS[key.replace(/^.*\./, '').toLowerCase()] ?? ''
  if (type === '') return []
  const parts: Uint8Array[] = []
  let values = 0
  for await (const { type: kind, start, end } of atomsWithin(source, item.start, item.end)) {
    if (end - start > MOST_BYTES) continue
    const body = await source.read(start, end - start)
    if ((kind === 'mean' || kind === 'name') && body.length >= 4) parts.push(atomOf(kind, body))
    else if (kind === 'data' && body.length > 8) {
      const value = valueIn(type, body)
      if (!value) continue
      parts.push(atomOf('data', value))
      values++
    }
  }
  return values > 0 ? [atomOf(type, ...parts)] : []
}

function valueIn(type: string, body: Uint8Array): Uint8Array | undefined {
  const kind = viewOf(body).getUint32(0)
  const value = body.subarray(8)
  if (type === 'trkn' || type === 'disk') return value.length >= 6 ? body : undefined
  if (type === 'gnre') return value.length >= 2 ? body : undefined
  if (kind === UTF8) return body
  if (kind === UTF16) return textValue(utf16(value, false))
  // Some programs state no kind for items that always hold text.
  if (kind === IMPLICIT && (type.startsWith('©') || type === '----')) {
    return textValue(Buffer.from(value).toString())
  }
  return undefined
}

/** A string of QuickTime user data: its length, its language, its text. */
async function quickTimeText(
  source: ByteSource,
  { start, end }: FileAtom,
): Promise<string | undefined> {
  const body = await source.read(start, Math.min(end - start, MOST_BYTES))
  if (body.length < 4) return undefined
  const length = viewOf(body).getUint16(0)
  if (length > body.length - 4) return undefined
  const text = body.subarray(4, 4 + length)
  return cleanText(guessedText(text))
}

function textItem(type: string, text: string): Uint8Array {
  return atomOf(type, atomOf('data', textValue(text)))
}

function textValue(text: string): Uint8Array {
  return Buffer.concat([Uint8Array.of(0, 0, 0, UTF8, 0, 0, 0, 0), Buffer.from(text)])
}
