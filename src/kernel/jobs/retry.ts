import { AudileError } from '../../values/errors.ts'

const SOME_ATTEMPTS = 3
/** A failing disk says nothing about the job, but a bad sector stays bad. */
const MANY_ATTEMPTS = 12

/** Others, such as a missing file, do not pass. */
const SYSTEM_ATTEMPTS = new Map<string, number>([
  // Too much is open or in use.
  ...attemptsOfCodes(
    'EMFILE ENFILE EAGAIN EBUSY ETXTBSY ENOMEM ENOLCK EDEADLK EINTR',
    SOME_ATTEMPTS,
  ),
  // A flaky disk, a network drive, a network.
  ...attemptsOfCodes(
    'EIO ENXIO ESTALE ETIMEDOUT ENOTCONN ENETDOWN ENETUNREACH EHOSTDOWN EHOSTUNREACH',
    SOME_ATTEMPTS,
  ),
  ...attemptsOfCodes('ECONNREFUSED ECONNRESET ECONNABORTED EPIPE EAI_AGAIN', SOME_ATTEMPTS),
  // The system ended a process of ours because memory was short.
  ...attemptsOfCodes('ERR_PROCESS_KILLED', SOME_ATTEMPTS),
  // The disk is full. There will be room again.
  ...attemptsOfCodes('ENOSPC EDQUOT', Number.POSITIVE_INFINITY),
])

/** By primary code; others do not pass. */
const SQLITE_ATTEMPTS = new Map<string, number>([
  // The job waits for room, or for the other connection.
  ...attemptsOfCodes('FULL BUSY LOCKED', Number.POSITIVE_INFINITY),
  ...attemptsOfCodes('IOERR', MANY_ATTEMPTS),
  ...attemptsOfCodes('READONLY CANTOPEN NOMEM PROTOCOL INTERRUPT ABORT SCHEMA', SOME_ATTEMPTS),
  // Another process may have written between a read and its write.
  ...attemptsOfCodes('CONSTRAINT', SOME_ATTEMPTS),
])

function attemptsOfCodes(names: string, attempts: number): [code: string, attempts: number][] {
  return names.split(' ').map((code) => [code, attempts])
}

/** Bugs in the program: the same input fails again. */
const PROGRAM_FAULTS = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'])

const MAX_FOLLOWED_CAUSES = 8

/** One attempt when the error cannot pass, some when it may, no limit when the disk is full. */
export function attemptsFor(error: Error): number {
  let cause: unknown = error
  for (let depth = 0; cause instanceof Error && depth < MAX_FOLLOWED_CAUSES; depth++) {
    const attempts = attemptsByCode(cause)
    if (attempts !== undefined) return attempts
    cause = cause.cause
  }
  if (error instanceof AudileError) {
    return error.code === 'internal' || error.code === 'closed' ? SOME_ATTEMPTS : 1
  }
  return PROGRAM_FAULTS.has(error.name) ? 1 : SOME_ATTEMPTS
}

function attemptsByCode(error: Error): number | undefined {
  // The code of an AudileError says nothing about its cause.
  if (error instanceof AudileError) return undefined
  const { code } = error as NodeJS.ErrnoException
  if (typeof code !== 'string') return undefined
  if (error.name === 'SqliteError') return SQLITE_ATTEMPTS.get(code.split('_')[1] ?? '') ?? 1
  // A code of Node itself (ERR_…) does not come from the system.
  return SYSTEM_ATTEMPTS.get(code) ?? (/^E[A-Z0-9]+$/.test(code) ? 1 : undefined)
}
