import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { busyTimeout } from '../../../src/kernel/database/lock-wait.ts'
import { openDatabase } from '../../../src/kernel/database/open.ts'
import { DatabaseError } from '../../../src/values/errors.ts'
import { scratch } from '../../support/scratch.ts'

const run = promisify(execFile)

describe('openDatabase', () => {
  it('uses WAL, waits for locks, and checks foreign keys', () => {
    const db = openDatabase(join(scratch(), 'music.db'))
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
    expect(busyTimeout(db)).toBeGreaterThanOrEqual(5000)
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1)
    db.close()
  })

  it('says which folder is missing', () => {
    const path = join(scratch(), 'no', 'music.db')
    expect(() => openDatabase(path)).toThrow(/folder .*no does not exist/)
  })

  it('says that a file is no database', () => {
    const path = join(scratch(), 'text.db')
    writeFileSync(path, 'This is not a database, however long it may be. '.repeat(100))
    expect(() => openDatabase(path)).toThrow(DatabaseError)
    expect(() => openDatabase(path)).toThrow(/SQLITE_NOTADB.*name another/)
  })

  // The super-user may write anywhere, and Windows has no such modes.
  it.skipIf((process.getuid?.() ?? 0) === 0)('says that a folder is not writable', () => {
    const folder = scratch()
    chmodSync(folder, 0o500)
    expect(() => openDatabase(join(folder, 'music.db'))).toThrow(/permissions|writable/)
    chmodSync(folder, 0o700)
  })

  it('waits while another process has the whole file for itself', async () => {
    const path = join(scratch(), 'locked.db')
    const script = `
      const db = require('better-sqlite3')(process.argv[1]);
      db.exec('BEGIN EXCLUSIVE');
      console.log('locked');
      setTimeout(() => db.exec('ROLLBACK'), 1000);`
    const other = spawn(process.execPath, ['-e', script, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(other.stdout, 'data')
    const db = openDatabase(path)
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
    db.close()
    if (other.exitCode === null) await once(other, 'exit')
  })

  it('lets two processes write to one file', async () => {
    const path = join(scratch(), 'shared.db')
    openDatabase(path).close()
    const script = `
      const db = require('better-sqlite3')(process.argv[1]);
      db.pragma('busy_timeout = 1800000');
      const add = db.prepare("INSERT INTO engines VALUES (?, 1, 1, 'h', 1)");
      for (let i = 0; i < 300; i++) add.run(process.argv[2] + i);
      db.close();`
    const started = ['a', 'b'].map((name) => run(process.execPath, ['-e', script, path, name]))
    await Promise.all(started)
    const db = openDatabase(path)
    expect(db.prepare('SELECT count(*) FROM engines').pluck().get()).toBe(600)
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    db.close()
  })
})
