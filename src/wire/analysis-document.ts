import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { WireError } from './errors.ts'

const gzipText = promisify(gzip)

/** `private`, because the address is a secret; one day, as in the old service. */
const CACHE_CONTROL = 'private, max-age=86400'

/** Signs the address of an analysis document, because clients fetch it without a key. */
export function signatureOf(secret: string, id: string): string {
  return createHmac('sha256', secret).update(`analysis ${id}`).digest('base64url')
}

/** Compares two signatures in constant time. */
export function isSameSignature(expectedSignature: string, sentSignature: string | null): boolean {
  const [a, b] = [Buffer.from(expectedSignature), Buffer.from(sentSignature ?? '')]
  return a.length === b.length && timingSafeEqual(a, b)
}

interface DocumentAnswer {
  status: number
  body: string | Uint8Array<ArrayBuffer> | null
  headers: Record<string, string>
}

/** The answer to clients that accept neither gzip nor identity. */
export const NOT_ACCEPTABLE: WireError = {
  code: 5,
  message: 'accept-encoding - Invalid parameter: it excludes gzip and identity; accept one of them',
  status: 406,
}

/**
 * The answer with an analysis document: compressed or empty (304) if the client allows.
 * @returns `undefined` if the client accepts neither coding
 */
export async function analysisResponse(
  text: string,
  request: Headers,
): Promise<DocumentAnswer | undefined> {
  const coding = codingOf(request.get('accept-encoding'))
  if (coding === undefined) return undefined
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 27)
  // Each coding has its own tag; either tag shows that the client has the document.
  const tags = { identity: `"${digest}"`, gzip: `"${digest}-gzip"` }
  const headers = { etag: tags[coding], 'cache-control': CACHE_CONTROL, vary: 'Accept-Encoding' }
  if (isKnown(request.get('if-none-match'), Object.values(tags))) {
    return { status: 304, body: null, headers }
  }
  const type = { 'content-type': 'application/json; charset=utf-8' }
  if (coding === 'identity') return { status: 200, body: text, headers: { ...headers, ...type } }
  const body = new Uint8Array(await gzipText(text))
  return { status: 200, body, headers: { ...headers, ...type, 'content-encoding': coding } }
}

/** The coding that the client prefers (RFC 9110, 12.5.3); gzip if it has no preference. */
function codingOf(acceptEncoding: string | null): 'gzip' | 'identity' | undefined {
  if (acceptEncoding === null) return 'identity'
  const weights = new Map<string, number>()
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const q = weight === undefined ? 1 : Number(weight.slice(2))
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, Number.isFinite(q) ? q : 0)
  }
  const anyWeight = weights.get('*')
  const gzipWeight = weights.get('gzip') ?? anyWeight ?? 0
  // Identity is acceptable unless it is excluded, but a listed coding is preferred.
  const identityWeight = weights.get('identity') ?? (anyWeight === 0 ? 0 : undefined)
  if (gzipWeight > 0 && gzipWeight >= (identityWeight ?? 0)) return 'gzip'
  return identityWeight === 0 ? undefined : 'identity'
}

/** Whether a client has a document with one of these tags (weak comparison, RFC 9110, 13.1.2). */
function isKnown(header: string | null, tags: readonly string[]): boolean {
  if (header === null) return false
  if (header.trim() === '*') return true
  const sentTags = header.match(/"[^"]*"/g) ?? []
  return sentTags.some((tag) => tags.includes(tag))
}
