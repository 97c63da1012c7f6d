import { nameKey } from '../artist/names.ts'
import { md5 } from '../md5.ts'
import type { FeedEntry } from '../syndication/read-feed.ts'
import type { FeedRoom } from './room.ts'
import type { FeedRow, FeedType, NewItem } from './store.ts'

/**
 * Takes in an entry of a feed, inside a transaction; whether it is a new item. One that was there is
 * written anew; one that another feed had before is that item in this feed too: it has the same
 * address and headline.
 */
export function takeEntry(
  context: FeedRoom,
  feed: FeedRow,
  entry: FeedEntry,
  dateFound: string,
): boolean {
  const { store, spotter } = context
  const { key, digest } = entry
  const known = store.itemOfEntry(feed.num, key)
  const before = known === undefined ? undefined : store.itemByNum(known)
  if (before) {
    const { num, id } = before
    store.updateItem(num, itemOf(feed.type, id, entry, before.dateFound), spotter.size)
    store.putEntry(feed.num, key, digest, num)
    refer(context, num)
    return false
  }
  const { id, same } = identify(context, feed, entry)
  const num = same ?? store.addItem(itemOf(feed.type, id, entry, dateFound), spotter.size)
  store.putEntry(feed.num, key, digest, num)
  refer(context, num)
  return same === undefined
}

/** Looks anew for the artists that an item is about; inside a transaction. */
export function refer({ store, spotter }: Pick<FeedRoom, 'store' | 'spotter'>, num: number): void {
  const item = store.itemByNum(num)
  if (!item) return
  const spoken = { headline: item.name, text: item.text }
  store.setReferences(item, spotter.references(spoken, store.ownArtists(num)))
  store.setSpotted(num, spotter.size)
}

/** The id of an entry that is new to its feed, and the item that it is, if there is one. */
function identify(
  { store }: FeedRoom,
  feed: FeedRow,
  { key, url, name, datePosted }: FeedEntry,
): { id: string; same?: number } {
  const own = md5(`${feed.id} ${key}`)
  if (url === undefined) return { id: own }
  // The id of an imported document of that address too (artist/import.ts).
  for (const id of [md5(url), md5(`${url}\n${nameKey(name)}`)]) {
    const item = store.item(feed.type, id)
    if (!item) return { id }
    if (nameKey(item.name) !== nameKey(name)) continue
    // Two entries of one feed, with ids and dates of their own, are two, however alike.
    const twin = store.has(feed.num, item.num)
    if (twin && store.itemByNum(item.num)?.datePosted !== (datePosted ?? null)) break
    return { id, same: item.num }
  }
  return { id: own }
}

/** An item in the shape in which documents of its type are answered. */
function itemOf(type: FeedType, id: string, entry: FeedEntry, dateFound: string): NewItem {
  const { name, url, summary, text, datePosted, imageUrl } = entry
  const dates = { ...(datePosted !== undefined && { datePosted }), dateFound }
  const address = url === undefined ? {} : { url }
  const image = imageUrl === undefined ? {} : { imageUrl }
  const said = summary === undefined ? {} : { summary }
  const recorded = type === 'audio' || type === 'video'
  const site = url === undefined ? {} : { site: new URL(url).hostname.replace(/^www\./, '') }
  const document = recorded
    ? { id, title: name, ...address, ...site, ...image, ...dates }
    : { id, name, ...address, ...said, ...(type === 'reviews' && image), ...dates }
  return {
    ...{ type, id, name, text, dateFound },
    document: JSON.stringify(document),
    summary: recorded ? (summary ?? null) : null,
    datePosted: datePosted ?? null,
  }
}
