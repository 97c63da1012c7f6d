import { DatabaseError } from '../../values/errors.ts'

/**
 * The error for values that audile never writes. SQLite reports a damaged tree, but never a damaged
 * value.
 */
export function damaged(table: string, where: string): DatabaseError {
  return new DatabaseError(
    `The database is damaged: ${where} of ${table} is not as it was written; restore a backup.`,
  )
}
