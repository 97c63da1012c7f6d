import { nameKey } from '../naming/names.ts'
import type { FeedEntry } from '../syndication/read-feed.ts'
import { md5 } from '../values/md5.ts'
import type { NewItem } from './feed-item-store.ts'
import type { FeedRow, FeedType } from './feed-store.ts'
import type { FeedRoom } from './room.ts'

/**
 * Stores an entry of a feed, inside a transaction. An entry that another feed had before, with the
 * same address and headline, is the same item.
 *
 * @returns whether it is a new item
 */
export function storeEntry(
  room: FeedRoom,
  feed: FeedRow,
  entry: FeedEntry,
  dateFound: string,
): boolean {
  const { items } = room
  const { key, digest } = entry
  const known = items.ofEntry(feed.num, key)
  const before = known === undefined ? undefined : items.byNum(known)
  const { id, same } = before ? { id: before.id, same: before.num } : identify(room, feed, entry)
  const num = same ?? Number(items.add(itemOf(feed.type, id, entry, dateFound)).lastInsertRowid)
  if (before) items.update({ num, ...itemOf(feed.type, id, entry, before.dateFound) })
  items.putEntry({ feed: feed.num, key, digest, item: num })
  refer(room, num)
  return same === undefined
}

export function refer({ items, spotter }: FeedRoom, num: number): void {
  const item = items.byNum(num)
  if (!item) return
  const article = { headline: item.name, text: item.text }
  items.setReferences(item, spotter.references(article, items.ownArtists(num)))
  items.setSpotted(spotter.size, num)
}

/** The id of an entry that is new to its feed, and the number of its item if that exists. */
function identify(
  { items }: FeedRoom,
  feed: FeedRow,
  { key, url, name, datePosted }: FeedEntry,
): { id: string; same?: number } {
  const own = md5(`${feed.id} ${key}`)
  if (url === undefined) return { id: own }
  // An imported document of that address has this id too (artist/import.ts).
  for (const id of [md5(url), md5(`${url}\n${nameKey(name)}`)]) {
    const item = items.byId(feed.type, id)
    if (!item) return { id }
    if (nameKey(item.name) !== nameKey(name)) continue
    // Entries of one feed with different dates are different items.
    const isTwin = items.isInFeed(item.num, feed.num)
    if (isTwin && item.datePosted !== (datePosted ?? null)) break
    return { id, same: item.num }
  }
  return { id: own }
}

function itemOf(type: FeedType, id: string, entry: FeedEntry, dateFound: string): NewItem {
  const { name, url, summary, text, datePosted, imageUrl } = entry
  const isRecording = type === 'audio' || type === 'video'
  const site = url && new URL(url).hostname.replace(/^www\./, '')
  const image = type === 'reviews' ? imageUrl : undefined
  // JSON leaves out what is undefined.
  const document = isRecording
    ? { id, title: name, url, site, imageUrl, datePosted, dateFound }
    : { id, name, url, summary, imageUrl: image, datePosted, dateFound }
  return {
    type,
    id,
    name,
    text,
    dateFound,
    document: JSON.stringify(document),
    summary: isRecording ? (summary ?? null) : null,
    datePosted: datePosted ?? null,
  }
}
