import { z } from 'zod'
import type { KeyContext } from './context.ts'

export const parameters = z.strictObject({})

/** A key without its secret. */
export interface KeyInfo {
  /** By which it is revoked. */
  id: string
  /** Whether it may have more than 1,000 catalogs. */
  commercial: boolean
  /** When it was made. */
  createdAt: Date
  /** Set when it is not valid any more. */
  revokedAt?: Date
}

/** `key/list` (ours): all keys, oldest first. */
export function list({ store }: KeyContext): KeyInfo[] {
  return store.list().map(({ id, commercial, createdAt, revokedAt }) => ({
    id,
    commercial: commercial === 1,
    createdAt: new Date(createdAt),
    ...(revokedAt !== null && { revokedAt: new Date(revokedAt) }),
  }))
}
