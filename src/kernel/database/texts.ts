import { RowBlocks } from './blocks.ts'
import type { Database } from './open.ts'
import { Postings, type Segment, segmentOf, TEXTS_IN_SEGMENT } from './postings.ts'
import {
  FIELD_BITS,
  isTextBlock,
  packedTexts,
  TEXTS_IN_BLOCK,
  type TextBlock,
  textsIn,
} from './text-block.ts'
import { StoredWords, type WordList } from './word-list.ts'

/** Blocks of texts that are held at once; of 256 texts with ten words each it takes 11 kB. */
const HELD_BLOCKS = 2048
const BLOCKS_IN_SEGMENT = TEXTS_IN_SEGMENT / TEXTS_IN_BLOCK
/** A segment is made again when so many of its blocks are newer. */
const STALE_BLOCKS = 16
/** Segments that one write makes again, so that it stays short. */
const SEGMENTS_A_WRITE = 2

/** A word of a text, and the field that it is in, 0…7. */
export interface PlacedWord {
  word: string
  field: number
}

/** Texts of one state of the database. */
export interface LoadedTexts {
  readonly words: WordList
  /** The block of a number, or `undefined` if it has no texts. */
  blockAt(block: number): TextBlock | undefined
  /**
   * The numbers of the texts that may have a word of each list, ascending. Those whose blocks
   * changed lately are all among them.
   *
   * @param lists - numbers of words, ascending
   */
  withAll(lists: readonly ArrayLike<number>[]): number[]
}

/**
 * Short texts as lists of word numbers, and for each word the texts that have it. The number of a
 * text tells its block and its place there. Blocks are read as they are asked.
 */
export class TextBlocks extends RowBlocks implements LoadedTexts {
  readonly #words: StoredWords
  readonly #postings: Postings
  readonly #blocks = new Map<number, TextBlock>()
  /** The revision of each block; 0 where there is none. */
  readonly #revisions: number[] = []
  #newest = 0

  /**
   * @param table - a constant; the words are in the table of this name with `_words`, the texts of
   *   words in that with `_postings`
   */
  constructor(db: Database, table: string) {
    super(db, table, TEXTS_IN_BLOCK, 2 ** 31)
    this.#words = new StoredWords(db, `${table}_words`)
    this.#postings = new Postings(db, `${table}_postings`)
  }

  get words(): WordList {
    return this.#words.list
  }

  /** Writes texts by number, inside the transaction that changes their source data. */
  writeTexts(texts: ReadonlyMap<number, readonly PlacedWord[] | undefined>): void {
    this.updateBlocks()
    const words = this.#words.list
    const firstNew = words.length
    this.changeBlocks(texts.keys(), (oldData, nums) => {
      const lists: ArrayLike<number>[] = oldData ? textsIn(new Uint32Array(oldData.buffer)) : []
      for (const num of nums) {
        lists[num % TEXTS_IN_BLOCK] = (texts.get(num) ?? []).map(
          ({ word, field }) => words.add(word) * 2 ** FIELD_BITS + field,
        )
      }
      return packedTexts(lists)
    })
    if (words.length > firstNew) this.#words.writeFrom(firstNew)
    this.updateBlocks()
    this.#renewSegments()
  }

  /** Makes the segments again that are behind most. */
  #renewSegments(): void {
    const segments = this.#postings.readSegments()
    const stale = this.#segmentNums()
      .map((num) => ({ num, count: this.#staleBlocks(num, segments[num]).length }))
      .filter(({ count }) => count >= STALE_BLOCKS)
      .sort((a, b) => b.count - a.count)
      .slice(0, SEGMENTS_A_WRITE)
    if (stale.length === 0) return
    this.#postings.writeSegments(new Map(stale.map(({ num }) => [num, this.#segmentOf(num)])))
  }

  readTexts(): LoadedTexts {
    this.updateBlocks()
    return this
  }

  /**
   * Reads all blocks, as a search reads them.
   *
   * @throws {DatabaseError} when one is damaged
   */
  checkTexts(): void {
    this.updateBlocks()
    this.#postings.readSegments()
    for (const block of this.#revisions.keys()) this.readBlock(block)
  }

  blockAt(block: number): TextBlock | undefined {
    const held = this.#blocks.get(block)
    if (held || !this.#revisions[block]) return held
    const data = this.readBlock(block)
    if (!data) return undefined
    if (this.#blocks.size >= HELD_BLOCKS) {
      // The oldest one: a search over all goes through blocks in order, so none is asked more.
      const [oldest] = this.#blocks.keys()
      this.#blocks.delete(oldest as number)
    }
    const made = new Uint32Array(data.buffer)
    this.#blocks.set(block, made)
    return made
  }

  withAll(lists: readonly ArrayLike<number>[]): number[] {
    const segments = this.#postings.readSegments()
    const rows: number[] = []
    for (const num of this.#segmentNums()) {
      let segment = segments[num]
      if (this.#staleBlocks(num, segment).length >= STALE_BLOCKS) {
        segment = this.#segmentOf(num)
        this.#postings.replaceSegment(num, segment)
      }
      const start = num * TEXTS_IN_SEGMENT
      const stale = this.#staleBlocks(num, segment)
      const isStale = new Set(stale)
      const before = rows.length
      for (const place of segment ? placesWithAll(segment, lists) : []) {
        const row = start + place
        if (!isStale.has(Math.floor(row / TEXTS_IN_BLOCK))) rows.push(row)
      }
      for (const block of stale) {
        for (let i = 0; i < TEXTS_IN_BLOCK; i++) rows.push(block * TEXTS_IN_BLOCK + i)
      }
      if (stale.length > 0) {
        const sorted = rows.splice(before).sort((a, b) => a - b)
        for (const row of sorted) rows.push(row)
      }
    }
    return rows
  }

  protected override updateBlocks(): void {
    const revised = this.revisedBlocks()
    if (revised.length === 0) return
    for (const { block, revision } of revised) {
      this.#revisions[block] = revision
      this.#newest = Math.max(this.#newest, revision)
      this.#blocks.delete(block)
    }
    this.#words.readNew()
  }

  #segmentNums(): number[] {
    return Array.from(
      { length: Math.ceil(this.#revisions.length / BLOCKS_IN_SEGMENT) },
      (_, i) => i,
    )
  }

  /** The numbers of the blocks that are newer than their segment. */
  #staleBlocks(num: number, segment: Segment | undefined): number[] {
    const made = segment?.revision ?? 0
    const stale: number[] = []
    for (let i = 0; i < BLOCKS_IN_SEGMENT; i++) {
      const block = num * BLOCKS_IN_SEGMENT + i
      if ((this.#revisions[block] ?? 0) > made) stale.push(block)
    }
    return stale
  }

  #segmentOf(num: number): Segment {
    const blocks = Array.from({ length: BLOCKS_IN_SEGMENT }, (_, i) =>
      this.blockAt(num * BLOCKS_IN_SEGMENT + i),
    )
    return segmentOf(blocks, this.#newest, this.#words.list.length)
  }

  protected override isSound(data: Uint8Array<ArrayBuffer>): boolean {
    return isTextBlock(data)
  }

  protected override holdBlock(): void {
    throw new Error('Blocks of texts are read one by one.')
  }

  protected override forgetAll(): void {
    // A new list tells the vocabulary of a search that the numbers are given again.
    this.#words.forget()
    this.#newest = 0
    this.#blocks.clear()
    this.#revisions.length = 0
  }
}

/** How many lists each text of the current segment has a word of. */
const HAVE = new Uint8Array(TEXTS_IN_SEGMENT)

/** The places of the texts that have a word of each list, ascending. */
function placesWithAll(segment: Segment, lists: readonly ArrayLike<number>[]): Uint16Array {
  const { words, ends, places } = segment
  HAVE.fill(0)
  let having = new Uint16Array(0)
  for (const [l, list] of lists.entries()) {
    const hits: number[] = []
    eachCommon(words, list, (at) => {
      const end = ends[at] as number
      for (let i = ends[at - 1] ?? 0; i < end; i++) {
        const place = places[i] as number
        if (HAVE[place] !== l) continue
        HAVE[place] = l + 1
        hits.push(place)
      }
    })
    if (hits.length === 0) return new Uint16Array(0)
    having = Uint16Array.from(hits)
  }
  return having.sort()
}

/** A list this many times shorter is looked up word by word. */
const SHORTER = 16

/** Calls `visit` with the index of each word that is in the list too; both ascend. */
function eachCommon(
  words: Uint32Array,
  list: ArrayLike<number>,
  visit: (index: number) => void,
): void {
  let at = 0
  if (list.length * SHORTER < words.length) {
    for (let i = 0; i < list.length; i++) {
      at = firstAtLeast(words, list[i] as number, at)
      if (words[at] === list[i]) visit(at)
    }
    return
  }
  for (let i = 0; i < list.length; i++) {
    const word = list[i] as number
    while (at < words.length && (words[at] as number) < word) at++
    if (words[at] === word) visit(at)
  }
}

function firstAtLeast(words: Uint32Array, word: number, from: number): number {
  let low = from
  let high = words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle] as number) < word) low = middle + 1
    else high = middle
  }
  return low
}
