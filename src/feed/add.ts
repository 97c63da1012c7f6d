import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { artistOf } from '../artist/apply-record.ts'
import { findArtist } from '../artist/find-artist.ts'
import { unknownIdentifier } from '../errors.ts'
import { method } from '../kernel/method.ts'
import { name } from '../parameter-types.ts'
import { type FeedRoom, REFRESH_JOB } from './room.ts'
import { addressOf, describe, type FeedInfo } from './sources.ts'
import type { FeedRow } from './store.ts'

const parameters = z
  .strictObject({
    /** Address of an RSS, Atom or JSON feed. */
    url: z.string().min(1),
    /** What its items are. Default `news`. */
    type: z.enum(['news', 'blogs', 'reviews', 'audio', 'video']).default('news'),
    /** The artist that it is about, by id or foreign id. Default: those whom its items name. */
    artistId: z.string().min(1).optional(),
    /** The artist that it is about, by name. */
    artistName: name.optional(),
  })
  .refine(({ artistId, artistName }) => artistId === undefined || artistName === undefined, {
    path: ['artistName'],
    error: 'beside artistId; give one of them',
  })

/**
 * `feed/add` (ours): adds a feed and has it read; one that is there already is answered as it is. An
 * artist who is named and not known is made.
 *
 * @throws {ParameterError} on an address that is not one of http or https; `unknown_identifier` for
 * the artist
 */
export const add = method({
  name: 'feed/add',
  parameters,
  run(context: FeedRoom, given): FeedInfo {
    const { store } = context
    const url = addressOf(given.url)
    return store.atomically(() => {
      const artist = artistNum(context, given)
      const known = store.same(url, given.type, artist)
      if (known) return describe(known, store.countItemsOf(known.num))
      const id = randomBytes(16).toString('hex')
      store.add({ id, url, type: given.type, artist, now: context.now() })
      context.enqueue({ kind: REFRESH_JOB, subject: id })
      return describe(store.byId(id) as FeedRow, 0)
    })
  },
})

function artistNum(
  { artist: context }: FeedRoom,
  { artistId, artistName }: z.output<typeof parameters>,
): number | null {
  const { store } = context
  if (artistId !== undefined) {
    const id = findArtist(context, artistId)
    const row = id === undefined ? undefined : store.byId(id)
    if (row) return row.num
    throw unknownIdentifier(artistId)
  }
  if (artistName === undefined) return null
  const known = store.named(artistName)[0]
  if (known) return known.num
  const { artist } = artistOf(context, { name: artistName, own: true }, true)
  store.index([artist.num])
  context.domain.publish('artists.changed', {})
  return artist.num
}
