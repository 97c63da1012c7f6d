import { z } from 'zod'
import { ParameterError } from '../errors.ts'
import type { KeyContext } from './context.ts'

export const parameters = z.strictObject({ id: z.string().min(1) })

/** `key/revoke` (ours): ends a key. What was made with it stays. */
export function revoke(
  { store, now }: KeyContext,
  { id }: z.output<typeof parameters>,
): { id: string } {
  if (!store.revoke(id, now())) {
    throw new ParameterError('unknown_identifier', `No active key has the id ${id}.`)
  }
  return { id }
}
