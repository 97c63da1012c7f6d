import { ipOf } from '../kernel/public-address.ts'

/** Seconds for which a browser can cache the answer to a preflight. */
const PREFLIGHT_SECONDS = 86_400
const EXPOSED = 'ETag, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Used'

/** Decides from its origin whether a page may read answers (CORS) and whether it is foreign. */
export class Origins {
  readonly #any: boolean
  readonly #named: ReadonlySet<string>
  readonly #base: URL | undefined

  /**
   * @param cors - the origins whose pages may read answers, or true for all
   * @param baseUrl - the address of the handler, if it is configured
   */
  constructor(cors: true | readonly string[], baseUrl: string | undefined) {
    this.#any = cors === true
    this.#named = new Set(cors === true ? [] : cors.map((one) => originOf(one) as string))
    this.#base = baseUrl === undefined ? undefined : new URL(baseUrl)
  }

  headersFor({ headers }: Request): Record<string, string> {
    const exposed = { 'access-control-expose-headers': EXPOSED }
    if (this.#any) return { 'access-control-allow-origin': '*', ...exposed }
    if (this.#named.size === 0) return {}
    const origin = headers.get('origin')
    if (origin === null || !this.#isNamed(origin)) return { vary: 'Origin' }
    return { vary: 'Origin', 'access-control-allow-origin': origin, ...exposed }
  }

  preflightFor(request: Request): Record<string, string> {
    const allow = { allow: 'GET, HEAD, POST, OPTIONS' }
    if (!('access-control-allow-origin' in this.headersFor(request))) return allow
    return {
      ...allow,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'content-type, if-none-match',
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    }
  }

  /**
   * The foreign page that sent a request, if its browser names one. Undefined for the handler's own
   * pages, pages of named origins, and programs.
   *
   * @param isScript - whether the answer is a script (jsonp). Any page can run a script, so the
   *   browser must name the page
   */
  foreignPage({ url, headers }: Request, isScript: boolean): string | undefined {
    const asked = new URL(url)
    // DNS rebinding: a page on a foreign host name that points to this machine has the same origin.
    if (this.#base && isWebName(asked) && !this.#isKnownHost(asked)) return asked.host
    const origin = headers.get('origin')
    if (origin !== null) {
      return this.#isNamed(origin) || this.#isOwn(origin, asked) ? undefined : origin
    }
    // Browsers send no Origin for scripts and images.
    const site = headers.get('sec-fetch-site')
    if (site !== null) return site === 'same-origin' || site === 'none' ? undefined : site
    // Browsers send Sec-Fetch-Site only to https and to this machine.
    if (!isScript) return undefined
    const referer = headers.get('referer')
    const page = referer !== null && URL.canParse(referer) ? new URL(referer).origin : 'unknown'
    return this.#isNamed(page) || this.#isOwn(page, asked) ? undefined : page
  }

  #isKnownHost({ hostname }: URL): boolean {
    const named = [...this.#named].map((origin) => new URL(origin).hostname)
    return [this.#base?.hostname, ...named].includes(hostname)
  }

  #isNamed(origin: string): boolean {
    return this.#named.has(originOf(origin) ?? '')
  }

  #isOwn(origin: string, asked: URL): boolean {
    if (!URL.canParse(origin)) return false
    const { host, protocol } = new URL(origin)
    return [asked, this.#base].some(
      (own) =>
        own !== undefined &&
        own.host === host &&
        // A proxy can accept https and forward http to the handler.
        (own.protocol === protocol || (isWeb(own) && isWeb({ protocol }))),
    )
  }
}

/** An origin as browsers write it, or undefined: `https://example.org:8443`, `app://mine`. */
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

/** Whether the host is a domain name, which anybody could have registered. */
function isWebName(url: URL): boolean {
  return isWeb(url) && ipOf(url) === undefined && !/(^|\.)localhost$/.test(url.hostname)
}
