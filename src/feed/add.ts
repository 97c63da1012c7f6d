import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { findOrAddArtist } from '../artist/apply-record.ts'
import { requireArtist } from '../artist/find-artist.ts'
import { method } from '../kernel/method.ts'
import { name, nonEmpty } from '../options/parameter-types.ts'
import { invalidParameter } from '../values/errors.ts'
import { quoted } from '../values/text.ts'
import { FEED_TYPES } from './feed-store.ts'
import { describeFeed, type FeedInfo } from './list.ts'
import { type FeedRoom, REFRESH_JOB } from './room.ts'

const addParameters = z
  .strictObject({
    /** Address of an RSS, Atom or JSON feed. */
    url: nonEmpty,
    /** The type of its items. Default `news`. */
    type: z.enum(FEED_TYPES).default('news'),
    /** The artist that it is about, by id or foreign id. Default: artists that items name. */
    artistId: nonEmpty.optional(),
    /** The artist that it is about, by name. */
    artistName: name.optional(),
  })
  .refine(({ artistId, artistName }) => artistId === undefined || artistName === undefined, {
    path: ['artistName'],
    error: 'beside artistId; give one of them',
  })

/** `feed/add` (ours): adds a feed and starts its refresh; one that exists is returned unchanged. */
export const addFeed = method({
  name: 'feed/add',
  parameters: addParameters,
  run(room: FeedRoom, params): FeedInfo {
    const { feeds } = room
    const { type } = params
    const url = parseFeedAddress(params.url)
    return room.atomically(() => {
      const artist = findArtistNum(room, params)
      const sameFeed = feeds.same(url, type, artist ?? 0)
      if (sameFeed) return describeFeed(sameFeed, feeds.countItems(sameFeed.num) ?? 0)
      const id = randomBytes(16).toString('hex')
      feeds.add({ id, url, type, artist, now: room.now() })
      room.enqueue({ kind: REFRESH_JOB, subject: id })
      return describeFeed(feeds.findFeed(id), 0)
    })
  },
})

function findArtistNum(
  { artist: room }: FeedRoom,
  { artistId, artistName }: z.output<typeof addParameters>,
): number | null {
  const { store } = room
  if (artistId !== undefined) return requireArtist(room, artistId).num
  if (artistName === undefined) return null
  const knownArtist = store.findByName(artistName)[0]
  if (knownArtist) return knownArtist.num
  const { artist } = findOrAddArtist(room, { name: artistName, own: true }, true)
  store.updateIndex([artist.num])
  room.domain.publishEvent('artists.changed', {})
  return artist.num
}

/** Some pages write `feed:` before the address of a feed. */
function parseFeedAddress(text: string): string {
  const trimmed = text.trim().replace(/^feed:(?:\/\/)?(?=https?:)/i, '')
  const address = trimmed.replace(/^feed:\/\//i, 'http://')
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw invalidParameter('url', `${quoted(text)} must be an http or https address`)
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidParameter(
      'url',
      `"${url.host}" has a name or password before it; add the header with the option fetch`,
    )
  }
  url.hash = ''
  return url.href
}
