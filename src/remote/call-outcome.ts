import { AudileError } from '../values/errors.ts'

// What is known of a call that was not answered.

/** The notice that the engine is about to be served no more: further calls are for another connection. */
export const LEAVING = 'leaving'

const NOT_BEGUN = 'AUDILE_NOT_BEGUN'

/** A call came when the engine was about to be served no more: it was not begun. It is sent again. */
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

/** The end of a call that was begun, or on its way, when the connection was lost. */
export function unknownOutcome(engine: string, method: string, cause: Error): AudileError {
  return new AudileError(
    'unknown_outcome',
    `The connection to ${engine} was lost before "${method}" was answered: it may or may not have been done. Look whether it was, before you call it again.`,
    { cause },
  )
}
