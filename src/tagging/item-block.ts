import { latin1, viewOf } from '../audio/bytes.ts'
import { atomOf } from '../audio/mp4-atoms.ts'
import { decodeUtf16, readGuessedText } from '../audio/tag-text.ts'
import { bigEndianBytes, joinBytes } from './byte-edit.ts'
import type { Mp4Box } from './mp4-boxes.ts'
import type { TagBlock, TagTexts } from './tag-block.ts'

const ITUNES_MEAN = 'com.apple.iTunes'
/** Kinds of value (QuickTime File Format, "Well-known types"). */
const VALUE_KINDS = { utf8: 1, utf16: 2, integer: 21 } as const
const ITEM_TYPES: Readonly<Record<string, string>> = { BPM: 'tmpo', COMMENT: '©cmt' }

/** `ilst`, as iTunes writes it. */
export class ItemBlock implements TagBlock {
  readonly #bytes: Uint8Array
  readonly #items: readonly Mp4Box[]

  /** @param list - the box `ilst` in `bytes` */
  constructor(bytes: Uint8Array, list: Mp4Box | undefined) {
    this.#bytes = bytes
    this.#items = list?.children ?? []
  }

  readText(name: string): string | undefined {
    const [item] = this.#itemsOf(name)
    const data = item?.children.find(({ type }) => type === 'data')
    if (!data || data.end - data.contentStart < 8) return item && ''
    const kind = viewOf(this.#bytes).getUint32(data.contentStart) & 0xffffff
    const value = this.#bytes.subarray(data.contentStart + 8, data.end)
    if (name === 'BPM') return String(value.reduce((number, byte) => number * 256 + byte, 0))
    return kind === VALUE_KINDS.utf16 ? decodeUtf16(value, false) : readGuessedText(value)
  }

  /** The whole box `ilst`. */
  withTexts(texts: TagTexts): Uint8Array {
    const replacements = new Map<Mp4Box, Uint8Array>()
    const newItems: Uint8Array[] = []
    for (const [name, text] of texts) {
      const [first, ...repeated] = this.#itemsOf(name)
      const bytes = text === undefined ? new Uint8Array(0) : this.#itemBytes(name, text, first)
      if (first) replacements.set(first, bytes)
      else newItems.push(bytes)
      for (const item of repeated) replacements.set(item, new Uint8Array(0))
    }
    const keptItems = this.#items.map(
      (item) => replacements.get(item) ?? this.#bytes.subarray(item.start, item.end),
    )
    return atomOf('ilst', ...keptItems, ...newItems)
  }

  #itemsOf(name: string): Mp4Box[] {
    const type = ITEM_TYPES[name]
    if (type) return this.#items.filter((item) => item.type === type)
    return this.#items.filter((item) => {
      const isOwn = this.#partOf(item, 'mean')?.toLowerCase() === ITUNES_MEAN.toLowerCase()
      return item.type === '----' && isOwn && this.#partOf(item, 'name')?.toUpperCase() === name
    })
  }

  #partOf(item: Mp4Box, type: 'mean' | 'name'): string | undefined {
    const box = item.children.find((child) => child.type === type)
    return box && latin1(this.#bytes.subarray(box.contentStart + 4, box.end))
  }

  #itemBytes(name: string, text: string, replaced: Mp4Box | undefined): Uint8Array {
    if (name === 'BPM')
      return atomOf('tmpo', dataAtom(VALUE_KINDS.integer, bigEndianBytes(Number(text), 2)))
    const data = dataAtom(VALUE_KINDS.utf8, Buffer.from(text))
    const type = ITEM_TYPES[name]
    if (type) return atomOf(type, data)
    // The case that most programs write.
    const usualSpelling = name === 'MOOD' ? name : name.toLowerCase()
    const spelling = (replaced && this.#partOf(replaced, 'name')) ?? usualSpelling
    const mean = (replaced && this.#partOf(replaced, 'mean')) ?? ITUNES_MEAN
    return atomOf('----', namePart('mean', mean), namePart('name', spelling), data)
  }
}

function dataAtom(kind: number, value: Uint8Array): Uint8Array {
  return atomOf('data', joinBytes(bigEndianBytes(kind, 4), new Uint8Array(4), value))
}

function namePart(type: 'mean' | 'name', text: string): Uint8Array {
  return atomOf(type, new Uint8Array(4), Buffer.from(text, 'latin1'))
}
