import type { Database } from './open.ts'
import { statements, value } from './statements.ts'

const HELD = 50_000
/** Rows from which on a token is common: added or removed rows hardly change its count. */
const COMMON = 1000

/**
 * Counts the rows of a full-text table that contain a token, and caches the counts. When rows
 * change, it drops the counts of rare tokens; those of common tokens stay accurate enough.
 */
export class Counts {
  readonly #sql
  readonly #held = new Map<string, number>()
  #heldAt = 0

  /** @param tables - constants: an fts5vocab table of rows, and a table with a revision */
  constructor(db: Database, tables: { counts: string; revised: string }) {
    this.#sql = statements({
      count: value<[token: string], number>(`SELECT doc FROM ${tables.counts} WHERE term = ?`),
      revision: value<[], number | null>(`SELECT max(revision) FROM ${tables.revised}`),
    })(db)
  }

  /** Drops counts that may be wrong. Call it before {@link of}. */
  refresh(): void {
    const revision = this.#sql.revision() ?? 0
    if (revision === this.#heldAt) return
    this.#heldAt = revision
    for (const [token, count] of this.#held) if (count < COMMON) this.#held.delete(token)
  }

  of(token: string): number {
    const held = this.#held.get(token)
    if (held !== undefined) return held
    const count = this.#sql.count(token) ?? 0
    // Zero is not cached, so that a new token is found at once.
    if (count === 0) return 0
    if (this.#held.size >= HELD) this.#held.clear()
    this.#held.set(token, count)
    return count
  }
}
