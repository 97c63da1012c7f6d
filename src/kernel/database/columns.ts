import type { Database } from 'better-sqlite3'
import { damaged } from './damage.ts'
import { count, each, run, statements, value } from './statements.ts'

type ColumnType = 'f64' | 'i32' | 'i16' | 'u8'

export type Layout<N extends string> = Readonly<Record<N, ColumnType>>

const ARRAYS = { f64: Float64Array, i32: Int32Array, i16: Int16Array, u8: Uint8Array } as const
type Column = Float64Array | Int32Array | Int16Array | Uint8Array

/** Rows in a block. A change of one row writes the whole block. */
export const BLOCK = 512
/** Row numbers are below this; a higher number comes from a damaged file. */
const MOST_ROWS = 2 ** 31

/** The statements of a table of blocks, `(block, revision, data)`. */
export const blockStatements = (table: string) => ({
  newest: value<[], number | null>(`SELECT max(revision) FROM ${table}`),
  changed: each<[after: number], { block: number; data: Buffer }>(
    `SELECT block, data FROM ${table} WHERE revision > ?`,
  ),
  block: value<[block: number], Buffer>(`SELECT data FROM ${table} WHERE block = ?`),
  write: run<[block: number, revision: number, data: Uint8Array]>(
    `INSERT OR REPLACE INTO ${table} (block, revision, data) VALUES (?, ?, ?)`,
  ),
})

/**
 * Numeric columns, stored as blocks in a table `(block, revision, data)` and held in memory as arrays. A
 * filter over a million rows is then a loop over an array, instead of a read of all their pages.
 *
 * The number of a row is its index in the arrays. Each change, by any process, raises the revision
 * of its blocks, so an update in memory reads only the blocks that changed.
 */
export class Columns<N extends string> {
  readonly #table: string
  readonly #layout: Layout<N>
  readonly #names: readonly N[]
  readonly #bytes: number
  readonly #sql
  #seen = 0
  #writes = 0
  #held: Record<N, Column>
  #length = 0

  /** @param table - a constant, never user input */
  constructor(db: Database, table: string, layout: Layout<N>) {
    this.#table = table
    this.#layout = layout
    // The widest columns come first, so that each array in a block is aligned to its element size.
    this.#names = (Object.keys(layout) as N[]).sort(
      (a, b) => widthOf(layout[b]) - widthOf(layout[a]),
    )
    this.#bytes = BLOCK * this.#names.reduce((sum, name) => sum + widthOf(layout[name]), 0)
    // A temporary table is private to this connection. A rollback also resets its count, which
    // shows that columns read inside that transaction are wrong.
    db.exec(`CREATE TEMP TABLE IF NOT EXISTS ${table}_writes (count INTEGER NOT NULL);
      INSERT INTO temp.${table}_writes SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM temp.${table}_writes)`)
    this.#sql = statements({
      ...blockStatements(table),
      countWrite: count<[]>(`UPDATE temp.${table}_writes SET count = count + 1 RETURNING count`),
      writesCounted: count<[]>(`SELECT count FROM temp.${table}_writes`),
    })(db)
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
    const revision = this.revision + 1
    this.#writes = this.#sql.countWrite()
    for (const [block, nums] of byBlock(rows.keys(), BLOCK)) {
      const bytes = new Uint8Array(this.#bytes)
      const before = this.#sql.block(block)
      if (before) {
        this.#check(block, before)
        bytes.set(before)
      }
      let offset = 0
      for (const name of this.#names) {
        const column = new ARRAYS[this.#layout[name]](bytes.buffer, offset, BLOCK)
        for (const num of nums) {
          const row = rows.get(num)
          column[num % BLOCK] = row === undefined ? 0 : valueIn(row, name)
        }
        offset += column.byteLength
      }
      this.#sql.write(block, revision, bytes)
    }
  }

  /** Grows with each change by any process. */
  get revision(): number {
    return this.#sql.newest() ?? 0
  }

  /** The current columns. Each has at least one value more than the highest row number. */
  read(): { length: number; columns: Readonly<Record<N, Column>> } {
    this.#forgetRolledBack()
    const newest = this.revision
    if (newest > this.#seen) {
      for (const { block, data } of this.#sql.changed(this.#seen)) this.#take(block, data)
      this.#seen = newest
    }
    return { length: this.#length, columns: this.#held }
  }

  /** Forgets the rows of a rolled-back transaction, because its revision will be used again. */
  #forgetRolledBack(): void {
    const writes = this.#sql.writesCounted()
    if (writes === this.#writes) return
    this.#writes = writes
    this.#seen = 0
    this.#length = 0
    this.#held = this.#empty(0)
  }

  #take(block: number, data: Buffer): void {
    const start = block * BLOCK
    this.#check(block, data)
    this.#reserve(start + BLOCK)
    // A copy, because the driver's buffer may start at an unaligned byte.
    const bytes = new Uint8Array(data)
    let offset = 0
    for (const name of this.#names) {
      const column = new ARRAYS[this.#layout[name]](bytes.buffer, offset, BLOCK)
      this.#held[name].set(column, start)
      offset += column.byteLength
    }
  }

  /** @throws {DatabaseError} when the data is not a block of this table */
  #check(block: number, data: Buffer): void {
    if (block * BLOCK < MOST_ROWS && data.length === this.#bytes) return
    throw damaged(this.#table, `block ${block}`)
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

/** Groups numbers by block, with `size` numbers in a block. */
export function byBlock(nums: Iterable<number>, size: number): Map<number, number[]> {
  const blocks = new Map<number, number[]>()
  for (const num of nums) {
    const block = Math.floor(num / size)
    const members = blocks.get(block) ?? []
    blocks.set(block, members)
    members.push(num)
  }
  return blocks
}

function widthOf(type: ColumnType): number {
  return ARRAYS[type].BYTES_PER_ELEMENT
}
