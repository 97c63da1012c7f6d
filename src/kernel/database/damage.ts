import { DatabaseError } from '../../values/errors.ts'

/**
 * What to throw for values that audile never writes: SQLite tells of a damaged tree, never of a damaged
 * value.
 */
export function damaged(table: string, where: string): DatabaseError {
  return new DatabaseError(
    `The database is damaged: ${where} of ${table} is not as it was written; restore a backup.`,
  )
}
