import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { withDeadline } from '../kernel/abort.ts'
import { messageOf } from '../values/errors.ts'
import type { StoredBytes } from './store.ts'

export type ObjectMethod = 'HEAD' | 'GET' | 'PUT' | 'DELETE'

/** Enough to upload the largest file over a slow line. */
const REQUEST_MILLISECONDS = 900_000

/** Characters of an answer that say why it refuses. */
const MAX_REASON_LENGTH = 500

/** A server did not answer, or answered with an error. */
export class RequestRefused extends Error {
  override readonly name = 'Refused'
  /** The HTTP status; `undefined` when there was no answer. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/**
 * Redirects are not followed.
 * @param name - for messages, because a URL may hold a signature
 * @returns the answer, with status 404 when there is no such object; only one to GET has a body
 * @throws {RequestRefused} on any other answer than success
 */
export async function requestObject(
  method: ObjectMethod,
  name: string,
  { url, headers = new Headers(), content }: ObjectRequest,
): Promise<Response> {
  const timeoutError = () =>
    new RequestRefused(`No answer within ${REQUEST_MILLISECONDS / 1000} s.`)
  const body = bodyOf(content, headers)
  // Reading the body is not included: it depends on the reader.
  const answer = await withDeadline(undefined, REQUEST_MILLISECONDS, timeoutError, (signal) =>
    fetch(url, { method, headers, signal, redirect: 'manual', ...body }),
  ).catch((error) => {
    // "fetch failed" has the reason as its cause.
    throw new RequestRefused(`${method} ${name}: ${messageOf(error.cause ?? error)}`)
  })
  if (answer.ok && method === 'GET') return answer
  const text = await readBeginning(answer)
  const isMissing = answer.status === 404 && method !== 'PUT' && !text.includes('NoSuchBucket')
  if (answer.ok || isMissing) return answer
  const { status, statusText } = answer
  throw new RequestRefused(`${method} ${name}: ${status} ${statusText} ${text}`, status)
}

/** The rest is not read: it may have no end. */
async function readBeginning({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true })
    if (text.length >= MAX_REASON_LENGTH) break
  }
  return text.slice(0, MAX_REASON_LENGTH)
}

interface ObjectRequest {
  url: string
  headers?: Headers
  content?: StoredBytes
}

/** Services require the length of a stream. */
function bodyOf(bytes: StoredBytes | undefined, headers: Headers): RequestInit {
  if (bytes === undefined) return {}
  if (bytes instanceof Uint8Array) return { body: bytes as Uint8Array<ArrayBuffer> }
  headers.set('content-length', String(bytes.bytes))
  const body = Readable.toWeb(createReadStream(bytes.path)) as ReadableStream
  return { body, duplex: 'half' } as RequestInit
}
