import { damaged } from './damage.ts'
import type { Database } from './open.ts'
import { count, each, run, statements, value } from './statements.ts'

/**
 * Numbered rows, stored as blocks in a table `(block, revision, data)` and held in memory. Each
 * change, by any process, raises the revision of its blocks, so an update in memory reads only the
 * blocks that changed. A change of one row writes the whole block.
 */
export abstract class Blocks {
  readonly #table: string
  readonly #rows: number
  readonly #mostRows: number
  readonly #sql
  #seen = 0
  #writes = 0

  /**
   * @param table - a constant, never user input
   * @param rows - rows in a block
   * @param mostRows - row numbers are below this; a higher number comes from a damaged file
   */
  constructor(db: Database, table: string, rows: number, mostRows: number) {
    this.#table = table
    this.#rows = rows
    this.#mostRows = mostRows
    // A temporary table is private to this connection. A rollback also resets its count, which
    // shows that blocks read inside that transaction are wrong.
    db.exec(`CREATE TEMP TABLE IF NOT EXISTS ${table}_writes (count INTEGER NOT NULL);
      INSERT INTO temp.${table}_writes SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM temp.${table}_writes)`)
    this.#sql = statements({
      newest: value<[], number | null>(`SELECT max(revision) FROM ${table}`),
      changed: each<[after: number], { block: number; data: Buffer }>(
        `SELECT block, data FROM ${table} WHERE revision > ?`,
      ),
      block: value<[block: number], Buffer>(`SELECT data FROM ${table} WHERE block = ?`),
      write: run<[block: number, revision: number, data: Uint8Array]>(
        `INSERT OR REPLACE INTO ${table} (block, revision, data) VALUES (?, ?, ?)`,
      ),
      countWrite: count<[]>(`UPDATE temp.${table}_writes SET count = count + 1 RETURNING count`),
      writesCounted: count<[]>(`SELECT count FROM temp.${table}_writes`),
    })(db)
  }

  /** Whether the data may be a block of this table. */
  protected abstract isSound(data: Uint8Array): boolean
  /** Holds a block that is new or changed. */
  protected abstract hold(block: number, data: Uint8Array<ArrayBuffer>): void
  /** Forgets all that is held. */
  protected abstract forget(): void

  /** Grows with each change by any process. */
  get revision(): number {
    return this.#sql.newest() ?? 0
  }

  /**
   * Writes the blocks of rows, inside the transaction that changes their source data.
   *
   * @param change - makes the new data of a block, from what it was and the numbers of rows in it
   * @throws {DatabaseError} when a block is damaged
   */
  protected change(
    rows: Iterable<number>,
    change: (before: Uint8Array<ArrayBuffer> | undefined, nums: readonly number[]) => Uint8Array,
  ): void {
    const blocks = new Map<number, number[]>()
    for (const num of rows) {
      const block = Math.floor(num / this.#rows)
      const nums = blocks.get(block) ?? []
      blocks.set(block, nums)
      nums.push(num)
    }
    const revision = this.revision + 1
    this.forgetUndone()
    this.#writes = this.#sql.countWrite()
    for (const [block, nums] of blocks) {
      const before = this.#sql.block(block)
      this.#sql.write(block, revision, change(before && this.#checked(block, before), nums))
    }
  }

  /**
   * Holds what changed.
   *
   * @throws {DatabaseError} when a block is damaged
   */
  protected update(): void {
    this.forgetUndone()
    const newest = this.revision
    if (newest <= this.#seen) return
    for (const { block, data } of this.#sql.changed(this.#seen)) {
      this.hold(block, this.#checked(block, data))
    }
    this.#seen = newest
  }

  /** Forgets all after a rollback of a write, because its revision will be used again. */
  protected forgetUndone(): void {
    const writes = this.#sql.writesCounted()
    if (writes === this.#writes) return
    this.#writes = writes
    this.#seen = 0
    this.forget()
  }

  /** A copy, because the driver's buffer may start at an unaligned byte. */
  #checked(block: number, data: Buffer): Uint8Array<ArrayBuffer> {
    if (block * this.#rows < this.#mostRows && this.isSound(data)) return new Uint8Array(data)
    throw damaged(this.#table, `block ${block}`)
  }
}
