import { createHash } from 'node:crypto'
import { all, one, run, storeOf } from '../kernel/database/statements.ts'

export interface KeyRow {
  id: string
  commercial: 0 | 1
  createdAt: number
  revokedAt: number | null
}

const SELECT_KEY =
  'SELECT id, commercial, created_at AS createdAt, revoked_at AS revokedAt FROM keys'

export class KeyStore extends storeOf({
  byHash: one<[hash: Buffer], KeyRow>(`${SELECT_KEY} WHERE hash = ?`),
  list: all<[], KeyRow>(`${SELECT_KEY} ORDER BY created_at, id`),
  insert: run<{ id: string; hash: Buffer; commercial: 0 | 1; now: number }>(
    `INSERT INTO keys (id, hash, commercial, created_at) VALUES (@id, @hash, @commercial, @now)
     ON CONFLICT (hash) DO NOTHING`,
  ),
  revoke: run<{ id: string; now: number }>(
    'UPDATE keys SET revoked_at = @now WHERE id = @id AND revoked_at IS NULL',
  ),
}) {
  findKey(apiKey: string): KeyRow | undefined {
    return this.byHash(hashOf(apiKey))
  }

  addKey(id: string, apiKey: string, commercial: boolean, now: number): boolean {
    const hash = hashOf(apiKey)
    return this.insert({ id, hash, commercial: commercial ? 1 : 0, now }).changes > 0
  }
}

function hashOf(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey).digest()
}
