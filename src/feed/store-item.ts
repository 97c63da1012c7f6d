import { nameKey } from '../naming/names.ts'
import type { FeedEntry } from '../syndication/read-feed.ts'
import { md5 } from '../values/md5.ts'
import type { NewItem } from './feed-item-store.ts'
import type { FeedRow, FeedType } from './feed-store.ts'
import type { FeedRoom } from './room.ts'

/**
 * Inside a transaction; the same address and headline in another feed are the same item.
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
  const knownNum = items.ofEntry(feed.num, key)
  const knownItem = knownNum === undefined ? undefined : items.byNum(knownNum)
  const { id, same } = knownItem
    ? { id: knownItem.id, same: knownItem.num }
    : identifyEntry(room, feed, entry)
  const num = same ?? Number(items.add(newItemOf(feed.type, id, entry, dateFound)).lastInsertRowid)
  if (knownItem) items.update({ num, ...newItemOf(feed.type, id, entry, knownItem.dateFound) })
  items.putEntry({ feed: feed.num, key, digest, item: num })
  updateReferences(room, num)
  return same === undefined
}

export function updateReferences({ items, spotter }: FeedRoom, num: number): void {
  const item = items.byNum(num)
  if (!item) return
  const article = { headline: item.name, text: item.text }
  items.setReferences(item, spotter.findReferences(article, items.ownArtists(num)))
  items.setSpotted(spotter.size, num)
}

/** Of an entry that is new to its feed, with the number of its item if that exists. */
function identifyEntry(
  { items }: FeedRoom,
  feed: FeedRow,
  { key, url, name, datePosted }: FeedEntry,
): { id: string; same?: number } {
  const ownId = md5(`${feed.id} ${key}`)
  if (url === undefined) return { id: ownId }
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
  return { id: ownId }
}

function newItemOf(type: FeedType, id: string, entry: FeedEntry, dateFound: string): NewItem {
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
