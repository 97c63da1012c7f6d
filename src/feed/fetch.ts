import { createHash } from 'node:crypto'
import type { Fetched, Host } from '../kernel/host.ts'
import { checkRedirect, follow } from '../kernel/redirects.ts'
import { clearTimeout, setTimeout } from '../kernel/timers.ts'
import type { EngineConfig } from '../options.ts'
import type { FeedRow } from './store.ts'

const ACCEPT =
  'application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5'

/** What the server had to say. */
export interface Answer {
  /** What there is to read; `undefined` if the feed has not changed. */
  bytes?: Uint8Array
  /** Digest of the bytes. */
  body: string | null
  contentType?: string
  /** Where to ask the next time: elsewhere if the feed was said to have moved for good. */
  url: string
  /** Where the bytes came from. */
  from: string
  etag: string | null
  lastModified: string | null
  /** Seconds for which the server vouches for it. */
  maxAge: number
}

/** A refresh did not succeed. */
export class FetchFailure extends Error {
  /** Seconds for which the server wants to be left alone. */
  readonly wait: number

  constructor(message: string, options: ErrorOptions & { wait?: number } = {}) {
    super(message, options)
    this.wait = options.wait ?? 0
  }
}

/**
 * Asks the server of a feed for it, or for whether it changed. Redirects are followed, but from a
 * public address to no private one; a download may take `limits.feedSeconds` in all and be of
 * `limits.feedBytes`, decompressed.
 *
 * @throws {FetchFailure} when there is no whole answer
 * @throws the signal's reason on abort
 */
export async function fetchFeed(
  { host, config, now }: { host: Host; config: EngineConfig; now(): number },
  feed: Pick<FeedRow, 'url' | 'etag' | 'lastModified' | 'body'>,
  signal: AbortSignal,
): Promise<Answer> {
  const seconds = config.limits.feedSeconds
  // A timer of its own: Node 20 may collect an AbortSignal.timeout() that only any() holds.
  const deadline = new AbortController()
  const onAbort = () => deadline.abort(signal.reason)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  const late = new FetchFailure(
    `The server took longer than the ${seconds} s of limits.feedSeconds.`,
  )
  const timer = setTimeout(() => deadline.abort(late), seconds * 1000)
  try {
    return await ask(deadline.signal)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error instanceof FetchFailure
      ? error
      : new FetchFailure(reasonOf(error), { cause: error })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }

  async function ask(until: AbortSignal): Promise<Answer> {
    const { response, moved, from } = await follow(feed.url, {
      ask: (address) => host.fetch(address, until, { headers: headersFor(feed) }),
      leave: ({ source }) => host.release(source).catch(() => {}),
      check: (to, before) => checkRedirect(to, before, until),
    })
    try {
      const { status, headers } = response
      const answer = {
        url: moved,
        from,
        etag: headers.etag ?? null,
        lastModified: headers['last-modified'] ?? null,
        maxAge: maxAgeOf(headers),
      }
      if (status === 304) {
        const { etag, lastModified, body } = feed
        return {
          ...answer,
          etag: answer.etag ?? etag,
          lastModified: answer.lastModified ?? lastModified,
          body,
        }
      }
      if (status < 200 || status >= 300) throw refusal(response, now())
      const bytes = await receive(response.source, until)
      const body = createHash('md5').update(bytes).digest('hex')
      if (body === feed.body) return { ...answer, body }
      const contentType = headers['content-type']
      return { ...answer, body, bytes, ...(contentType !== undefined && { contentType }) }
    } finally {
      // What was not read to its end; a host that is gone has nothing left to release.
      await host.release(response.source).catch(() => {})
    }
  }

  async function receive(source: number, until: AbortSignal): Promise<Uint8Array> {
    const most = config.limits.feedBytes
    const pieces: Uint8Array[] = []
    let length = 0
    for (
      let piece = await host.pull(source, until);
      piece;
      piece = await host.pull(source, until)
    ) {
      length += piece.length
      if (length > most)
        throw new FetchFailure(`It has more than the ${most} bytes of limits.feedBytes.`)
      pieces.push(piece)
    }
    return new Uint8Array(Buffer.concat(pieces, length))
  }
}

function headersFor({ etag, lastModified }: Pick<FeedRow, 'etag' | 'lastModified'>) {
  return {
    accept: ACCEPT,
    'user-agent': 'audile (feed reader)',
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  }
}

function refusal({ status, statusText, headers }: Fetched, now: number): FetchFailure {
  const said = `The server answered ${`${status} ${statusText}`.trim()}.`
  // Gone for good, most likely: asked again once in a while only.
  if (status === 410) return new FetchFailure(said, { wait: 7 * 24 * 3600 })
  const after = headers['retry-after'] ?? ''
  const seconds = /^\s*\d+\s*$/.test(after) ? Number(after) : (Date.parse(after) - now) / 1000
  return new FetchFailure(said, { wait: Number.isFinite(seconds) ? Math.max(0, seconds) : 0 })
}

function maxAgeOf(headers: Record<string, string>): number {
  const control = headers['cache-control'] ?? ''
  if (/\bno-(?:cache|store)\b/i.test(control)) return 0
  return Number(/\bmax-age\s*=\s*"?(\d{1,9})/i.exec(control)?.[1] ?? 0)
}

/** Of "fetch failed" the cause says more. */
function reasonOf(error: unknown): string {
  const causes: string[] = []
  for (let one = error; one instanceof Error && causes.length < 4; one = one.cause) {
    if (one.message !== '') causes.push(one.message)
  }
  return `It could not be downloaded: ${causes.join(': ') || String(error)}`
}
