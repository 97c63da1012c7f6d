import type { Database } from 'better-sqlite3'
import { DatabaseError } from '../../errors.ts'
import { house } from './migrations/0001-house.ts'
import { songs } from './migrations/0002-songs.ts'
import { reference } from './migrations/0003-reference.ts'
import { similarity } from './migrations/0004-similarity.ts'
import { names } from './migrations/0005-names.ts'
import { catalogs } from './migrations/0006-catalogs.ts'
import { feeds } from './migrations/0007-feeds.ts'
import { documentDates } from './migrations/0008-document-dates.ts'
import { jobWaits } from './migrations/0009-job-waits.ts'
import { indexLayout } from './migrations/0010-index-layout.ts'
import { summaryFacts } from './migrations/0011-summary-facts.ts'
import { corrections } from './migrations/0012-corrections.ts'
import { trackFiles } from './migrations/0013-track-files.ts'
import { importedAnalyses } from './migrations/0014-imported-analyses.ts'
import { library } from './migrations/0015-library.ts'
import { impressions } from './migrations/0016-impressions.ts'
import { summaryVersions } from './migrations/0017-summary-versions.ts'
import { failedJobs } from './migrations/0018-failed-jobs.ts'
import { transaction } from './transaction.ts'

/** A step of the schema. It never changes after a release; a change is a later step. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
}

/** All steps, in order, numbered 1, 2, 3 … */
export const MIGRATIONS: readonly Migration[] = [
  house,
  songs,
  reference,
  similarity,
  names,
  catalogs,
  feeds,
  documentDates,
  jobWaits,
  indexLayout,
  summaryFacts,
  corrections,
  trackFiles,
  importedAnalyses,
  library,
  impressions,
  summaryVersions,
  failedJobs,
]

// 'aud1' in ASCII. It marks a SQLite database as one of audile.
export const APPLICATION_ID = 0x61756431

/**
 * Brings the database to the newest schema, each step in its own transaction.
 *
 * @throws {DatabaseError} when the file belongs to another program or to a newer audile
 */
export function migrate(db: Database, migrations: readonly Migration[] = MIGRATIONS): void {
  const newest = migrations.length
  const step = (): boolean => {
    const version = db.pragma('user_version', { simple: true }) as number
    const application = db.pragma('application_id', { simple: true }) as number
    const empty =
      db
        .prepare("SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
        .pluck()
        .get() === 0
    if (application !== APPLICATION_ID && !(application === 0 && version === 0 && empty)) {
      throw new DatabaseError(
        `${db.name} is a SQLite database of another program (application_id ${application}); name another file.`,
      )
    }
    if (version > newest) {
      throw new DatabaseError(
        `${db.name} was written by a newer audile (schema ${version}, this one knows ${newest}); update the audile package.`,
      )
    }
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
