import { timeLimit } from './abort.ts'
import type { Host } from './host.ts'
import { isPublicHost } from './public-address.ts'

const MOST_REDIRECTS = 10
const MOVED = [301, 302, 303, 307, 308]
const MOVED_FOR_GOOD = [301, 308]

type Headers = Readonly<Record<string, string | undefined>>

/** The parts of a response that a download needs. */
export interface Answer {
  status: number
  statusText?: string
  headers: Headers
  /** The address that answered, if it may differ from the requested one. */
  url?: string
  bytes: AsyncIterable<Uint8Array>
  /** Closes the connection, unless everything was read. */
  end(): unknown
}

/** Requests one address without following redirects. */
export type Request = (
  address: string,
  options: { headers: Record<string, string>; signal: AbortSignal },
) => Promise<Answer>

/** The headers that tell whether the bytes changed. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

export interface DownloadOptions {
  signal: AbortSignal
  request: Request
  headers?: Record<string, string>
  /** Of the last download: the bytes are requested only if they changed since. */
  known?: Validators
  /** The time limit, and the error when it is exceeded. */
  time: { seconds: number; error(): Error }
  /** The most bytes, and the error when there are more. */
  size?: { bytes: number; error(): Error }
  /**
   * Throws when a redirect must not lead to an address; `before` has the addresses before it,
   * oldest first. Default: a public address may redirect only to public ones.
   */
  check?(to: URL, before: readonly URL[]): unknown
  /**
   * The error of a download that failed.
   *
   * @param why - a sentence without capital and full stop
   * @param error - what was thrown; {@link Refused} when the server did not send the bytes
   */
  failure(why: string, error: unknown): Error
}

export interface Download extends Validators {
  /** Whether the server says that the bytes did not change; then there are none to read. */
  unchanged: boolean
  headers: Headers
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
  readonly headers: Headers

  constructor({ status, statusText = '', headers }: Omit<Answer, 'bytes' | 'end'>) {
    super(`the server answered ${`${status} ${statusText}`.trim()}`)
    this.status = status
    this.headers = headers
  }
}

/**
 * Requests an address, following redirects to http and https addresses.
 *
 * @throws the error that `failure` returns
 * @throws the signal's reason on abort, also from `bytes`
 */
export async function openDownload(url: string, options: DownloadOptions): Promise<Download> {
  const { known, time } = options
  const until = timeLimit(options.signal, time.seconds * 1000, time.error)
  const explain = (error: unknown) =>
    until.signal.aborted ? until.signal.reason : options.failure(whyOf(error), error)
  let close = async () => until.release()
  try {
    const { answer, from, moved } = await follow(url, options, until.signal)
    close = async () => {
      until.release()
      await answer.end()
    }
    const { status, headers } = answer
    const unchanged = status === 304 && known !== undefined
    if (!unchanged && (status < 200 || status >= 300)) throw new Refused(answer)
    return {
      unchanged,
      headers,
      etag: headers.etag ?? (unchanged ? known.etag : null),
      lastModified: headers['last-modified'] ?? (unchanged ? known.lastModified : null),
      from,
      moved,
      bytes: read(answer, options, explain),
      close,
    }
  } catch (error) {
    const explained = explain(error)
    await close()
    throw explained
  }
}

/** Requests with the `fetch` option of the application. */
export function requestOf(host: Pick<Host, 'fetch' | 'pull' | 'release'>): Request {
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

async function* read(
  { bytes }: Answer,
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

async function follow(
  url: string,
  { request, headers = {}, known, check }: DownloadOptions,
  signal: AbortSignal,
): Promise<{ answer: Answer; from: string; moved: string }> {
  const all = {
    ...headers,
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
  }
  const checked = check ?? ((to: URL, before: readonly URL[]) => stayPublic(to, before, signal))
  const before: URL[] = []
  let from = url
  let moved = url
  let forGood = true
  for (;;) {
    const answer = await request(from, { headers: all, signal })
    try {
      const asked = new URL(from)
      before.push(asked)
      // The fetch of the application may have followed a redirect by itself.
      const answered = URL.canParse(answer.url ?? '') ? new URL(answer.url ?? '') : asked
      if (answered.host !== asked.host) await checked(answered, before)
      const { location } = answer.headers
      if (!MOVED.includes(answer.status) || location === undefined) return { answer, from, moved }
      if (before.length > MOST_REDIRECTS) {
        throw new Error(`it redirects more than ${MOST_REDIRECTS} times`)
      }
      const target = targetOf(location, from)
      await checked(target, before)
      from = target.href
    } catch (error) {
      await answer.end()
      throw error
    }
    await answer.end()
    forGood &&= MOVED_FOR_GOOD.includes(answer.status)
    if (forGood) moved = from
  }
}

/**
 * Allows redirects of an address that the application names, also in its own network. After a
 * request to a public server, only public addresses may follow.
 */
async function stayPublic(to: URL, before: readonly URL[], signal: AbortSignal): Promise<void> {
  if (await isPublicHost(to, signal)) return
  for (const one of before) {
    if (!(await isPublicHost(one, signal))) continue
    throw new Error(
      `"${one.host}" redirects to "${to.host}", which is no public address; if that is meant, give its address itself`,
    )
  }
}

function targetOf(location: string, from: string): URL {
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

/** The messages of an error and its causes; "fetch failed" alone says little. */
function whyOf(error: unknown): string {
  const causes: string[] = []
  for (let one = error; one instanceof Error && causes.length < 4; one = one.cause) {
    if (one.message !== '') causes.push(one.message)
  }
  return causes.join(': ') || String(error)
}
