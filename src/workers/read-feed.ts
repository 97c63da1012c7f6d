import { type FeedBytes, type FeedDocument, readFeed } from '../syndication/read-feed.ts'

/** The bytes of a feed to be read. */
export type FeedTask = FeedBytes
/** What is in it. */
export type FeedResult = FeedDocument

/** Reads a feed: a second of work if it is large, and who knows how long if it is malicious. */
export function readFeedBytes(task: FeedTask): Promise<FeedResult> {
  return readFeed(task)
}
