import type { Database } from './open.ts'
import { statements, value } from './statements.ts'

const MAX_CACHED_COUNTS = 50_000
/** Changed rows hardly change the count of a common token. */
const COMMON_TOKEN_ROWS = 1000

/** Caches how many rows of a full-text table contain a token. */
export class TokenCounts {
  readonly #sql
  readonly #counts = new Map<string, number>()
  #countedRevision = 0

  /** Constants: an fts5vocab table of rows, and a table with a revision. */
  constructor(db: Database, tables: { counts: string; revised: string }) {
    this.#sql = statements({
      count: value<[token: string], number>(`SELECT doc FROM ${tables.counts} WHERE term = ?`),
      revision: value<[], number | null>(`SELECT max(revision) FROM ${tables.revised}`),
    })(db)
  }

  /** Call it before {@link of}. */
  dropStale(): void {
    const revision = this.#sql.revision() ?? 0
    if (revision === this.#countedRevision) return
    this.#countedRevision = revision
    for (const [token, count] of this.#counts)
      if (count < COMMON_TOKEN_ROWS) this.#counts.delete(token)
  }

  of(token: string): number {
    const cachedCount = this.#counts.get(token)
    if (cachedCount !== undefined) return cachedCount
    const count = this.#sql.count(token) ?? 0
    // Zero is not cached, so that a new token is found at once.
    if (count === 0) return 0
    if (this.#counts.size >= MAX_CACHED_COUNTS) this.#counts.clear()
    this.#counts.set(token, count)
    return count
  }
}
