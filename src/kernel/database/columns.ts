import type { Database } from 'better-sqlite3'
import { RowBlocks } from './blocks.ts'

type ColumnType = 'f64' | 'i32' | 'i16' | 'u8'

export type ColumnLayout<N extends string> = Readonly<Record<N, ColumnType>>

const COLUMN_ARRAYS = {
  f64: Float64Array,
  i32: Int32Array,
  i16: Int16Array,
  u8: Uint8Array,
} as const
type ColumnArray = Float64Array | Int32Array | Int16Array | Uint8Array

export const ROWS_IN_BLOCK = 512

/** Numeric columns: a filter is a loop over an array instead of a read of all pages. */
export class Columns<N extends string> extends RowBlocks {
  readonly #layout: ColumnLayout<N>
  readonly #names: readonly N[]
  readonly #bytes: number
  #columns: Record<N, ColumnArray>
  #length = 0

  /** @param table - a constant, never user input */
  constructor(db: Database, table: string, layout: ColumnLayout<N>) {
    super(db, table, ROWS_IN_BLOCK, 2 ** 31)
    this.#layout = layout
    // The widest first, so that each array in a block is aligned.
    this.#names = (Object.keys(layout) as N[]).sort(
      (a, b) => elementBytes(layout[b]) - elementBytes(layout[a]),
    )
    this.#bytes =
      ROWS_IN_BLOCK * this.#names.reduce((sum, name) => sum + elementBytes(layout[name]), 0)
    this.#columns = this.#emptyColumns(0)
  }

  /** Inside the transaction that changes the source data; `undefined` clears a row. */
  writeRows<Row>(
    rows: ReadonlyMap<number, Row | undefined>,
    valueIn: (row: Row, column: N) => number,
  ): void {
    this.changeBlocks(rows.keys(), (oldBytes, nums) => {
      const bytes = oldBytes ?? new Uint8Array(this.#bytes)
      for (const [name, column] of this.#columnsIn(bytes)) {
        for (const num of nums) {
          const row = rows.get(num)
          column[num % ROWS_IN_BLOCK] = row === undefined ? 0 : valueIn(row, name)
        }
      }
      return bytes
    })
  }

  /** Each column has at least one value more than the highest row number. */
  readColumns(): { length: number; columns: Readonly<Record<N, ColumnArray>> } {
    this.updateBlocks()
    return { length: this.#length, columns: this.#columns }
  }

  protected override isSound({ length }: Uint8Array): boolean {
    return length === this.#bytes
  }

  protected override holdBlock(block: number, bytes: Uint8Array<ArrayBuffer>): void {
    const start = block * ROWS_IN_BLOCK
    this.#reserveRows(start + ROWS_IN_BLOCK)
    for (const [name, column] of this.#columnsIn(bytes)) this.#columns[name].set(column, start)
  }

  protected override forgetAll(): void {
    this.#length = 0
    this.#columns = this.#emptyColumns(0)
  }

  #columnsIn({ buffer }: Uint8Array<ArrayBuffer>): [N, ColumnArray][] {
    let offset = 0
    return this.#names.map((name) => {
      const column = new COLUMN_ARRAYS[this.#layout[name]](buffer, offset, ROWS_IN_BLOCK)
      offset += column.byteLength
      return [name, column]
    })
  }

  #reserveRows(length: number): void {
    if (length > this.#columns[this.#names[0] as N].length) {
      const oldColumns = this.#columns
      this.#columns = this.#emptyColumns(Math.ceil((length * 1.25) / ROWS_IN_BLOCK) * ROWS_IN_BLOCK)
      for (const name of this.#names) this.#columns[name].set(oldColumns[name])
    }
    this.#length = Math.max(this.#length, length)
  }

  #emptyColumns(length: number): Record<N, ColumnArray> {
    const columns = this.#names.map((name) => [name, new COLUMN_ARRAYS[this.#layout[name]](length)])
    return Object.fromEntries(columns) as Record<N, ColumnArray>
  }
}

function elementBytes(type: ColumnType): number {
  return COLUMN_ARRAYS[type].BYTES_PER_ELEMENT
}
