import type { ByteSource } from './byte-source.ts'
import { latin1, viewOf } from './bytes.ts'
import { chunks, isLittleEndian } from './chunks.ts'
import { id3v2Names } from './id3.ts'
import { nameIn, type TagNames } from './tag-names.ts'
import { fieldText } from './tag-text.ts'

/** Longest chunk of names that is read, bytes; longer ones hold something else. */
const MOST_NAMES = 1_048_576

/** The names that the chunks of a WAV or AIFF file give: ID3v2 first, then those of the format itself. */
export async function chunkNames(source: ByteSource): Promise<TagNames[]> {
  const little = await isLittleEndian(source)
  const id3: TagNames[] = []
  const own: TagNames = {}
  try {
    for await (const { id, start, size } of chunks(source, little)) {
      const content = () => source.read(start, size)
      if (id.toUpperCase() === 'ID3 ') id3.push(id3v2Names(await content()))
      else if (size > MOST_NAMES) continue
      else if (id === 'LIST') {
        const list = await content()
        if (latin1(list, 0, 4) === 'INFO') readInfo(list, little, own)
      } else if (nameIn('AIFF', id)) add(own, nameIn('AIFF', id), await content())
    }
  } catch {
    // Damaged: the names in front of the damage count.
  }
  return [...id3, own]
}

function readInfo(list: Uint8Array, little: boolean, names: TagNames): void {
  for (let at = 4; at + 8 <= list.length; ) {
    const size = viewOf(list).getUint32(at + 4, little)
    add(names, nameIn('INFO', latin1(list, at, 4)), list.subarray(at + 8, at + 8 + size))
    at += 8 + size
    if (size % 2 === 1 && list[at] === 0) at++
  }
}

function add(names: TagNames, field: keyof TagNames | undefined, bytes: Uint8Array): void {
  if (!field) return
  const text = fieldText(bytes)
  if (text !== undefined) names[field] ??= [text]
}
