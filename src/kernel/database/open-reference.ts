import { existsSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { DatabaseError } from '../../errors.ts'
import { connect } from './addon.ts'
import { APPLICATION_ID, MIGRATIONS } from './migrate.ts'
import { asDatabaseError } from './sqlite-error.ts'

/** The oldest schema whose tables of songs, artists and fingerprints are as they are now. */
const OLDEST = 10

/** The most memory for pages of one file. */
const CACHE_KILOBYTES = 16 * 1024
/** Bytes of the file that are mapped into memory instead of being copied page by page. */
const MAPPED_BYTES = 2 ** 31 - 2 ** 16

/**
 * Opens a database to be read only, which other processes may have open too. It is not brought to the
 * newest schema.
 *
 * @throws {DatabaseError} that names the file and the remedy, when it is missing, damaged, of another
 * program, or of an audile that is too old or too new
 */
export function openReference(path: string, options: { nativeBinding?: string } = {}): Database {
  const problem = `Cannot open the reference ${path}`
  if (!existsSync(path)) {
    throw new DatabaseError(`${problem}: there is no such file; check the option references.`)
  }
  let db: Database | undefined
  try {
    db = connect(path, { ...options, readonly: true, fileMustExist: true })
    const version = Number(db.pragma('user_version', { simple: true }))
    const application = Number(db.pragma('application_id', { simple: true }))
    if (application !== APPLICATION_ID) {
      throw new DatabaseError(`${problem}: it is no database of audile; name another file.`)
    }
    if (version > MIGRATIONS.length) {
      throw new DatabaseError(
        `${problem}: it was written by a newer audile (schema ${version}, this one knows ${MIGRATIONS.length}); update the audile package.`,
      )
    }
    if (version < OLDEST) {
      throw new DatabaseError(
        `${problem}: it was written by an older audile (schema ${version}, at least ${OLDEST} is needed); open it once as a database of its own, which brings it up to date.`,
      )
    }
    db.pragma(`cache_size = -${CACHE_KILOBYTES}`)
    db.pragma(`mmap_size = ${MAPPED_BYTES}`)
    return db
  } catch (error) {
    db?.close()
    throw asDatabaseError(error, problem)
  }
}
