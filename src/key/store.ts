import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { all, one, run, statements } from '../kernel/database/statements.ts'

/** A stored key, of which only the hash is stored. */
export interface KeyRow {
  id: string
  commercial: 0 | 1
  createdAt: number
  revokedAt: number | null
}

const SELECT = 'SELECT id, commercial, created_at AS createdAt, revoked_at AS revokedAt FROM keys'

const prepare = statements({
  byHash: one<[hash: Buffer], KeyRow>(`${SELECT} WHERE hash = ?`),
  list: all<[], KeyRow>(`${SELECT} ORDER BY created_at, id`),
  insert: run<{ id: string; hash: Buffer; commercial: number; now: number }>(
    `INSERT INTO keys (id, hash, commercial, created_at) VALUES (@id, @hash, @commercial, @now)
     ON CONFLICT (hash) DO NOTHING`,
  ),
  revoke: run<[now: number, id: string]>(
    'UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  ),
})

/** The table `keys`. */
export class KeyStore {
  readonly #sql

  constructor(db: Database) {
    this.#sql = prepare(db)
  }

  /** Finds a key, revoked or not. */
  find(apiKey: string): KeyRow | undefined {
    return this.#sql.byHash(hashOf(apiKey))
  }

  /** Adds a key; false when it exists already. */
  add(id: string, apiKey: string, commercial: boolean, now: number): boolean {
    const row = { id, hash: hashOf(apiKey), commercial: commercial ? 1 : 0, now }
    return this.#sql.insert(row).changes > 0
  }

  list(): KeyRow[] {
    return this.#sql.list()
  }

  /** Revokes a key; false when there is no such active key. */
  revoke(id: string, now: number): boolean {
    return this.#sql.revoke(now, id).changes > 0
  }
}

function hashOf(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey).digest()
}
