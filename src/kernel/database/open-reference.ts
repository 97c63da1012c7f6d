import { existsSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { DatabaseError } from '../../values/errors.ts'
import { connectSqlite } from './addon.ts'
import { foreignReason } from './migrate.ts'
import { asDatabaseError } from './sqlite-error.ts'

const REFERENCE_CACHE_KILOBYTES = 16 * 1024
/** Mapped into memory instead of being copied page by page. */
const MAPPED_BYTES = 2 ** 31 - 2 ** 16

/**
 * Opens a database read-only; its schema is not migrated.
 *
 * @throws {DatabaseError} when the file is missing, damaged, foreign or newer
 */
export function openReference(
  path: string,
  options: { nativeBinding?: string | undefined } = {},
): Database {
  const problem = `Cannot open the reference ${path}`
  if (!existsSync(path)) {
    throw new DatabaseError(`${problem}: there is no such file; check the option references.`)
  }
  let db: Database | undefined
  try {
    db = connectSqlite(path, { ...options, readonly: true, fileMustExist: true })
    const version = Number(db.pragma('user_version', { simple: true }))
    const application = Number(db.pragma('application_id', { simple: true }))
    const why = foreignReason(application, version)
    if (why) throw new DatabaseError(`${problem}: ${why}.`)
    db.pragma(`cache_size = -${REFERENCE_CACHE_KILOBYTES}`)
    db.pragma(`mmap_size = ${MAPPED_BYTES}`)
    return db
  } catch (error) {
    db?.close()
    throw asDatabaseError(error, problem)
  }
}
