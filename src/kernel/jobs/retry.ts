import { AudileError } from '../../errors.ts'

/** A trouble of the moment is worth so many attempts. */
const SOME = 3
/**
 * The disk under the database failed. That says nothing about the job, and a job can be given up
 * only by a write to that same disk, so a disk that is gone gives up nothing. A single bad sector
 * stays bad, though: after so many attempts, about nine minutes, the job ends and tells of it.
 */
const MANY = 12

/** Attempts by the code of an error of the system; a missing or forbidden file stays so. */
const SYSTEM: Readonly<Record<string, number>> = {
  // Too much is open or in use.
  EMFILE: SOME,
  ENFILE: SOME,
  EAGAIN: SOME,
  EBUSY: SOME,
  ETXTBSY: SOME,
  ENOMEM: SOME,
  ENOLCK: SOME,
  EDEADLK: SOME,
  EINTR: SOME,
  // A flaky disk, a network drive, a network.
  EIO: SOME,
  ENXIO: SOME,
  ESTALE: SOME,
  ETIMEDOUT: SOME,
  ENOTCONN: SOME,
  ENETDOWN: SOME,
  ENETUNREACH: SOME,
  EHOSTDOWN: SOME,
  EHOSTUNREACH: SOME,
  ECONNREFUSED: SOME,
  ECONNRESET: SOME,
  ECONNABORTED: SOME,
  EPIPE: SOME,
  EAI_AGAIN: SOME,
  // Someone ended a process of ours: the system, when memory was short.
  ERR_PROCESS_KILLED: SOME,
  // No room: there will be again.
  ENOSPC: Number.POSITIVE_INFINITY,
  EDQUOT: Number.POSITIVE_INFINITY,
}

/** Attempts by the primary code of an error of SQLite; one that is not here does not pass. */
const SQLITE: Readonly<Record<string, number>> = {
  // The work is as good as before: it waits for room, or for the other connection.
  SQLITE_FULL: Number.POSITIVE_INFINITY,
  SQLITE_BUSY: Number.POSITIVE_INFINITY,
  SQLITE_LOCKED: Number.POSITIVE_INFINITY,
  SQLITE_IOERR: MANY,
  SQLITE_READONLY: SOME,
  SQLITE_CANTOPEN: SOME,
  SQLITE_NOMEM: SOME,
  SQLITE_PROTOCOL: SOME,
  SQLITE_INTERRUPT: SOME,
  SQLITE_ABORT: SOME,
  SQLITE_SCHEMA: SOME,
  // Another process may have written between a look and the write that came of it.
  SQLITE_CONSTRAINT: SOME,
}

/** What fails like this is a fault of the program: the same input fails again. */
const FAULTS = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'])

const MOST_CAUSES = 8

/**
 * How often a job is tried in all that meets this error: once when it cannot pass (not audio, the
 * file is gone or has changed, a wrong parameter, a damaged database), three times when it may (a
 * worker that died, too many open files, a flaky drive), twelve times when the disk under the
 * database fails, and until it passes when the disk is full or another connection holds the file.
 */
export function attemptsFor(error: Error): number {
  let cause: unknown = error
  for (let depth = 0; cause instanceof Error && depth < MOST_CAUSES; depth++) {
    const known = attemptsByCode(cause)
    if (known !== undefined) return known
    cause = cause.cause
  }
  if (error instanceof AudileError) {
    return error.code === 'internal' || error.code === 'closed' ? SOME : 1
  }
  return FAULTS.has(error.name) ? 1 : SOME
}

function attemptsByCode(error: Error): number | undefined {
  // A class of ours has a code too, which says nothing about what caused it.
  if (error instanceof AudileError) return undefined
  const { code } = error as NodeJS.ErrnoException
  if (typeof code !== 'string') return undefined
  if (error.name === 'SqliteError') return SQLITE[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ''] ?? 1
  // Codes of Node itself (ERR_…) tell how it was called, not what the system said.
  return SYSTEM[code] ?? (/^E[A-Z0-9]+$/.test(code) ? 1 : undefined)
}
