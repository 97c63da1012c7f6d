import { AudileError, ClosedError } from '../values/errors.ts'

/** Further calls need another connection, because the server is about to close. */
export const LEAVING_NOTICE = 'leaving'

const NOT_STARTED_CODE = 'AUDILE_NOT_BEGUN'

/** A closing server refused a call before it started; the client sends it again. */
export class NotStarted extends Error {
  readonly code = NOT_STARTED_CODE

  constructor() {
    super('The engine is served no more.')
  }
}

export function isNotStarted(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === NOT_STARTED_CODE
}

/** The call had started, or was on its way, when the connection was lost. */
export function unknownOutcome(engine: string, method: string, cause: Error): AudileError {
  return new AudileError(
    'unknown_outcome',
    `The connection to ${engine} was lost before "${method}" was answered: it may or may not have been done. Look whether it was, before you call it again.`,
    { cause },
  )
}

export function closedForGood(reasonText: string, cause?: unknown): ClosedError {
  return new ClosedError(`${reasonText.replace(/\.?$/, '.')} Open a new Audile to go on.`, {
    cause,
  })
}
