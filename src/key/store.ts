import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'

/** A key as stored; the key itself is not, only its hash. */
export interface KeyRow {
  id: string
  commercial: 0 | 1
  createdAt: number
  revokedAt: number | null
}

const SELECT = 'SELECT id, commercial, created_at AS createdAt, revoked_at AS revokedAt FROM keys'

/** The table `keys`. */
export class KeyStore {
  readonly #db: Database
  readonly #byHash
  readonly #insert

  constructor(db: Database) {
    this.#db = db
    this.#byHash = db.prepare<[Buffer], KeyRow>(`${SELECT} WHERE hash = ?`)
    this.#insert = db.prepare<{ id: string; hash: Buffer; commercial: number; now: number }>(
      `INSERT INTO keys (id, hash, commercial, created_at) VALUES (@id, @hash, @commercial, @now)
       ON CONFLICT (hash) DO NOTHING`,
    )
  }

  /** The record of a key, revoked or not. */
  find(apiKey: string): KeyRow | undefined {
    return this.#byHash.get(hashOf(apiKey))
  }

  /** Adds a key; false when it is there already. */
  add(id: string, apiKey: string, commercial: boolean, now: number): boolean {
    const row = { id, hash: hashOf(apiKey), commercial: commercial ? 1 : 0, now }
    return this.#insert.run(row).changes > 0
  }

  list(): KeyRow[] {
    return this.#db.prepare<[], KeyRow>(`${SELECT} ORDER BY created_at, id`).all()
  }

  /** Marks a key as revoked; false when there is no such active key. */
  revoke(id: string, now: number): boolean {
    return (
      this.#db
        .prepare('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
        .run(now, id).changes > 0
    )
  }
}

function hashOf(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey).digest()
}
