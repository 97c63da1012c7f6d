import { z } from 'zod'
import type { KeyContext } from './context.ts'

export const parameters = z.strictObject({})

/** A key without its secret. */
export interface KeyInfo {
  id: string
  commercial: boolean
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
