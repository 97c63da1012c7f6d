import { timeLimit } from './abort.ts'
import type { Host } from './host.ts'
import { isPublicHost } from './public-address.ts'

const MAX_REDIRECTS = 10
const REDIRECT_STATUSES = [301, 302, 303, 307, 308]
const PERMANENT_STATUSES = [301, 308]

type ResponseHeaders = Readonly<Record<string, string | undefined>>

export interface DownloadAnswer {
  status: number
  statusText?: string
  headers: ResponseHeaders
  /** The address that answered, if it may differ from the requested one. */
  url?: string
  bytes: AsyncIterable<Uint8Array>
  /** Closes the connection, unless everything was read. */
  end(): unknown
}

export type DownloadRequest = (
  address: string,
  options: { headers: Record<string, string>; signal: AbortSignal },
) => Promise<DownloadAnswer>

/** The headers that tell whether the bytes changed. */
export interface CacheValidators {
  etag: string | null
  lastModified: string | null
}

export interface DownloadOptions {
  signal: AbortSignal
  request: DownloadRequest
  headers?: Record<string, string>
  /** Of the last download: bytes are requested only if they changed. */
  known?: CacheValidators
  /** The time limit, and the error when it is exceeded. */
  time: { seconds: number; error(): Error }
  /** The most bytes, and the error when there are more. */
  size?: { bytes: number; error(): Error }
  /**
   * Throws when a redirect must not lead there. Default: public addresses redirect only to public
   * ones.
   */
  check?(to: URL, before: readonly URL[]): unknown
  /**
   * `why` is a sentence without capital and full stop; the error is {@link Refused} when the server
   * sent no bytes.
   */
  failure(why: string, error: unknown): Error
}

export interface Download extends CacheValidators {
  /** Whether the server says that the bytes did not change; then there are none to read. */
  unchanged: boolean
  headers: ResponseHeaders
  /** The address that answered. */
  from: string
  /** The address for the next request: a new one after permanent redirects. */
  moved: string
  bytes: AsyncGenerator<Uint8Array, void>
  /** Ends the download. Must be called. */
  close(): Promise<void>
}

/** The server answered with a status other than success. */
export class Refused extends Error {
  readonly status: number
  readonly headers: ResponseHeaders

  constructor({ status, statusText = '', headers }: Omit<DownloadAnswer, 'bytes' | 'end'>) {
    super(`the server answered ${`${status} ${statusText}`.trim()}`)
    this.status = status
    this.headers = headers
  }
}

/** @throws the error that `failure` returns, or the signal's reason on abort, also from `bytes` */
export async function openDownload(url: string, options: DownloadOptions): Promise<Download> {
  const { known: validators, time } = options
  const until = timeLimit(options.signal, time.seconds * 1000, time.error)
  const explainError = (error: unknown) =>
    until.signal.aborted ? until.signal.reason : options.failure(explainCauses(error), error)
  let close = async () => until.release()
  try {
    const { answer, from, moved } = await followRedirects(url, options, until.signal)
    close = async () => {
      until.release()
      await answer.end()
    }
    const { status, headers } = answer
    const unchanged = status === 304 && validators !== undefined
    if (!unchanged && (status < 200 || status >= 300)) throw new Refused(answer)
    return {
      unchanged,
      headers,
      etag: headers.etag ?? (unchanged ? validators.etag : null),
      lastModified: headers['last-modified'] ?? (unchanged ? validators.lastModified : null),
      from,
      moved,
      bytes: readBytes(answer, options, explainError),
      close,
    }
  } catch (error) {
    const explained = explainError(error)
    await close()
    throw explained
  }
}

/** With the `fetch` option of the application. */
export function createRequest(host: Pick<Host, 'fetch' | 'pull' | 'release'>): DownloadRequest {
  return async (address, { headers, signal }) => {
    const { source, ...answer } = await host.fetch(address, signal, { headers })
    const bytes = readSource(host, source, signal)
    // A host that is gone has nothing left to release.
    return { ...answer, bytes, end: () => host.release(source).catch(() => {}) }
  }
}

export async function* readSource(
  host: Pick<Host, 'pull'>,
  source: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const piece = await host.pull(source, signal)
    if (!piece) return
    yield piece
  }
}

async function* readBytes(
  { bytes }: DownloadAnswer,
  { size }: DownloadOptions,
  explain: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array, void> {
  let length = 0
  try {
    for await (const piece of bytes) {
      length += piece.length
      if (size && length > size.bytes) break
      yield piece
    }
  } catch (error) {
    throw explain(error)
  }
  if (size && length > size.bytes) throw size.error()
}

async function followRedirects(
  url: string,
  { request, headers = {}, known: validators, check }: DownloadOptions,
  signal: AbortSignal,
): Promise<{ answer: DownloadAnswer; from: string; moved: string }> {
  const requestHeaders = {
    ...headers,
    ...(validators?.etag && { 'if-none-match': validators.etag }),
    ...(validators?.lastModified && { 'if-modified-since': validators.lastModified }),
  }
  const checkTarget =
    check ?? ((target: URL, earlier: readonly URL[]) => requirePublic(target, earlier, signal))
  const previous: URL[] = []
  let from = url
  let moved = url
  let isPermanent = true
  for (;;) {
    const answer = await request(from, { headers: requestHeaders, signal })
    try {
      const requested = new URL(from)
      previous.push(requested)
      // The application's fetch may have followed a redirect itself.
      const answered = URL.canParse(answer.url ?? '') ? new URL(answer.url ?? '') : requested
      if (answered.host !== requested.host) await checkTarget(answered, previous)
      const { location } = answer.headers
      if (!REDIRECT_STATUSES.includes(answer.status) || location === undefined)
        return { answer, from, moved }
      if (previous.length > MAX_REDIRECTS) {
        throw new Error(`it redirects more than ${MAX_REDIRECTS} times`)
      }
      const target = redirectTarget(location, from)
      await checkTarget(target, previous)
      from = target.href
    } catch (error) {
      await answer.end()
      throw error
    }
    await answer.end()
    isPermanent &&= PERMANENT_STATUSES.includes(answer.status)
    if (isPermanent) moved = from
  }
}

/** After a request to a public server, only public addresses may follow. */
async function requirePublic(
  target: URL,
  earlier: readonly URL[],
  signal: AbortSignal,
): Promise<void> {
  if (await isPublicHost(target, signal)) return
  for (const address of earlier) {
    if (!(await isPublicHost(address, signal))) continue
    throw new Error(
      `"${address.host}" redirects to "${target.host}", which is no public address; if that is meant, give its address itself`,
    )
  }
}

function redirectTarget(location: string, from: string): URL {
  if (!URL.canParse(location, from)) {
    throw new Error(`it redirects to "${location}", which is no address`)
  }
  const target = new URL(location, from)
  if (target.protocol !== 'http:' && target.protocol !== 'https:') {
    throw new Error(`it redirects to ${target.protocol}, where only http and https are followed`)
  }
  if (target.username !== '' || target.password !== '') {
    throw new Error('it redirects to an address with a password in it')
  }
  target.hash = ''
  return target
}

/** "fetch failed" alone says little. */
function explainCauses(error: unknown): string {
  const causes: string[] = []
  for (let cause = error; cause instanceof Error && causes.length < 4; cause = cause.cause) {
    if (cause.message !== '') causes.push(cause.message)
  }
  return causes.join(': ') || String(error)
}
