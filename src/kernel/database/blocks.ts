import { damaged } from './damage.ts'
import type { Database } from './open.ts'
import { all, count, each, run, statements, value } from './statements.ts'

export interface RevisedBlock {
  block: number
  revision: number
}

/**
 * Numbered rows as blocks `(block, revision, data)`, also in memory; an update reads only changed
 * blocks.
 */
export abstract class RowBlocks {
  readonly #table: string
  readonly #rows: number
  readonly #maxRows: number
  readonly #sql
  #seenRevision = 0
  #countedWrites = 0

  /** `table` is a constant, `rows` those of a block; a number from `maxRows` on means damage. */
  constructor(db: Database, table: string, rows: number, maxRows: number) {
    this.#table = table
    this.#rows = rows
    this.#maxRows = maxRows
    // Private to this connection; a rollback resets it, which shows that blocks read inside are
    // wrong.
    db.exec(`CREATE TEMP TABLE IF NOT EXISTS ${table}_writes (count INTEGER NOT NULL);
      INSERT INTO temp.${table}_writes SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM temp.${table}_writes)`)
    this.#sql = statements({
      newest: value<[], number | null>(`SELECT max(revision) FROM ${table}`),
      changed: each<[after: number], { block: number; data: Buffer }>(
        `SELECT block, data FROM ${table} WHERE revision > ?`,
      ),
      revised: all<[after: number], RevisedBlock>(
        `SELECT block, revision FROM ${table} WHERE revision > ?`,
      ),
      block: value<[block: number], Buffer>(`SELECT data FROM ${table} WHERE block = ?`),
      write: run<[block: number, revision: number, data: Uint8Array]>(
        `INSERT OR REPLACE INTO ${table} (block, revision, data) VALUES (?, ?, ?)`,
      ),
      countWrite: count<[]>(`UPDATE temp.${table}_writes SET count = count + 1 RETURNING count`),
      writesCounted: count<[]>(`SELECT count FROM temp.${table}_writes`),
    })(db)
  }

  protected abstract isSound(data: Uint8Array<ArrayBuffer>): boolean
  protected abstract holdBlock(block: number, data: Uint8Array<ArrayBuffer>): void
  protected abstract forgetAll(): void

  /** Grows with each change by any process. */
  get revision(): number {
    return this.#sql.newest() ?? 0
  }

  /**
   * Inside the transaction that changes the source data.
   *
   * @throws {DatabaseError} when a block is damaged
   */
  protected changeBlocks(
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
    this.#countedWrites = this.#sql.countWrite()
    for (const [block, nums] of blocks) {
      const stored = this.#sql.block(block)
      this.#sql.write(block, revision, change(stored && this.#checkBlock(block, stored), nums))
    }
  }

  /** @throws {DatabaseError} when a block is damaged */
  protected updateBlocks(): void {
    this.forgetUndone()
    const newest = this.revision
    if (newest <= this.#seenRevision) return
    for (const { block, data } of this.#sql.changed(this.#seenRevision)) {
      this.holdBlock(block, this.#checkBlock(block, data))
    }
    this.#seenRevision = newest
  }

  /** The blocks that changed since the last call, for those that hold a part. */
  protected revisedBlocks(): RevisedBlock[] {
    this.forgetUndone()
    const newest = this.revision
    if (newest <= this.#seenRevision) return []
    const revised = this.#sql.revised(this.#seenRevision)
    this.#seenRevision = newest
    for (const { block } of revised) {
      if (block * this.#rows >= this.#maxRows) throw damaged(this.#table, `block ${block}`)
    }
    return revised
  }

  /** @throws {DatabaseError} when the block is damaged */
  protected readBlock(block: number): Uint8Array<ArrayBuffer> | undefined {
    const data = this.#sql.block(block)
    return data && this.#checkBlock(block, data)
  }

  /** After a rollback of a write its revision will be used again. */
  protected forgetUndone(): void {
    const writes = this.#sql.writesCounted()
    if (writes === this.#countedWrites) return
    this.#countedWrites = writes
    this.#seenRevision = 0
    this.forgetAll()
  }

  /** The driver's buffer may start at an unaligned byte, so this is a copy. */
  #checkBlock(block: number, data: Buffer): Uint8Array<ArrayBuffer> {
    const copy = new Uint8Array(data)
    if (block * this.#rows < this.#maxRows && this.isSound(copy)) return copy
    throw damaged(this.#table, `block ${block}`)
  }
}
