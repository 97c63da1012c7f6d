import { z } from 'zod'
import { method } from '../kernel/method.ts'
import type { FeedRoom } from './room.ts'
import { describe, type FeedInfo } from './sources.ts'

const parameters = z.strictObject({})

/** `feed/list` (ours): all feeds, in the order they were added. */
export const list = method({
  name: 'feed/list',
  parameters,
  run({ store }: FeedRoom): FeedInfo[] {
    const items = store.countItems()
    return store.list().map((row) => describe(row, items.get(row.num) ?? 0))
  },
})
