import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { ParameterError } from '../errors.ts'
import type { KeyContext } from './context.ts'

export const parameters = z.strictObject({
  /** A key of one's own choice; old programs carry fixed ones. Default: a random one. */
  apiKey: z.string().min(1).max(256).optional(),
  /** A non-commercial key holds at most 1,000 catalogs. Default false. */
  commercial: z.boolean().default(false),
})

/** A new key. `apiKey` is shown this once; only its hash is kept. */
export interface NewKey {
  /** By which it is revoked. */
  id: string
  /** For `as()`, and as `api_key` of the old protocol. */
  apiKey: string
  /** Whether it may have more than 1,000 catalogs. */
  commercial: boolean
}

/** `key/create` (ours): adds an API key. */
export function create(
  { store, now }: KeyContext,
  {
    apiKey = randomBytes(12).toString('hex').toUpperCase(),
    commercial,
  }: z.output<typeof parameters>,
): NewKey {
  const id = randomUUID()
  if (!store.add(id, apiKey, commercial, now())) {
    throw new ParameterError(
      'invalid_parameter',
      'apiKey - Invalid parameter: this key exists already; choose another one',
    )
  }
  return { id, apiKey, commercial }
}
