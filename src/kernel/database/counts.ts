import type { Database } from './open.ts'

/** Counts held at most. */
const HELD = 50_000
/** What so many rows have stays common, whatever comes and goes. */
const COMMON = 1000

/**
 * How many rows of a full-text table have a token. Held in memory, so that asking again costs
 * nothing; when the rows have changed, the counts of rare tokens are forgotten, those of common ones
 * are right enough.
 */
export class Counts {
  readonly #count
  readonly #revision
  readonly #held = new Map<string, number>()
  #heldAt = 0

  /** @param tables - names of our own: an fts5vocab table of rows, and one that has a revision */
  constructor(db: Database, tables: { counts: string; revised: string }) {
    this.#count = db
      .prepare<[string], number>(`SELECT doc FROM ${tables.counts} WHERE term = ?`)
      .pluck()
    this.#revision = db
      .prepare<[], number | null>(`SELECT max(revision) FROM ${tables.revised}`)
      .pluck()
  }

  /** Forgets what may no longer be right; before a number of calls of {@link of}. */
  refresh(): void {
    const revision = this.#revision.get() ?? 0
    if (revision === this.#heldAt) return
    this.#heldAt = revision
    for (const [token, count] of this.#held) if (count < COMMON) this.#held.delete(token)
  }

  of(token: string): number {
    const held = this.#held.get(token)
    if (held !== undefined) return held
    const count = this.#count.get(token) ?? 0
    // None is not held: a token that comes must not be taken for unknown.
    if (count === 0) return 0
    if (this.#held.size >= HELD) this.#held.clear()
    this.#held.set(token, count)
    return count
  }
}
