import { ipOf } from '../kernel/public-address.ts'

/** For which browsers cache the answer to a preflight. */
const PREFLIGHT_SECONDS = 86_400
const EXPOSED_HEADERS = 'ETag, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Used'

/** Decides from its origin whether a page may read answers (CORS) and whether it is foreign. */
export class Origins {
  readonly #allowsAny: boolean
  readonly #allowed: ReadonlySet<string>
  readonly #base: URL | undefined

  constructor(cors: true | readonly string[], baseUrl: string | undefined) {
    this.#allowsAny = cors === true
    this.#allowed = new Set(cors === true ? [] : cors.map((origin) => originOf(origin) as string))
    this.#base = baseUrl === undefined ? undefined : new URL(baseUrl)
  }

  headersFor({ headers }: Request): Record<string, string> {
    const exposedHeaders = { 'access-control-expose-headers': EXPOSED_HEADERS }
    if (this.#allowsAny) return { 'access-control-allow-origin': '*', ...exposedHeaders }
    if (this.#allowed.size === 0) return {}
    const origin = headers.get('origin')
    if (origin === null || !this.#isAllowed(origin)) return { vary: 'Origin' }
    return { vary: 'Origin', 'access-control-allow-origin': origin, ...exposedHeaders }
  }

  preflightFor(request: Request): Record<string, string> {
    const allowedVerbs = { allow: 'GET, HEAD, POST, OPTIONS' }
    if (!('access-control-allow-origin' in this.headersFor(request))) return allowedVerbs
    return {
      ...allowedVerbs,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'content-type, if-none-match',
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    }
  }

  /**
   * The foreign page that sent a request, if its browser names one; programs have none.
   * @param isScript - whether the answer is a script (jsonp), which any page can run
   */
  foreignPage({ url, headers }: Request, isScript: boolean): string | undefined {
    const requestUrl = new URL(url)
    // DNS rebinding: a foreign host name that points to this machine has the same origin.
    if (this.#base && isWebName(requestUrl) && !this.#isKnownHost(requestUrl))
      return requestUrl.host
    const origin = headers.get('origin')
    if (origin !== null) {
      return this.#isAllowed(origin) || this.#isOwn(origin, requestUrl) ? undefined : origin
    }
    // Browsers send no Origin for scripts and images.
    const site = headers.get('sec-fetch-site')
    if (site !== null) return site === 'same-origin' || site === 'none' ? undefined : site
    // Browsers send Sec-Fetch-Site only to https and to this machine.
    if (!isScript) return undefined
    const referer = headers.get('referer')
    const page = referer !== null && URL.canParse(referer) ? new URL(referer).origin : 'unknown'
    return this.#isAllowed(page) || this.#isOwn(page, requestUrl) ? undefined : page
  }

  #isKnownHost({ hostname }: URL): boolean {
    const allowedHosts = [...this.#allowed].map((origin) => new URL(origin).hostname)
    return [this.#base?.hostname, ...allowedHosts].includes(hostname)
  }

  #isAllowed(origin: string): boolean {
    return this.#allowed.has(originOf(origin) ?? '')
  }

  #isOwn(origin: string, requestUrl: URL): boolean {
    if (!URL.canParse(origin)) return false
    const { host, protocol } = new URL(origin)
    return [requestUrl, this.#base].some(
      (ownUrl) =>
        ownUrl !== undefined &&
        ownUrl.host === host &&
        // A proxy can accept https and forward http.
        (ownUrl.protocol === protocol || (isWeb(ownUrl) && isWeb({ protocol }))),
    )
  }
}

export function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, host, pathname, search, hash, username, password } = new URL(text)
  // Not `URL.origin`, which is "null" for custom schemes.
  const origin = `${protocol}//${host}`
  if (!text.includes('//') || pathname.length > 1) return undefined
  return [search, hash, username, password].every((part) => part === '')
    ? origin.toLowerCase()
    : undefined
}

function isWeb({ protocol }: Pick<URL, 'protocol'>): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

/** Anybody could have registered a domain name. */
function isWebName(url: URL): boolean {
  return isWeb(url) && ipOf(url) === undefined && !/(^|\.)localhost$/.test(url.hostname)
}
