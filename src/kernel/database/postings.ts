import { RowBlocks } from './blocks.ts'
import type { Database } from './open.ts'
import { FIELD_BITS, TEXTS_IN_BLOCK, type TextBlock } from './text-block.ts'

/** Texts in a segment: their places take 16 bits. */
export const TEXTS_IN_SEGMENT = 16_384

/** Which texts of a segment have which words. */
export interface Segment {
  /** The revision of the texts that it was made of. */
  revision: number
  /** The numbers of its words, ascending. */
  words: Uint32Array
  /** Where the places of each word end; those of the next begin there. */
  ends: Uint32Array
  /** The places of texts in the segment, ascending for each word. */
  places: Uint16Array
}

/**
 * For each segment of texts, the texts that have each word: a table of {@link RowBlocks}, a block a
 * segment. A segment may be older than its texts; who reads it compares the revisions.
 */
export class Postings extends RowBlocks {
  readonly #segments: (Segment | undefined)[] = []

  /** @param table - a constant, never user input */
  constructor(db: Database, table: string) {
    super(db, table, TEXTS_IN_SEGMENT, 2 ** 31)
  }

  readSegments(): readonly (Segment | undefined)[] {
    this.updateBlocks()
    return this.#segments
  }

  /** Writes segments by number, inside the transaction that changed their texts. */
  writeSegments(segments: ReadonlyMap<number, Segment>): void {
    const rows = [...segments.keys()].map((num) => num * TEXTS_IN_SEGMENT)
    this.changeBlocks(rows, (_, [row = 0]) =>
      packedSegment(segments.get(row / TEXTS_IN_SEGMENT) as Segment),
    )
  }

  /** Holds a segment that is newer than the stored one, until that changes. */
  replaceSegment(num: number, segment: Segment): void {
    this.#segments[num] = segment
  }

  protected override isSound(data: Uint8Array<ArrayBuffer>): boolean {
    const segment = readSegment(data)
    if (!segment) return false
    const { words, ends, places } = segment
    for (let i = 1; i < words.length; i++) {
      if ((words[i] as number) <= (words[i - 1] as number)) return false
      if ((ends[i] as number) < (ends[i - 1] as number)) return false
    }
    return (ends.at(-1) ?? 0) === places.length
  }

  protected override holdBlock(num: number, data: Uint8Array<ArrayBuffer>): void {
    this.#segments[num] = readSegment(data)
  }

  protected override forgetAll(): void {
    this.#segments.length = 0
  }
}

const HEADER = 2

function packedSegment({ revision, words, ends, places }: Segment): Uint8Array {
  const numbers = new Uint32Array(HEADER + 2 * words.length)
  numbers.set([revision, words.length])
  numbers.set(words, HEADER)
  numbers.set(ends, HEADER + words.length)
  const data = new Uint8Array(numbers.byteLength + places.byteLength)
  data.set(new Uint8Array(numbers.buffer))
  data.set(new Uint8Array(places.buffer, places.byteOffset, places.byteLength), numbers.byteLength)
  return data
}

function readSegment({ buffer, byteLength }: Uint8Array<ArrayBuffer>): Segment | undefined {
  if (byteLength < 4 * HEADER || byteLength % 2 !== 0) return undefined
  const [revision = 0, count = 0] = new Uint32Array(buffer, 0, HEADER)
  if (byteLength < 4 * (HEADER + 2 * count)) return undefined
  const words = new Uint32Array(buffer, 4 * HEADER, count)
  const ends = new Uint32Array(buffer, 4 * (HEADER + count), count)
  return { revision, words, ends, places: new Uint16Array(buffer, 4 * (HEADER + 2 * count)) }
}

/**
 * Makes a segment of its texts.
 *
 * @param blocks - the blocks of texts in the segment, in order
 * @param wordCount - all numbers of words are below this
 */
export function segmentOf(
  blocks: readonly (TextBlock | undefined)[],
  revision: number,
  wordCount: number,
): Segment {
  const counts = new Uint32Array(wordCount)
  let total = 0
  eachPlacedWord(blocks, wordCount, (word) => {
    counts[word] = (counts[word] as number) + 1
    total++
  })
  const words = Uint32Array.from(usedWords(counts))
  const ends = new Uint32Array(words.length)
  const places = new Uint16Array(total)
  // From here on, where the next place of each word goes.
  const next = counts
  let start = 0
  for (const [i, word] of words.entries()) {
    const count = next[word] as number
    next[word] = start
    start += count
    ends[i] = start
  }
  eachPlacedWord(blocks, wordCount, (word, place) => {
    places[next[word] as number] = place
    next[word] = (next[word] as number) + 1
  })
  return { revision, words, ends, places }
}

function* usedWords(counts: Uint32Array): Generator<number> {
  for (let word = 0; word < counts.length; word++) if (counts[word] !== 0) yield word
}

/** Calls `visit` with each word of each text, once a text. */
function eachPlacedWord(
  blocks: readonly (TextBlock | undefined)[],
  wordCount: number,
  visit: (word: number, place: number) => void,
): void {
  // The last text with each word: its place + 1.
  const seen = new Uint16Array(wordCount)
  for (const [b, block] of blocks.entries()) {
    if (!block) continue
    let start = TEXTS_IN_BLOCK
    for (let i = 0; i < TEXTS_IN_BLOCK; i++) {
      const place = b * TEXTS_IN_BLOCK + i
      const end = block[i] as number
      for (; start < end; start++) {
        const word = (block[start] as number) >>> FIELD_BITS
        // Another process may have added words since the list was read.
        if (word >= wordCount || seen[word] === place + 1) continue
        seen[word] = place + 1
        visit(word, place)
      }
    }
  }
}
