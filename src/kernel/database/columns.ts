import type { Database } from 'better-sqlite3'
import { Blocks } from './blocks.ts'

type ColumnType = 'f64' | 'i32' | 'i16' | 'u8'

export type Layout<N extends string> = Readonly<Record<N, ColumnType>>

const ARRAYS = { f64: Float64Array, i32: Int32Array, i16: Int16Array, u8: Uint8Array } as const
type Column = Float64Array | Int32Array | Int16Array | Uint8Array

/** Rows in a block. */
export const BLOCK = 512

/**
 * Numeric columns. A filter over a million rows is a loop over an array, instead of a read of all
 * their pages. The number of a row is its index in the arrays.
 */
export class Columns<N extends string> extends Blocks {
  readonly #layout: Layout<N>
  readonly #names: readonly N[]
  readonly #bytes: number
  #held: Record<N, Column>
  #length = 0

  /** @param table - a constant, never user input */
  constructor(db: Database, table: string, layout: Layout<N>) {
    super(db, table, BLOCK, 2 ** 31)
    this.#layout = layout
    // The widest columns come first, so that each array in a block is aligned to its element size.
    this.#names = (Object.keys(layout) as N[]).sort(
      (a, b) => widthOf(layout[b]) - widthOf(layout[a]),
    )
    this.#bytes = BLOCK * this.#names.reduce((sum, name) => sum + widthOf(layout[name]), 0)
    this.#held = this.#empty(0)
  }

  /**
   * Writes rows by number, inside the transaction that changes their source data; `undefined`
   * clears a row.
   */
  write<Row>(
    rows: ReadonlyMap<number, Row | undefined>,
    valueIn: (row: Row, column: N) => number,
  ): void {
    this.change(rows.keys(), (before, nums) => {
      const bytes = before ?? new Uint8Array(this.#bytes)
      for (const [name, column] of this.#columnsIn(bytes)) {
        for (const num of nums) {
          const row = rows.get(num)
          column[num % BLOCK] = row === undefined ? 0 : valueIn(row, name)
        }
      }
      return bytes
    })
  }

  /** The current columns. Each has at least one value more than the highest row number. */
  read(): { length: number; columns: Readonly<Record<N, Column>> } {
    this.update()
    return { length: this.#length, columns: this.#held }
  }

  protected override isSound({ length }: Uint8Array): boolean {
    return length === this.#bytes
  }

  protected override hold(block: number, bytes: Uint8Array<ArrayBuffer>): void {
    const start = block * BLOCK
    this.#reserve(start + BLOCK)
    for (const [name, column] of this.#columnsIn(bytes)) this.#held[name].set(column, start)
  }

  protected override forget(): void {
    this.#length = 0
    this.#held = this.#empty(0)
  }

  #columnsIn({ buffer }: Uint8Array<ArrayBuffer>): [N, Column][] {
    let offset = 0
    return this.#names.map((name) => {
      const column = new ARRAYS[this.#layout[name]](buffer, offset, BLOCK)
      offset += column.byteLength
      return [name, column]
    })
  }

  #reserve(length: number): void {
    if (length > this.#held[this.#names[0] as N].length) {
      const before = this.#held
      this.#held = this.#empty(Math.ceil((length * 1.25) / BLOCK) * BLOCK)
      for (const name of this.#names) this.#held[name].set(before[name])
    }
    this.#length = Math.max(this.#length, length)
  }

  #empty(length: number): Record<N, Column> {
    const made = this.#names.map((name) => [name, new ARRAYS[this.#layout[name]](length)])
    return Object.fromEntries(made) as Record<N, Column>
  }
}

function widthOf(type: ColumnType): number {
  return ARRAYS[type].BYTES_PER_ELEMENT
}
