import type { AudileError } from '../../src/index.ts'

/** What a promise was rejected with. */
export function failure(promise: Promise<unknown>): Promise<AudileError> {
  return promise.then(
    () => {
      throw new Error('was not rejected')
    },
    (error: unknown) => error as AudileError,
  )
}
