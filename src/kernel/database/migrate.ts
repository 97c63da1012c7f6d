import type { Database } from 'better-sqlite3'
import { DatabaseError } from '../../values/errors.ts'
import { ARTISTS_SCHEMA } from './schema/artists.ts'
import { CATALOGS_SCHEMA } from './schema/catalogs.ts'
import { ENGINE_SCHEMA } from './schema/engine.ts'
import { FEEDS_SCHEMA } from './schema/feeds.ts'
import { LIBRARY_SCHEMA } from './schema/library.ts'
import { RECORDINGS_SCHEMA } from './schema/recordings.ts'
import { SONGS_SCHEMA } from './schema/songs.ts'
import { TRACKS_SCHEMA } from './schema/tracks.ts'
import { transaction } from './transaction.ts'

/** A step never changes after its release; the version of a database is its number of steps. */
export const MIGRATIONS: readonly string[] = [
  ENGINE_SCHEMA +
    TRACKS_SCHEMA +
    ARTISTS_SCHEMA +
    SONGS_SCHEMA +
    RECORDINGS_SCHEMA +
    CATALOGS_SCHEMA +
    FEEDS_SCHEMA +
    LIBRARY_SCHEMA,
]

// 'audl' in ASCII.
export const APPLICATION_ID = 0x6175646c
// 'aud1': databases from before the first release.
const UNRELEASED_ID = 0x61756431

/** `undefined` when the database can be used. */
export function foreignReason(
  application: number,
  version: number,
  newest = MIGRATIONS.length,
): string | undefined {
  if (application === UNRELEASED_ID) {
    return 'it was written by an unreleased version of audile; export tracks, songs and catalogs with that version, and import them here'
  }
  if (application !== APPLICATION_ID) {
    return `it is a SQLite database of another program (application_id ${application}); name another file`
  }
  if (version > newest) {
    return `it was written by a newer audile (schema ${version}, this one knows ${newest}); update the audile package`
  }
  return undefined
}

/**
 * @throws {DatabaseError} when the file belongs to another program, or a newer or unreleased audile
 */
export function migrateDatabase(db: Database, migrations = MIGRATIONS): void {
  const migrateStep = (): boolean => {
    const version = db.pragma('user_version', { simple: true }) as number
    const application = db.pragma('application_id', { simple: true }) as number
    const isEmpty =
      db
        .prepare("SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
        .pluck()
        .get() === 0
    const isNew = application === 0 && version === 0 && isEmpty
    const problem = isNew ? undefined : foreignReason(application, version, migrations.length)
    if (problem) throw new DatabaseError(`Cannot open ${db.name}: ${problem}.`)
    const sql = migrations[version]
    if (sql === undefined) return false
    db.exec(sql)
    const dangling = db.pragma('foreign_key_check') as { table: string }[]
    if (dangling[0]) {
      throw new DatabaseError(
        `${db.name} cannot be brought to schema ${version + 1}: rows of ${dangling[0].table} name others that are gone; restore a backup.`,
      )
    }
    db.pragma(`application_id = ${APPLICATION_ID}`)
    db.pragma(`user_version = ${version + 1}`)
    return true
  }
  // In one transaction, as two processes may open a file; dropping a table must not empty others.
  db.pragma('foreign_keys = OFF')
  const atomically = transaction(db)
  while (atomically(migrateStep));
  db.pragma('foreign_keys = ON')
}
