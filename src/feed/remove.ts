import { z } from 'zod'
import { unknownIdentifier } from '../errors.ts'
import { method } from '../kernel/method.ts'
import { FEEDS, type FeedRoom, REFRESH_JOB, REMOVE_JOB } from './room.ts'

const parameters = z.strictObject({
  /** As `feed/add` answered it. */
  id: z.string().min(1),
})

/**
 * `feed/remove` (ours): removes a feed and the items that no other feed has.
 *
 * @throws {ParameterError} `unknown_identifier`
 * @throws the signal's reason on abort; the feed is gone all the same
 */
export const remove = method({
  name: 'feed/remove',
  parameters,
  async run(context: FeedRoom, { id }, { signal }): Promise<{ id: string }> {
    const { store, changes } = context
    const num = store.atomically(() => {
      const feed = store.byId(id)
      if (!feed) throw unknownIdentifier(id)
      store.removing(feed.num)
      context.cancel(REFRESH_JOB, id)
      context.enqueue({ kind: REMOVE_JOB, subject: String(feed.num) })
      return feed.num
    })
    changes.poke(FEEDS)
    return changes.until(FEEDS, signal, () => (store.isLeft(num) ? undefined : { id }))
  },
})
