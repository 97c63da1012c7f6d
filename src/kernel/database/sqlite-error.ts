import { DatabaseError } from '../../values/errors.ts'

/** An error of SQLite says what to do; any other error stays unchanged. */
export function asDatabaseError<T>(error: T, doing = 'The database refused'): T | DatabaseError {
  if (!(error instanceof Error) || error.name !== 'SqliteError') return error
  const code = String((error as Error & { code?: string }).code)
  return new DatabaseError(`${doing}: ${error.message} (${code})${sqliteRemedy(code)}`, {
    cause: error,
  })
}

export function isDamage(error: unknown): boolean {
  return error instanceof Error && /^SQLITE_CORRUPT/.test(String(Object(error).code))
}

function sqliteRemedy(code: string): string {
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return '; another process holds the file, try again when it is done'
  }
  if (code.startsWith('SQLITE_FULL')) return '; the disk is full, free some space'
  if (code.startsWith('SQLITE_READONLY')) return '; the file or its folder is not writable'
  if (code.startsWith('SQLITE_CANTOPEN')) return '; check the path and its permissions'
  if (code.startsWith('SQLITE_NOTADB')) return '; the file is no SQLite database, name another one'
  if (code.startsWith('SQLITE_CORRUPT')) return '; the file is damaged, restore a backup'
  return ''
}
