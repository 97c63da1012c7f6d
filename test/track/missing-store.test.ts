import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { MissingStore } from '../../src/track/missing-store.ts'
import { madeLibrary, storeLibrary } from '../support/made-library.ts'
import { scratch } from '../support/scratch.ts'

const FOUND = "INSERT INTO track_files (path, track_id) SELECT '/music/' || id, id FROM tracks"

it('knows what its own connection changed, and what was rolled back', () => {
  const path = join(scratch(), 'music.db')
  storeLibrary(path, madeLibrary(3))
  const db = openDatabase(path)
  try {
    db.exec('INSERT OR IGNORE INTO track_nums (track_id) SELECT id FROM tracks')
    const store = new MissingStore(db)
    const missing = (change: string) => {
      db.exec(change)
      return store.nums().size
    }
    expect(missing('')).toBe(3)
    expect(missing('UPDATE tracks SET spooled = 1')).toBe(0)
    expect(missing('UPDATE tracks SET spooled = 0')).toBe(3)
    expect(missing(`BEGIN; ${FOUND}`)).toBe(0)
    // As many changes as were rolled back.
    expect(missing('ROLLBACK; UPDATE tracks SET spooled = 0')).toBe(3)
    expect(missing(FOUND)).toBe(0)
    expect(missing('UPDATE track_files SET present = 0')).toBe(3)
    expect(missing('UPDATE track_files SET present = 1')).toBe(0)
    expect(missing('DELETE FROM track_files')).toBe(3)
  } finally {
    db.close()
  }
})
