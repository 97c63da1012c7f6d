import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { MIGRATIONS, migrateDatabase } from '../../../src/kernel/database/migrate.ts'
import { openDatabase } from '../../../src/kernel/database/open.ts'
import { openReference } from '../../../src/kernel/database/open-reference.ts'
import { DatabaseError } from '../../../src/values/errors.ts'
import { scratch } from '../../support/scratch.ts'

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
  it('make the schema that is checked in', async () => {
    const db = openDatabase(':memory:')
    await expect(`${schemaOf(db)}\n`).toMatchFileSnapshot('../../golden/schema.sql')
    db.close()
  })

  it('bring a database of an older version to the newest, with what it holds', () => {
    const db = new Sqlite(':memory:')
    const steps = [
      'CREATE TABLE shelves (num INTEGER PRIMARY KEY);',
      // A table that others refer to is replaced, and they keep their rows.
      `CREATE TABLE books (shelf REFERENCES shelves (num) ON DELETE CASCADE);
          INSERT INTO books SELECT num FROM shelves;
          CREATE TABLE labelled (num INTEGER PRIMARY KEY, label TEXT);
          INSERT INTO labelled SELECT num, 'shelf ' || num FROM shelves;
          DROP TABLE shelves;
          ALTER TABLE labelled RENAME TO shelves;`,
    ]
    migrateDatabase(db, steps.slice(0, 1))
    db.exec('INSERT INTO shelves VALUES (7)')
    migrateDatabase(db, steps)
    expect(db.pragma('user_version', { simple: true })).toBe(2)
    expect(db.prepare('SELECT label FROM books JOIN shelves ON num = shelf').pluck().all()).toEqual(
      ['shelf 7'],
    )
    migrateDatabase(db, steps)
    expect(db.prepare('SELECT count(*) FROM books').pluck().get()).toBe(1)
    db.close()
  })

  it('refuse a step that leaves rows without what they refer to', () => {
    const db = new Sqlite(':memory:')
    const sql = `CREATE TABLE shelves (num INTEGER PRIMARY KEY);
      CREATE TABLE books (shelf REFERENCES shelves (num)); INSERT INTO books VALUES (1);`
    expect(() => migrateDatabase(db, [sql])).toThrow(/rows of books/)
    expect(schemaOf(db)).toBe('')
    db.close()
  })

  it('leave nothing of a step that fails', () => {
    const db = new Sqlite(':memory:')
    const broken = 'CREATE TABLE a (b); CREATE TABLE a (b);'
    expect(() => migrateDatabase(db, [broken])).toThrow(/already exists/)
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

  it('refuse a database of a version that was never released, and say how to go on', () => {
    const path = join(scratch(), 'unreleased.db')
    const db = new Sqlite(path)
    db.exec(
      `CREATE TABLE tracks (id); PRAGMA application_id = ${0x61756431}; PRAGMA user_version = 18`,
    )
    db.close()
    for (const opening of [() => openDatabase(path), () => openReference(path)]) {
      expect(opening).toThrow(DatabaseError)
      expect(opening).toThrow(
        /unreleased version of audile; export .* with that version, and import/,
      )
    }
    expect(new Sqlite(path).pragma('user_version', { simple: true })).toBe(18)
  })

  it('refuse a database of another program', () => {
    const path = join(scratch(), 'other.db')
    const db = new Sqlite(path)
    db.exec('CREATE TABLE theirs (a)')
    db.close()
    expect(() => openDatabase(path)).toThrow(/another program/)
  })
})
