import { arrayBuffer } from 'node:stream/consumers'
import { createRequest, openDownload, Refused } from '../kernel/download.ts'
import type { Host } from '../kernel/host.ts'
import type { EngineConfig } from '../options/options.ts'
import { md5 } from '../values/md5.ts'
import type { FeedRow } from './feed-store.ts'

const ACCEPT =
  'application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5'

export interface Answer {
  /** The feed; `undefined` if it has not changed. */
  bytes?: Uint8Array
  body: string | null
  contentType?: string
  /** The address for the next refresh: another one if the feed has moved for good. */
  url: string
  /** The address that the bytes came from. */
  from: string
  etag: string | null
  lastModified: string | null
  /** Seconds for which the feed stays the same, according to the server. */
  maxAge: number
}

export class FetchFailure extends Error {
  /** Seconds that the server asks to wait before the next request. */
  readonly wait: number

  constructor(message: string, options: ErrorOptions & { wait?: number } = {}) {
    super(message, options)
    this.wait = options.wait ?? 0
  }
}

/**
 * Downloads a feed, unless it has not changed. Redirects are followed, but not from a public
 * address to a private one. A download is limited to `limits.feedSeconds` in all, and to
 * `limits.feedBytes` when decompressed.
 */
export async function fetchFeed(
  { host, config, now }: { host: Host; config: EngineConfig; now(): number },
  feed: Pick<FeedRow, 'url' | 'etag' | 'lastModified' | 'body'>,
  signal: AbortSignal,
): Promise<Answer> {
  const { feedSeconds, feedBytes } = config.limits
  const download = await openDownload(feed.url, {
    signal,
    request: createRequest(host),
    headers: { accept: ACCEPT, 'user-agent': 'audile (feed reader)' },
    known: feed,
    time: {
      seconds: feedSeconds,
      error: () =>
        new FetchFailure(`The server took longer than the ${feedSeconds} s of limits.feedSeconds.`),
    },
    size: {
      bytes: feedBytes,
      error: () => new FetchFailure(`It has more than the ${feedBytes} bytes of limits.feedBytes.`),
    },
    failure: (why, cause) =>
      cause instanceof Refused
        ? refusal(cause, now())
        : new FetchFailure(`It could not be downloaded: ${why}`, { cause }),
  })
  try {
    const { moved: url, from, etag, lastModified, headers } = download
    const answer = { url, from, etag, lastModified, maxAge: maxAgeOf(headers) }
    if (download.unchanged) return { ...answer, body: feed.body }
    const bytes = new Uint8Array(await arrayBuffer(download.bytes))
    const body = md5(bytes)
    if (body === feed.body) return { ...answer, body }
    const contentType = headers['content-type']
    return { ...answer, body, bytes, ...(contentType !== undefined && { contentType }) }
  } finally {
    await download.close()
  }
}

function refusal({ message, status, headers }: Refused, now: number): FetchFailure {
  const said = `${message.replace('the', 'The')}.`
  // Status 410 (Gone) is most likely permanent.
  if (status === 410) return new FetchFailure(said, { wait: 7 * 24 * 3600 })
  const after = headers['retry-after'] ?? ''
  const seconds = /^\s*\d+\s*$/.test(after) ? Number(after) : (Date.parse(after) - now) / 1000
  return new FetchFailure(said, { wait: Number.isFinite(seconds) ? Math.max(0, seconds) : 0 })
}

function maxAgeOf(headers: Refused['headers']): number {
  const control = headers['cache-control'] ?? ''
  if (/\bno-(?:cache|store)\b/i.test(control)) return 0
  return Number(/\bmax-age\s*=\s*"?(\d{1,9})/i.exec(control)?.[1] ?? 0)
}
