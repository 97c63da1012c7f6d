import { RowBlocks } from './blocks.ts'
import { damaged } from './damage.ts'
import type { Database } from './open.ts'
import { each, run, statements } from './statements.ts'

export const TEXTS_IN_BLOCK = 256
/** The low bits of a number in a text hold the word's field. */
export const FIELD_BITS = 3

export interface PlacedWord {
  word: string
  field: number
}

export interface LoadedTexts {
  /** From 1 on; a word stays when no text uses it any more. */
  readonly words: readonly string[]
  /**
   * Each block begins with the ends of its texts, then come their words as {@link FIELD_BITS} says.
   */
  readonly blocks: readonly (Uint32Array | undefined)[]
}

/** Short texts as lists of word numbers: a search is a loop over numbers, whatever the query. */
export class TextBlocks extends RowBlocks {
  readonly #sql
  readonly #table: string
  #words: string[] = ['']
  /** For writing: an index in the database is slower than all the rest. */
  readonly #numbers = new Map<string, number>()
  readonly #blocks: (Uint32Array | undefined)[] = []

  /** `table` is a constant, with its words in the table `…_words`. */
  constructor(db: Database, table: string) {
    super(db, table, TEXTS_IN_BLOCK, 2 ** 31)
    this.#table = table
    this.#sql = statements({
      addWord: run<[num: number, word: string]>(`INSERT INTO ${table}_words VALUES (?, ?)`),
      newWords: each<[after: number], { num: number; word: string }>(
        `SELECT num, word FROM ${table}_words WHERE num > ? ORDER BY num`,
      ),
    })(db)
  }

  /** Writes texts by number, inside the transaction that changes their source data. */
  writeTexts(texts: ReadonlyMap<number, readonly PlacedWord[] | undefined>): void {
    this.forgetUndone()
    this.#readNewWords()
    for (let num = this.#numbers.size + 1; num < this.#words.length; num++) {
      this.#numbers.set(this.#words[num] as string, num)
    }
    this.changeBlocks(texts.keys(), (oldData, nums) => {
      const lists = oldData ? unpackLists(new Uint32Array(oldData.buffer)) : []
      for (const num of nums) {
        lists[num % TEXTS_IN_BLOCK] = (texts.get(num) ?? []).map(
          ({ word, field }) => this.#numberOf(word) * 2 ** FIELD_BITS + field,
        )
      }
      return packLists(lists)
    })
  }

  readTexts(): LoadedTexts {
    this.updateBlocks()
    this.#readNewWords()
    return { words: this.#words, blocks: this.#blocks }
  }

  #numberOf(word: string): number {
    const knownNumber = this.#numbers.get(word)
    if (knownNumber !== undefined) return knownNumber
    const num = this.#words.push(word) - 1
    this.#numbers.set(word, num)
    this.#sql.addWord(num, word)
    return num
  }

  /** Reads the words that other processes added. */
  #readNewWords(): void {
    for (const { num, word } of this.#sql.newWords(this.#words.length - 1)) {
      if (num !== this.#words.length) throw damaged(`${this.#table}_words`, `word ${num}`)
      this.#words.push(word)
    }
  }

  /** Texts must end one behind the other: a loop over others would not end. */
  protected override isSound(data: Uint8Array): boolean {
    if (data.length % 4 !== 0) return false
    const numbers = new Uint32Array(new Uint8Array(data).buffer)
    let start = TEXTS_IN_BLOCK
    for (let i = 0; i < TEXTS_IN_BLOCK; i++) {
      const end = numbers[i]
      if (end === undefined || end < start || end > numbers.length) return false
      start = end
    }
    return true
  }

  protected override holdBlock(block: number, data: Uint8Array<ArrayBuffer>): void {
    this.#blocks[block] = new Uint32Array(data.buffer)
  }

  protected override forgetAll(): void {
    // A new list tells searches that the numbers are given again.
    this.#words = ['']
    this.#numbers.clear()
    this.#blocks.length = 0
  }
}

function unpackLists(block: Uint32Array): number[][] {
  const lists: number[][] = []
  let start = TEXTS_IN_BLOCK
  for (let i = 0; i < TEXTS_IN_BLOCK; i++) {
    const end = block[i] as number
    lists.push([...block.subarray(start, end)])
    start = end
  }
  return lists
}

function packLists(lists: readonly (readonly number[] | undefined)[]): Uint8Array {
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
