import { latin1, viewOf } from '../audio/bytes.ts'
import { joinBytes, littleEndianBytes, type Splice, spliceBytes } from './byte-edit.ts'
import { refuseEdit, type TagBlock, type TagTexts } from './tag-block.ts'

interface CommentField {
  /** In capitals; empty where the field has no `=`. */
  name: string
  /** The position of its length. */
  start: number
  textStart: number
  end: number
}

const VENDOR = 'audile'

/** Vorbis I, 5: a vendor, then `NAME=text` fields. */
export class CommentBlock implements TagBlock {
  readonly #bytes: Uint8Array
  readonly #countAt: number
  readonly #fields: CommentField[]

  /**
   * @param bytes - from the length of the vendor on; what follows the last field is kept
   * @throws {DecodeError} when its lengths contradict its size
   */
  constructor(bytes: Uint8Array = emptyComment()) {
    this.#bytes = bytes
    const vendorBytes = lengthAt(bytes, 0)
    this.#countAt = 4 + vendorBytes
    this.#fields = commentFieldsOf(bytes, this.#countAt)
  }

  get isEmpty(): boolean {
    return this.#fields.length === 0
  }

  readText(name: string): string | undefined {
    const [field] = this.#fieldsOf(name)
    return field && Buffer.from(this.#bytes.subarray(field.textStart, field.end)).toString()
  }

  withTexts(texts: TagTexts): Uint8Array {
    const splices: Splice[] = []
    const fieldsEnd = this.#fields.at(-1)?.end ?? this.#countAt + 4
    let count = this.#fields.length
    for (const [name, text] of texts) {
      const [first, ...repeated] = this.#fieldsOf(name)
      const spelling = first
        ? latin1(this.#bytes, first.start + 4, first.textStart - first.start - 5)
        : name
      const bytes = text === undefined ? new Uint8Array(0) : fieldBytes(`${spelling}=${text}`)
      const start = first?.start ?? fieldsEnd
      splices.push({ start, end: first?.end ?? fieldsEnd, bytes })
      for (const { start, end } of repeated) splices.push({ start, end, bytes: new Uint8Array(0) })
      count += (text === undefined ? 0 : 1) - (first ? 1 : 0) - repeated.length
    }
    const countBytes = littleEndianBytes(count, 4)
    splices.push({ start: this.#countAt, end: this.#countAt + 4, bytes: countBytes })
    return spliceBytes(this.#bytes, splices)
  }

  /** Other programs call a comment `DESCRIPTION`, but that may be more. */
  #fieldsOf(name: string): CommentField[] {
    return this.#fields.filter((field) => field.name === name)
  }
}

function emptyComment(): Uint8Array {
  return joinBytes(fieldBytes(VENDOR), new Uint8Array(4))
}

function fieldBytes(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  return joinBytes(littleEndianBytes(bytes.length, 4), bytes)
}

function commentFieldsOf(bytes: Uint8Array, countAt: number): CommentField[] {
  const count = numberAt(bytes, countAt)
  const fields: CommentField[] = []
  let start = countAt + 4
  for (let i = 0; i < count; i++) {
    const textAt = start + 4
    const end = textAt + lengthAt(bytes, start)
    const equals = bytes.subarray(textAt, end).indexOf(0x3d)
    const name = equals < 0 ? '' : latin1(bytes, textAt, equals).toUpperCase()
    fields.push({ name, start, textStart: textAt + equals + 1, end })
    start = end
  }
  return fields
}

function numberAt(bytes: Uint8Array, position: number): number {
  if (position + 4 > bytes.length) refuseEdit('Vorbis comment', 'ends early')
  return viewOf(bytes).getUint32(position, true)
}

/** Of bytes that are there. */
function lengthAt(bytes: Uint8Array, position: number): number {
  const length = numberAt(bytes, position)
  if (position + 4 + length > bytes.length) refuseEdit('Vorbis comment', 'ends early')
  return length
}
