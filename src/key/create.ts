import { randomInt, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { invalidParameter } from '../values/errors.ts'
import type { KeyRoom } from './room.ts'

/** A new key. Only the hash of `apiKey` is stored, so it cannot be shown again. */
export interface NewKey {
  /** The id of the key, which `revoke` takes. */
  id: string
  /** The argument of `as()`, and `api_key` of the old protocol. */
  apiKey: string
  /** Whether it may have more than 1,000 catalogs. */
  commercial: boolean
}

const KEY_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
/** As the old service's keys, about 88 bits; some clients send only this length. */
const KEY_LENGTH = 17

/** `key/create` (ours): adds an API key. */
export const createKey = method({
  name: 'key/create',
  parameters: z.strictObject({
    /** A key to use, at most 256 characters. Default: 17 random capitals and digits. */
    apiKey: z.string().min(1).max(256).optional(),
    /** Whether it may have more than 1,000 catalogs. Default false. */
    commercial: z.boolean().default(false),
  }),
  run({ store, now }: KeyRoom, { apiKey = randomKey(), commercial }): NewKey {
    const id = randomUUID()
    if (!store.addKey(id, apiKey, commercial, now())) {
      throw invalidParameter('apiKey', 'this key exists already; choose another one')
    }
    return { id, apiKey, commercial }
  },
})

function randomKey(): string {
  return Array.from(
    { length: KEY_LENGTH },
    () => KEY_CHARACTERS[randomInt(KEY_CHARACTERS.length)],
  ).join('')
}
