import { Blocks } from './blocks.ts'
import { damaged } from './damage.ts'
import type { Database } from './open.ts'
import { each, run, statements } from './statements.ts'

/** Texts in a block. */
export const TEXTS_IN_BLOCK = 256
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
 * Short texts as lists of word numbers. A search through the texts of 100,000 songs is a loop over
 * a million numbers, whatever the query. The number of a text tells its block and its place there.
 */
export class Texts extends Blocks {
  readonly #sql
  readonly #table: string
  #words: string[] = ['']
  /** The numbers of words, for writing: an index in the database takes longer than all the rest. */
  readonly #numbers = new Map<string, number>()
  readonly #blocks: (Uint32Array | undefined)[] = []

  /** @param table - a constant; the words are in the table of this name with `_words` */
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
  write(texts: ReadonlyMap<number, readonly PlacedWord[] | undefined>): void {
    this.forgetUndone()
    this.#learn()
    for (let num = this.#numbers.size + 1; num < this.#words.length; num++) {
      this.#numbers.set(this.#words[num] as string, num)
    }
    this.change(texts.keys(), (before, nums) => {
      const lists = before ? listsOf(new Uint32Array(before.buffer)) : []
      for (const num of nums) {
        lists[num % TEXTS_IN_BLOCK] = (texts.get(num) ?? []).map(
          ({ word, field }) => this.#numberOf(word) * 2 ** FIELD_BITS + field,
        )
      }
      return packed(lists)
    })
  }

  read(): HeldTexts {
    this.update()
    this.#learn()
    return { words: this.#words, blocks: this.#blocks }
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word)
    if (known !== undefined) return known
    const num = this.#words.push(word) - 1
    this.#numbers.set(word, num)
    this.#sql.addWord(num, word)
    return num
  }

  /** Reads the words that other processes added. */
  #learn(): void {
    for (const { num, word } of this.#sql.newWords(this.#words.length - 1)) {
      if (num !== this.#words.length) throw damaged(`${this.#table}_words`, `word ${num}`)
      this.#words.push(word)
    }
  }

  /** Whether each text ends behind the one before: a loop over others would not end. */
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

  protected override hold(block: number, data: Uint8Array<ArrayBuffer>): void {
    this.#blocks[block] = new Uint32Array(data.buffer)
  }

  protected override forget(): void {
    // A new list tells the vocabulary of a search that the numbers are given again.
    this.#words = ['']
    this.#numbers.clear()
    this.#blocks.length = 0
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
