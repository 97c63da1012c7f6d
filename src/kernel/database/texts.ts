import { blockStatements, byBlock } from './columns.ts'
import { damaged } from './damage.ts'
import type { Database } from './open.ts'
import { count, each, statements, value } from './statements.ts'

/** Texts in a block. A change of one writes the whole block. */
export const TEXTS_IN_BLOCK = 256
/** Text numbers are below 2 ** 31; a higher number comes from a damaged file. */
const MOST_BLOCKS = 2 ** 31 / TEXTS_IN_BLOCK
/** The low bits of a number in a text hold the word's field; the other bits hold its number. */
export const FIELD_BITS = 3

/** A word of a text, and the field that it is in, 0…7. */
export interface PlacedWord {
  word: string
  field: number
}

export interface HeldTexts {
  /** The words by number, from 1 on. A word stays when no text uses it any more. */
  readonly words: readonly string[]
  /**
   * Blocks of {@link TEXTS_IN_BLOCK} texts. Each begins with the ends of its texts, as indices into the
   * whole block; then come the words of the texts in order, packed as {@link FIELD_BITS} says.
   */
  readonly blocks: readonly (Uint32Array | undefined)[]
}

/**
 * Short texts as lists of word numbers, stored in blocks in a table `(block, revision, data)` and
 * held in memory. A search through the texts of 100,000 songs is then a loop over a million
 * numbers, whatever the query.
 *
 * The number of a text tells its block and its place there. Do not read inside a transaction that
 * wrote and may be rolled back: the revisions that the read saw would be used again.
 */
export class Texts {
  readonly #sql
  readonly #words: string[] = ['']
  readonly #blocks: (Uint32Array | undefined)[] = []
  readonly #table: string
  #seen = 0

  /** @param table - a constant; the words are in the table of this name with `_words` */
  constructor(db: Database, table: string) {
    this.#table = table
    this.#sql = statements({
      ...blockStatements(table),
      numOf: value<[word: string], number>(`SELECT num FROM ${table}_words WHERE word = ?`),
      addWord: count<[word: string]>(`INSERT INTO ${table}_words (word) VALUES (?) RETURNING num`),
      newWords: each<[after: number], { num: number; word: string }>(
        `SELECT num, word FROM ${table}_words WHERE num > ? ORDER BY num`,
      ),
    })(db)
  }

  /** Writes texts by number, inside the transaction that changes their source data. */
  write(texts: ReadonlyMap<number, readonly PlacedWord[] | undefined>): void {
    const revision = (this.#sql.newest() ?? 0) + 1
    // Held for this write only: a rollback gives the numbers of new words to others.
    const numbers = new Map<string, number>()
    const numOf = (word: string) => {
      const num = numbers.get(word) ?? this.#sql.numOf(word) ?? this.#sql.addWord(word)
      numbers.set(word, num)
      return num
    }
    for (const [block, nums] of byBlock(texts.keys(), TEXTS_IN_BLOCK)) {
      const before = this.#sql.block(block)
      const lists = before ? listsOf(this.#numbersIn(before, block)) : []
      for (const num of nums) {
        lists[num % TEXTS_IN_BLOCK] = (texts.get(num) ?? []).map(
          ({ word, field }) => numOf(word) * 2 ** FIELD_BITS + field,
        )
      }
      this.#sql.write(block, revision, packed(lists))
    }
  }

  read(): HeldTexts {
    const newest = this.#sql.newest() ?? 0
    if (newest > this.#seen) {
      for (const { num, word } of this.#sql.newWords(this.#words.length - 1)) {
        if (num !== this.#words.length) throw damaged(`${this.#table}_words`, `word ${num}`)
        this.#words.push(word)
      }
      for (const { block, data } of this.#sql.changed(this.#seen)) {
        this.#blocks[block] = this.#numbersIn(data, block)
      }
      this.#seen = newest
    }
    return { words: this.#words, blocks: this.#blocks }
  }

  /** @throws {DatabaseError} when the data is not a block of texts: a loop over it would not end */
  #numbersIn(data: Uint8Array, block: number): Uint32Array {
    if (block >= MOST_BLOCKS || data.length % 4 !== 0) throw damaged(this.#table, `block ${block}`)
    // A copy, because the driver's buffer may start at an unaligned byte.
    const numbers = new Uint32Array(new Uint8Array(data).buffer)
    let start = TEXTS_IN_BLOCK
    for (let i = 0; i < TEXTS_IN_BLOCK; i++) {
      const end = numbers[i]
      if (end === undefined || end < start || end > numbers.length) {
        throw damaged(this.#table, `block ${block}`)
      }
      start = end
    }
    return numbers
  }
}

function listsOf(block: Uint32Array): number[][] {
  const lists: number[][] = []
  let start = TEXTS_IN_BLOCK
  for (let i = 0; i < TEXTS_IN_BLOCK; i++) {
    const end = block[i] as number
    lists.push([...block.subarray(start, end)])
    start = end
  }
  return lists
}

function packed(lists: readonly (readonly number[] | undefined)[]): Uint8Array {
  const numbers = new Uint32Array(
    TEXTS_IN_BLOCK + lists.reduce((sum, list) => sum + (list?.length ?? 0), 0),
  )
  let end = TEXTS_IN_BLOCK
  for (let i = 0; i < TEXTS_IN_BLOCK; i++) {
    const list = lists[i] ?? []
    numbers.set(list, end)
    end += list.length
    numbers[i] = end
  }
  return new Uint8Array(numbers.buffer)
}
