import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { MIGRATIONS, migrate } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'
import { DatabaseError } from '../../src/errors.ts'
import { scratch } from '../support/scratch.ts'

function schemaOf(db: Sqlite.Database): string {
  return db
    .prepare<[], string>(
      "SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name",
    )
    .pluck()
    .all()
    .join('\n')
}

describe('migrations', () => {
  it('are numbered one after the other', () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, i) => i + 1))
  })

  it('make the schema that is checked in', async () => {
    const db = openDatabase(':memory:')
    await expect(`${schemaOf(db)}\n`).toMatchFileSnapshot('../golden/schema.sql')
    db.close()
  })

  it('bring each older version to the newest', () => {
    for (let known = 0; known <= MIGRATIONS.length; known++) {
      const db = new Sqlite(':memory:')
      migrate(db, MIGRATIONS.slice(0, known))
      migrate(db)
      const fresh = openDatabase(':memory:')
      expect(schemaOf(db)).toBe(schemaOf(fresh))
      db.close()
      fresh.close()
    }
  })

  it('leave nothing of a step that fails', () => {
    const db = new Sqlite(':memory:')
    const broken = { version: 1, name: 'broken', sql: 'CREATE TABLE a (b); CREATE TABLE a (b);' }
    expect(() => migrate(db, [broken])).toThrow(/already exists/)
    expect(schemaOf(db)).toBe('')
    expect(db.pragma('user_version', { simple: true })).toBe(0)
    db.close()
  })

  it('refuse a database of a newer audile, and do not touch it', () => {
    const path = join(scratch(), 'newer.db')
    const db = openDatabase(path)
    db.pragma(`user_version = ${MIGRATIONS.length + 1}`)
    db.close()
    expect(() => openDatabase(path)).toThrow(DatabaseError)
    expect(() => openDatabase(path)).toThrow(/newer audile.*update/)
  })

  it('refuse a database of another program', () => {
    const path = join(scratch(), 'other.db')
    const db = new Sqlite(path)
    db.exec('CREATE TABLE theirs (a)')
    db.close()
    expect(() => openDatabase(path)).toThrow(/another program/)
  })
})
