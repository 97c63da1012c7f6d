import { z } from 'zod'
import type { FeedContext } from './context.ts'
import { describe, type FeedInfo } from './sources.ts'

export const parameters = z.strictObject({})

/** `feed/list` (ours): all feeds, in the order they were added. */
export function list({ store }: FeedContext): FeedInfo[] {
  const items = store.countItems()
  return store.list().map((row) => describe(row, items.get(row.num) ?? 0))
}
