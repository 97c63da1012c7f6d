import { arrayBuffer } from 'node:stream/consumers'
import { createRequest, openDownload, Refused } from '../kernel/download.ts'
import type { Host } from '../kernel/host.ts'
import type { EngineConfig } from '../options/options.ts'
import { md5 } from '../values/md5.ts'
import type { FeedRow } from './feed-store.ts'

const ACCEPT_HEADER =
  'application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5'

export interface FeedResponse {
  /** `undefined` if the feed has not changed. */
  bytes?: Uint8Array
  body: string | null
  contentType?: string
  /** For the next refresh: another one if the feed has moved for good. */
  url: string
  /** Where the bytes came from. */
  from: string
  etag: string | null
  lastModified: string | null
  /** Seconds, according to the server. */
  maxAge: number
}

export class FetchFailure extends Error {
  /** Seconds before the next request, as the server asks. */
  readonly wait: number

  constructor(message: string, options: ErrorOptions & { wait?: number } = {}) {
    super(message, options)
    this.wait = options.wait ?? 0
  }
}

/** Redirects are not followed from a public address to a private one. */
export async function fetchFeed(
  { host, config, now }: { host: Host; config: EngineConfig; now(): number },
  feed: Pick<FeedRow, 'url' | 'etag' | 'lastModified' | 'body'>,
  signal: AbortSignal,
): Promise<FeedResponse> {
  const { feedSeconds, feedBytes } = config.limits
  const download = await openDownload(feed.url, {
    signal,
    request: createRequest(host),
    headers: { accept: ACCEPT_HEADER, 'user-agent': 'audile (feed reader)' },
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
    failure: (reason, cause) =>
      cause instanceof Refused
        ? failureOfRefusal(cause, now())
        : new FetchFailure(`It could not be downloaded: ${reason}`, { cause }),
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

function failureOfRefusal({ message, status, headers }: Refused, now: number): FetchFailure {
  const sentence = `${message.replace('the', 'The')}.`
  // Status 410 (Gone) is most likely permanent.
  if (status === 410) return new FetchFailure(sentence, { wait: 7 * 24 * 3600 })
  const retryAfter = headers['retry-after'] ?? ''
  const seconds = /^\s*\d+\s*$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - now) / 1000
  return new FetchFailure(sentence, { wait: Number.isFinite(seconds) ? Math.max(0, seconds) : 0 })
}

function maxAgeOf(headers: Refused['headers']): number {
  const control = headers['cache-control'] ?? ''
  if (/\bno-(?:cache|store)\b/i.test(control)) return 0
  return Number(/\bmax-age\s*=\s*"?(\d{1,9})/i.exec(control)?.[1] ?? 0)
}
