import type { Database } from 'better-sqlite3'
import { DatabaseError } from '../../values/errors.ts'
import { ARTISTS } from './schema/artists.ts'
import { CATALOGS } from './schema/catalogs.ts'
import { ENGINE } from './schema/engine.ts'
import { FEEDS } from './schema/feeds.ts'
import { LIBRARY } from './schema/library.ts'
import { RECORDINGS } from './schema/recordings.ts'
import { SONGS } from './schema/songs.ts'
import { TRACKS } from './schema/tracks.ts'
import { transaction } from './transaction.ts'

/**
 * The SQL of each step, in order; the version of a database is the number of its steps. A step
 * never changes after its release; later changes are new steps.
 */
export const MIGRATIONS: readonly string[] = [
  ENGINE + TRACKS + ARTISTS + SONGS + RECORDINGS + CATALOGS + FEEDS + LIBRARY,
]

// 'audl' in ASCII. It marks a SQLite database as one of audile.
export const APPLICATION_ID = 0x6175646c
// 'aud1' in ASCII: databases of the versions before the first release.
const UNRELEASED = 0x61756431

/** Why a database cannot be used, by its application id and version; `undefined` when it can. */
export function foreignness(
  application: number,
  version: number,
  newest = MIGRATIONS.length,
): string | undefined {
  if (application === UNRELEASED) {
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
 * Brings the database to the newest schema, each step in its own transaction.
 *
 * @throws {DatabaseError} when the file belongs to another program, to a newer audile or to an unreleased one
 */
export function migrate(db: Database, migrations = MIGRATIONS): void {
  const step = (): boolean => {
    const version = db.pragma('user_version', { simple: true }) as number
    const application = db.pragma('application_id', { simple: true }) as number
    const empty =
      db
        .prepare("SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
        .pluck()
        .get() === 0
    const isNew = application === 0 && version === 0 && empty
    const problem = isNew ? undefined : foreignness(application, version, migrations.length)
    if (problem) throw new DatabaseError(`Cannot open ${db.name}: ${problem}.`)
    const next = migrations[version]
    if (next === undefined) return false
    db.exec(next)
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
  // The version is read and written in one transaction, because two processes may open a file at once.
  // A step may replace a table; dropping the old one must not empty tables that refer to it.
  db.pragma('foreign_keys = OFF')
  const atomically = transaction(db)
  while (atomically(step));
  db.pragma('foreign_keys = ON')
}
