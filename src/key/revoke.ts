import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { LOCAL_KEY } from '../options/engine-address.ts'
import { KeyError, ParameterError } from '../values/errors.ts'
import type { KeyRoom } from './room.ts'

/** `key/revoke` (ours): revokes a key. Its catalogs stay. */
export const revokeKey = method({
  name: 'key/revoke',
  parameters: z.strictObject({
    /** The id of the key, as `key/create` answered it. */
    id: z.string().min(1),
  }),
  run({ store, now, config }: KeyRoom, { id }): { id: string } {
    for (const apiKey of new Set([LOCAL_KEY, config.apiKey])) {
      if (store.findKey(apiKey)?.id !== id) continue
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
