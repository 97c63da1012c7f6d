import { DatabaseError } from '../../values/errors.ts'

/** For values that audile never writes; SQLite reports damaged trees only. */
export function damaged(table: string, where: string): DatabaseError {
  return new DatabaseError(
    `The database is damaged: ${where} of ${table} is not as it was written; restore a backup.`,
  )
}
