import { z } from 'zod'
import { unknownIdentifier } from '../errors.ts'
import { method } from '../kernel/method.ts'
import { type FeedRoom, REFRESH_JOB } from './room.ts'
import type { FeedRow } from './store.ts'

const id = z.string().min(1)

const parameters = z.strictObject({
  /** Only these feeds. Default: all. */
  id: z.union([id, z.array(id)]).optional(),
})

/**
 * `feed/refresh` (ours): has feeds asked for now, all or some, whether they are due or not. Each is
 * asked for once, however many ask; `feed/settled` waits for it.
 *
 * @throws {ParameterError} `unknown_identifier`
 */
export const refresh = method({
  name: 'feed/refresh',
  parameters,
  run({ store, enqueue }: FeedRoom, given): { ids: string[] } {
    return store.atomically(() => {
      const feeds = given.id === undefined ? store.list() : [given.id].flat().map(find)
      for (const { num, id: subject } of feeds) {
        store.ask(num)
        enqueue({ kind: REFRESH_JOB, subject })
      }
      return { ids: feeds.map((feed) => feed.id) }
    })

    function find(one: string): FeedRow {
      const feed = store.byId(one)
      if (feed) return feed
      throw unknownIdentifier(one)
    }
  },
})
