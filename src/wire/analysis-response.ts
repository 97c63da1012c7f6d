import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { WireError } from './errors.ts'

const compress = promisify(gzip)

/** Seconds, as the old service said; only for the cache of who asks, as the address is a secret. */
const CACHE = 'private, max-age=86400'

/** An HTTP answer. */
export interface Answer {
  status: number
  body: string | Uint8Array<ArrayBuffer> | null
  headers: Record<string, string>
}

/** For clients that exclude both codings. */
export const NOT_ACCEPTABLE: WireError = {
  code: 5,
  message: 'accept-encoding - Invalid parameter: it excludes gzip and identity; accept one of them',
  status: 406,
}

/**
 * The answer that holds an analysis document: compressed if that is accepted, or only that it is the
 * one that the client has already. Undefined where neither coding is accepted.
 */
export async function analysisResponse(
  text: string,
  request: Headers,
): Promise<Answer | undefined> {
  const coding = codingOf(request.get('accept-encoding'))
  if (coding === undefined) return undefined
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 27)
  // Each coding is a representation of its own, with a tag of its own; either says the same.
  const tags = { identity: `"${digest}"`, gzip: `"${digest}-gzip"` }
  const headers = { etag: tags[coding], 'cache-control': CACHE, vary: 'Accept-Encoding' }
  if (isKnown(request.get('if-none-match'), Object.values(tags))) {
    return { status: 304, body: null, headers }
  }
  const type = { 'content-type': 'application/json; charset=utf-8' }
  if (coding === 'identity') return { status: 200, body: text, headers: { ...headers, ...type } }
  const body = new Uint8Array(await compress(text))
  return { status: 200, body, headers: { ...headers, ...type, 'content-encoding': coding } }
}

/** The coding to send (RFC 9110, 12.5.3): what the client likes better, gzip of equals. */
function codingOf(accepted: string | null): 'gzip' | 'identity' | undefined {
  if (accepted === null) return 'identity'
  const weights = new Map<string, number>()
  for (const item of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const weight = parameters.find((one) => one.startsWith('q='))
    const q = weight === undefined ? 1 : Number(weight.slice(2))
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, Number.isFinite(q) ? q : 0)
  }
  const others = weights.get('*')
  const gzipped = weights.get('gzip') ?? others ?? 0
  // Acceptable unless it is excluded, but liked less than what is named.
  const plain = weights.get('identity') ?? (others === 0 ? 0 : undefined)
  if (gzipped > 0 && gzipped >= (plain ?? 0)) return 'gzip'
  return plain === 0 ? undefined : 'identity'
}

/** Whether a client has one of these, by their tags (compared weakly, as RFC 9110, 13.1.2 says). */
function isKnown(header: string | null, tags: readonly string[]): boolean {
  if (header === null) return false
  if (header.trim() === '*') return true
  const given = header.match(/"[^"]*"/g) ?? []
  return given.some((tag) => tags.includes(tag))
}
