import type { ByteSource } from './byte-source.ts'
import { id3v2Names } from './id3.ts'
import { guessedText, shown, type TagNames } from './tag-text.ts'

/** A file has a handful of chunks, and each is a read of its own. */
const MOST_CHUNKS = 1000
/** Bytes of a list of names at most; longer ones hold something else. */
const MOST_LIST = 1_048_576

/** Names in a LIST chunk of kind INFO. */
const INFO: Readonly<Record<string, keyof TagNames>> = {
  INAM: 'title',
  TITL: 'title',
  IART: 'artist',
  IPRD: 'release',
}

/** Chunks of AIFF that are names themselves. */
const AIFF: Readonly<Record<string, keyof TagNames>> = { NAME: 'title', AUTH: 'artist' }

/**
 * The names that the chunks of a WAV or AIFF file give, ID3v2 first, then those of the format itself.
 * The sizes of WAV chunks have their low byte first, but in RIFX.
 */
export async function chunkNames(source: ByteSource): Promise<TagNames[]> {
  const form = ascii(await source.read(0, 4), 0, 4)
  const little = form !== 'FORM' && form !== 'RIFX'
  const id3: TagNames[] = []
  const own: TagNames = {}
  for await (const { id, start, size } of chunks(source, little)) {
    if (id.toUpperCase() === 'ID3 ') id3.push(id3v2Names(await source.read(start, size)))
    else if (id === 'LIST' && size <= MOST_LIST) {
      const list = await source.read(start, size)
      if (ascii(list, 0, 4) === 'INFO') readInfo(list, little, own)
    } else if (form === 'FORM' && size <= MOST_LIST) {
      const field = AIFF[id]
      if (field) add(own, field, await source.read(start, size))
    }
  }
  return [...id3, own]
}

async function* chunks(source: ByteSource, little: boolean) {
  // The data of RF64 files can be over 4 GB; its size stands in front.
  let long = 0
  let position = 12
  for (let i = 0; i < MOST_CHUNKS && position + 8 <= source.size; i++) {
    const head = await source.read(position, 8)
    if (head.length < 8) return
    const id = ascii(head, 0, 4)
    let size = new DataView(head.buffer).getUint32(4, little)
    const start = position + 8
    if (id === 'ds64') {
      const body = new DataView((await source.read(start, 16)).buffer)
      if (body.byteLength === 16)
        long = body.getUint32(8, true) + body.getUint32(12, true) * 2 ** 32
    }
    if (id === 'data' && size === 0xffffffff && long > 0) size = long
    yield { id, start, size: Math.min(size, source.size - start) }
    // Chunks start at even positions, but some writers forget it.
    position = start + size
    if (size % 2 === 1 && (await source.read(position, 1))[0] === 0) position++
  }
}

function readInfo(list: Uint8Array, little: boolean, names: TagNames): void {
  const view = new DataView(list.buffer, list.byteOffset, list.byteLength)
  for (let at = 4; at + 8 <= list.length; ) {
    const size = view.getUint32(at + 4, little)
    const field = INFO[ascii(list, at, 4)]
    if (field) add(names, field, list.subarray(at + 8, at + 8 + size))
    at += 8 + size
    if (size % 2 === 1 && list[at] === 0) at++
  }
}

function add(names: TagNames, field: keyof TagNames, bytes: Uint8Array): void {
  const end = bytes.indexOf(0)
  const text = shown(guessedText(end < 0 ? bytes : bytes.subarray(0, end)))
  if (text !== undefined) names[field] ??= [text]
}

function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}
