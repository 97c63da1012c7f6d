import { latin1, viewOf } from '../audio/bytes.ts'
import { joinBytes, littleEndianBytes, type Splice, spliceBytes } from './byte-edit.ts'
import { refuseEdit, type TagBlock, type TagTexts } from './tag-block.ts'

export const APE_FOOTER_BYTES = 32

interface ApeItem {
  key: string
  start: number
  valueStart: number
  end: number
  flags: number
}

/** Only values that an APE tag has already are changed: readers look at ID3v2 too. */
export class ApeBlock implements TagBlock {
  readonly #tag: Uint8Array
  readonly #items: ApeItem[]

  /** @param tag - from the header or first item to the footer */
  constructor(tag: Uint8Array) {
    this.#tag = tag
    this.#items = apeItemsOf(tag)
  }

  readText(name: string): string | undefined {
    const [item] = this.#itemsOf(name)
    if (!item) return undefined
    const text = Buffer.from(this.#tag.subarray(item.valueStart, item.end)).toString()
    return text.replaceAll('\0', '; ')
  }

  withTexts(texts: TagTexts): Uint8Array {
    const splices: Splice[] = []
    let removed = 0
    for (const [name, text] of texts) {
      for (const { start, valueStart, end, flags } of this.#itemsOf(name)) {
        if ((flags & 7) !== 0)
          refuseEdit('APE tag', `has a ${name} that is no text or may not change`)
        if (text === undefined) {
          splices.push({ start, end, bytes: new Uint8Array(0) })
          removed++
          continue
        }
        const bytes = Buffer.from(text)
        splices.push({ start: valueStart, end, bytes })
        splices.push({ start, end: start + 4, bytes: littleEndianBytes(bytes.length, 4) })
      }
    }
    if (splices.length === 0) return this.#tag
    const items = spliceBytes(this.#tag, splices)
    const footer = items.length - APE_FOOTER_BYTES
    const hasHeader = latin1(items, 0, 8) === 'APETAGEX'
    const size = littleEndianBytes(items.length - (hasHeader ? APE_FOOTER_BYTES : 0), 4)
    const count = littleEndianBytes(this.#items.length - removed, 4)
    const counts = joinBytes(size, count)
    const headStarts = hasHeader ? [0, footer] : [footer]
    return spliceBytes(
      items,
      headStarts.map((head) => ({ start: head + 12, end: head + 20, bytes: counts })),
    )
  }

  #itemsOf(name: string): ApeItem[] {
    return this.#items.filter(({ key }) => key.toUpperCase() === name)
  }
}

function apeItemsOf(tag: Uint8Array): ApeItem[] {
  const view = viewOf(tag)
  const footer = tag.length - APE_FOOTER_BYTES
  const count = view.getUint32(footer + 16, true)
  const items: ApeItem[] = []
  let position = latin1(tag, 0, 8) === 'APETAGEX' && footer > 0 ? APE_FOOTER_BYTES : 0
  while (position + 9 <= footer) {
    const keyEnd = tag.indexOf(0, position + 8)
    const valueStart = keyEnd + 1
    const end = valueStart + view.getUint32(position, true)
    if (keyEnd < 0 || end > footer) break
    const flags = view.getUint32(position + 4, true)
    const key = latin1(tag, position + 8, keyEnd - position - 8)
    items.push({ key, start: position, valueStart, end, flags })
    position = end
  }
  if (position !== footer || items.length !== count) {
    refuseEdit('APE tag', 'states other sizes than its items have')
  }
  return items
}
