import { invalidParameter } from '../errors.ts'
import { quoted, timestamp } from '../text.ts'
import type { FeedRow, FeedType } from './store.ts'

/** A feed as the methods answer it. What is not known is absent. */
export interface FeedInfo {
  /** Its own. */
  id: string
  /** Its address. */
  url: string
  /** What its items are. */
  type: FeedType
  /** Whom it is about; without one each item is about those whom it names. */
  artistId?: string
  /** Their name. */
  artistName?: string
  /** As it calls itself. */
  title?: string
  /** The web page that it is the feed of. */
  link?: string
  /** `pending` while it is being refreshed, `error` if the last refresh failed. */
  status: 'pending' | 'complete' | 'error'
  /** Why the last refresh failed. */
  error?: string
  /** How many refreshes failed in a row. */
  failures: number
  /** How many of its items are kept. */
  items: number
  /** When the server was asked last: `YYYY-MM-DDThh:mm:ss`, in UTC. */
  dateChecked?: string
  /** When it will be asked next, likewise. */
  dateDue: string
}

/** The answer for a stored feed that has so many items. */
export function describe(row: FeedRow, items: number): FeedInfo {
  const info: FeedInfo = {
    id: row.id,
    url: row.url,
    type: row.type,
    status: row.state === 1 ? 'pending' : row.error === null ? 'complete' : 'error',
    failures: row.failures,
    items,
    dateDue: timestamp(row.dueAt),
  }
  if (row.artistId !== null) info.artistId = row.artistId
  if (row.artistName !== null) info.artistName = row.artistName
  if (row.title !== null) info.title = row.title
  if (row.link !== null) info.link = row.link
  if (row.error !== null) info.error = row.error
  if (row.checkedAt !== null) info.dateChecked = timestamp(row.checkedAt)
  return info
}

/**
 * The address of a feed as it is asked for. `feed:` before an address, as some pages write it, says
 * only that it is one of a feed.
 *
 * @throws {ParameterError} unless it is an http or https address without a password
 */
export function addressOf(given: string): string {
  const bare = given.trim().replace(/^feed:(?:\/\/)?(?=https?:)/i, '')
  const address = bare.replace(/^feed:\/\//i, 'http://')
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw invalidParameter('url', `${quoted(given)} must be an http or https address`)
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidParameter(
      'url',
      `${quoted(url.host)} has a name or password before it; add the header with the option fetch`,
    )
  }
  url.hash = ''
  return url.href
}
