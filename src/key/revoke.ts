import { z } from 'zod'
import { LOCAL_KEY } from '../engine-address.ts'
import { KeyError, ParameterError } from '../errors.ts'
import { method } from '../kernel/method.ts'
import type { KeyRoom } from './room.ts'

const parameters = z.strictObject({
  /** The id of the key, as `key/create` answered it. */
  id: z.string().min(1),
})

/**
 * `key/revoke` (ours): revokes a key. Its catalogs stay.
 *
 * @throws {KeyError} `not_allowed` for the key that the database was opened with, and for the default
 *   one: all calls after a later open would be refused
 */
export const revoke = method({
  name: 'key/revoke',
  parameters,
  run({ store, now, config }: KeyRoom, { id }): { id: string } {
    for (const apiKey of new Set([LOCAL_KEY, config.apiKey])) {
      if (store.find(apiKey)?.id !== id) continue
      throw new KeyError(
        'not_allowed',
        `The key "${apiKey}" is the one that calls are made with when no other is named; without it the database could not be used any more. Give callers keys of their own with keys.create(), and revoke those.`,
      )
    }
    if (store.revoke({ id, now: now() }).changes === 0) {
      throw new ParameterError('unknown_identifier', `No active key has the id ${id}.`)
    }
    return { id }
  },
})
