import { AudileError } from '../values/errors.ts'

// The outcomes of calls that were not answered.

/** The notice that the server is about to close: further calls need another connection. */
export const LEAVING = 'leaving'

const NOT_BEGUN = 'AUDILE_NOT_BEGUN'

/** A closing server refused a call before it started. The client sends the call again. */
export class NotStarted extends Error {
  /** It crosses the connection. */
  readonly code = NOT_BEGUN

  constructor() {
    super('The engine is served no more.')
  }
}

/** Whether the other side has refused a call as {@link NotStarted}. */
export function isNotStarted(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === NOT_BEGUN
}

/** The error of a call that had started, or was on its way, when the connection was lost. */
export function unknownOutcome(engine: string, method: string, cause: Error): AudileError {
  return new AudileError(
    'unknown_outcome',
    `The connection to ${engine} was lost before "${method}" was answered: it may or may not have been done. Look whether it was, before you call it again.`,
    { cause },
  )
}
