import { AudileError } from '../../values/errors.ts'

/** Attempts for an error that may pass. */
const SOME = 3
/**
 * Attempts when the disk under the database fails. That says nothing about the job, and giving it up
 * would need a write to the same disk. A single bad sector stays bad, though: after about nine minutes
 * the job ends and reports it.
 */
const MANY = 12

/** Attempts by the code of a system error. Others, such as a missing file, do not pass. */
const SYSTEM = new Map<string, number>([
  // Too much is open or in use.
  ...codes('EMFILE ENFILE EAGAIN EBUSY ETXTBSY ENOMEM ENOLCK EDEADLK EINTR', SOME),
  // A flaky disk, a network drive, a network.
  ...codes('EIO ENXIO ESTALE ETIMEDOUT ENOTCONN ENETDOWN ENETUNREACH EHOSTDOWN EHOSTUNREACH', SOME),
  ...codes('ECONNREFUSED ECONNRESET ECONNABORTED EPIPE EAI_AGAIN', SOME),
  // The system ended one of our processes because memory was short.
  ...codes('ERR_PROCESS_KILLED', SOME),
  // The disk is full. There will be room again.
  ...codes('ENOSPC EDQUOT', Number.POSITIVE_INFINITY),
])

/** Attempts by the primary code of an error of SQLite. Others do not pass. */
const SQLITE = new Map<string, number>([
  // The job waits for room, or for the other connection.
  ...codes('FULL BUSY LOCKED', Number.POSITIVE_INFINITY),
  ...codes('IOERR', MANY),
  ...codes('READONLY CANTOPEN NOMEM PROTOCOL INTERRUPT ABORT SCHEMA', SOME),
  // Another process may have written between a read and the write that follows from it.
  ...codes('CONSTRAINT', SOME),
])

function codes(names: string, attempts: number): [code: string, attempts: number][] {
  return names.split(' ').map((code) => [code, attempts])
}

/** Names of errors that are bugs in the program: the same input fails again. */
const FAULTS = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'])

const MOST_CAUSES = 8

/**
 * The number of attempts at a job that meets this error: one when the error cannot pass (not audio, a
 * missing or changed file, a wrong parameter, a damaged database), three when it may (a worker that died,
 * too many open files, a flaky drive), twelve when the disk under the database fails, and no limit when
 * the disk is full or another connection holds the file.
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
  // The code of an AudileError says nothing about its cause.
  if (error instanceof AudileError) return undefined
  const { code } = error as NodeJS.ErrnoException
  if (typeof code !== 'string') return undefined
  if (error.name === 'SqliteError') return SQLITE.get(code.split('_')[1] ?? '') ?? 1
  // A code of Node itself (ERR_…) does not come from the system.
  return SYSTEM.get(code) ?? (/^E[A-Z0-9]+$/.test(code) ? 1 : undefined)
}
