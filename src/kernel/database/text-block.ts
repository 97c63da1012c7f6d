/** Texts in a block. */
export const TEXTS_IN_BLOCK = 256
/** The low bits of a number in a text hold the word's field; the other bits hold its number. */
export const FIELD_BITS = 3

/**
 * {@link TEXTS_IN_BLOCK} texts: first the ends of the texts, as indices into the whole block; then
 * the words of the texts in order, packed as {@link FIELD_BITS} says.
 */
export type TextBlock = Uint32Array

/** Whether each text ends behind the one before: a loop over others would not end. */
export function isTextBlock({ buffer }: Uint8Array<ArrayBuffer>): boolean {
  if (buffer.byteLength % 4 !== 0) return false
  const numbers = new Uint32Array(buffer)
  let start = TEXTS_IN_BLOCK
  for (let i = 0; i < TEXTS_IN_BLOCK; i++) {
    const end = numbers[i]
    if (end === undefined || end < start || end > numbers.length) return false
    start = end
  }
  return true
}

/** The packed words of each text in a block. */
export function textsIn(block: TextBlock): TextBlock[] {
  const texts: TextBlock[] = []
  let start = TEXTS_IN_BLOCK
  for (let i = 0; i < TEXTS_IN_BLOCK; i++) {
    const end = block[i] as number
    texts.push(block.subarray(start, end))
    start = end
  }
  return texts
}

export function packedTexts(texts: readonly (ArrayLike<number> | undefined)[]): Uint8Array {
  const numbers = new Uint32Array(
    TEXTS_IN_BLOCK + texts.reduce((sum, text) => sum + (text?.length ?? 0), 0),
  )
  let end = TEXTS_IN_BLOCK
  for (let i = 0; i < TEXTS_IN_BLOCK; i++) {
    const text = texts[i] ?? []
    numbers.set(text, end)
    end += text.length
    numbers[i] = end
  }
  return new Uint8Array(numbers.buffer)
}
