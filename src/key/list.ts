import { z } from 'zod'
import { method } from '../kernel/method.ts'
import type { KeyRoom } from './room.ts'

/** A key without its secret. */
export interface KeyInfo {
  /** The id of the key, which `revoke` takes. */
  id: string
  /** Whether it may have more than 1,000 catalogs. */
  commercial: boolean
  /** When it was created. */
  createdAt: Date
  /** When it was revoked; absent unless it was. */
  revokedAt?: Date
}

/** `key/list` (ours): all keys, oldest first. */
export const listKeys = method({
  name: 'key/list',
  parameters: z.strictObject({}),
  run({ store }: KeyRoom): KeyInfo[] {
    return store.list().map(({ id, commercial, createdAt, revokedAt }) => ({
      id,
      commercial: commercial === 1,
      createdAt: new Date(createdAt),
      ...(revokedAt !== null && { revokedAt: new Date(revokedAt) }),
    }))
  },
})
