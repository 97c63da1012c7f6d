import type { Database } from 'better-sqlite3'
import { DatabaseError } from '../../values/errors.ts'
import { schema } from './schema/0001-schema.ts'
import { transaction } from './transaction.ts'

/** A step of the schema. It never changes after its release; later changes are new steps. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
}

/** All steps, in order, numbered 1, 2, 3 … */
export const MIGRATIONS: readonly Migration[] = [schema]

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
export function migrate(db: Database, migrations: readonly Migration[] = MIGRATIONS): void {
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
    if (!next) return false
    db.exec(next.sql)
    const dangling = db.pragma('foreign_key_check') as { table: string }[]
    if (dangling[0]) {
      throw new DatabaseError(
        `${db.name} cannot be brought to schema ${next.version}: rows of ${dangling[0].table} name others that are gone; restore a backup.`,
      )
    }
    db.pragma(`application_id = ${APPLICATION_ID}`)
    db.pragma(`user_version = ${next.version}`)
    return true
  }
  // The version is read and written in one transaction, because two processes may open a file at once.
  // A step may replace a table; dropping the old one must not empty tables that refer to it.
  db.pragma('foreign_keys = OFF')
  const atomically = transaction(db)
  while (atomically(step));
  db.pragma('foreign_keys = ON')
}
