import type { AnalysisDocument } from '../analysis/document.ts'
import type { Audile } from '../host/audile.ts'
import type { MethodName, Params } from '../host/door.ts'
import { invalidParameter, KeyError } from '../values/errors.ts'
import { quoted, unescaped } from '../values/text.ts'
import { analysisResponse, isSame, NOT_ACCEPTABLE, signatureOf } from './analysis-document.ts'
import { toWireError, type WireError } from './errors.ts'
import { Exchange, type Gate } from './exchange.ts'
import { AddressGuard } from './guarded-download.ts'
import { type ServedMethod, servedMethods } from './methods.ts'
import { inWireNames, type Json, toWire } from './names.ts'
import { resolveWireOptions, type WireConfig, type WireOptions } from './options.ts'
import { RateLimit } from './rate-limit.ts'
import { type Format, render } from './render.ts'
import type { XmlStyle } from './xml.ts'

/** The prefix of the engine's addresses of analysis documents. */
const ANALYSIS = 'audile:analysis/'
/** The default key, which is not secret. */
const WELL_KNOWN = 'local'
/** Other names of rooms, which some clients use. */
const ALIASES: Readonly<Record<string, string>> = { tasteprofile: 'catalog' }
const NOT_FOUND = '<html><title>404: Not Found</title><body>404: Not Found</body></html>'
const SUCCESS: WireError = { code: 0, message: 'Success', status: 200 }
/** How an answer is written when no method was called. */
const OF_NO_METHOD: Writing = { format: { name: 'json' }, headers: {}, method: { style: 'track' } }

interface Writing {
  format: Format
  headers: Record<string, string>
  method: { style: XmlStyle }
}

export class Handler {
  readonly #music: Audile
  readonly #config: WireConfig
  readonly #write: (document: AnalysisDocument) => string
  readonly #guard: AddressGuard
  readonly #gate: Gate
  #methods: Promise<ReadonlyMap<string, ServedMethod>> | undefined

  /**
   * @param write - writes an analysis document as JSON
   * @throws {ParameterError} on an unknown option or a value out of range
   */
  constructor(music: Audile, options: WireOptions, write: (document: AnalysisDocument) => string) {
    const config = resolveWireOptions(options)
    const { allowAddress, rateLimit, now } = config
    this.#music = music
    this.#config = config
    this.#write = write
    this.#guard = new AddressGuard(allowAddress)
    this.#gate = {
      check: (apiKey, request, format) => this.#checkPage(apiKey, request, format),
      rate: rateLimit === undefined ? undefined : new RateLimit(rateLimit, now),
      async admit(apiKey) {
        await music.as(apiKey).call('catalog/list', { results: 0 })
      },
    }
  }

  /** Answers a request. It never throws. */
  async serve(request: Request): Promise<Response> {
    const response = await this.#answer(request)
    const { status, headers } = response
    for (const [name, value] of Object.entries(this.#config.origins.headersFor(request))) {
      headers.append(name, value)
    }
    return request.method === 'HEAD' ? new Response(null, { status, headers }) : response
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const route = routeOf(url)
    if (route?.room === 'analysis') {
      const id = unescaped(route.name)
      if (id !== undefined) return this.#options(request) ?? this.#analysis(request, url, id)
    } else if (route) {
      let method: ServedMethod | undefined
      try {
        method = await this.#methodOf(route)
      } catch (error) {
        return this.#envelope(OF_NO_METHOD, this.#told(error, request))
      }
      const base = this.#config.baseUrl ?? route.base
      if (method) return this.#options(request) ?? this.#call(request, method, base)
    }
    return this.#respond(404, NOT_FOUND, { 'content-type': 'text/html; charset=utf-8' })
  }

  /** The method of a route. The list of methods is requested from the engine only once. */
  async #methodOf({ room, name }: Route): Promise<ServedMethod | undefined> {
    this.#methods ??= this.#music.call('engine/describe', {}).then(servedMethods)
    try {
      return (await this.#methods).get(`${ALIASES[room] ?? room}/${name}`)
    } catch (error) {
      this.#methods = undefined
      throw error
    }
  }

  #options(request: Request): Response | undefined {
    if (request.method !== 'OPTIONS') return undefined
    return this.#respond(204, null, this.#config.origins.preflightFor(request))
  }

  async #call(request: Request, method: ServedMethod, base: string): Promise<Response> {
    const exchange = new Exchange(request, method, this.#config, this.#gate)
    try {
      checkHost(request)
      const { apiKey, params } = await exchange.read()
      const answer = await method.ask({
        music: this.#music.as(apiKey),
        params: params as Params<MethodName>,
        file: exchange.form.file,
        emptyFile: exchange.form.emptyFile,
        config: this.#config,
        guard: this.#guard,
        signal: request.signal,
      })
      const text = (value: string, name: string) => this.#text(value, name, base)
      const data = toWire(method.data(answer), text) as Record<string, Json>
      return this.#envelope(exchange, SUCCESS, data)
    } catch (error) {
      const told = this.#told(error, request)
      return this.#envelope(exchange, { ...told, status: this.#statusOf(told, exchange) })
    } finally {
      await exchange.end().catch(this.#config.onError)
    }
  }

  /** The analysis document of a track, for anyone with its signed address. */
  async #analysis(request: Request, url: URL, id: string): Promise<Response> {
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw invalidParameter('method', `"${request.method}"; ask for this one by GET`)
      }
      if (!isSame(signatureOf(this.#config.secret, id), url.searchParams.get('signature'))) {
        throw invalidParameter('signature', 'ask for the analysis_url of the track anew')
      }
      const document = await this.#music.call('track/analysis', { id }, { signal: request.signal })
      const answer = await analysisResponse(this.#write(document), request.headers)
      if (answer === undefined) return this.#envelope(OF_NO_METHOD, NOT_ACCEPTABLE)
      return this.#respond(answer.status, answer.body, answer.headers)
    } catch (error) {
      return this.#envelope(OF_NO_METHOD, this.#told(error, request))
    }
  }

  /** Replaces addresses and names of the engine in a text by those of the wire. */
  #text(value: string, name: string, base: string): string {
    if (name === 'analysis_url' && value.startsWith(ANALYSIS)) {
      const id = value.slice(ANALYSIS.length)
      const signature = signatureOf(this.#config.secret, id)
      return `${base}/api/v4/analysis/${encodeURIComponent(id)}?signature=${signature}`
    }
    return name === 'info' || name === 'details' ? inWireNames(value) : value
  }

  #told(error: unknown, request: Request): WireError {
    const told = toWireError(error)
    // Nobody gets the answer of an aborted request, so its error is not reported.
    if (told.code === -1 && !request.signal.aborted) this.#config.onError(error)
    return told
  }

  #envelope(
    { format, headers, method }: Writing,
    { code, message, status }: WireError,
    data: Record<string, Json> = {},
  ): Response {
    const { body, type } = render(format, method.style, { code, message }, data)
    return this.#respond(status, body, { ...headers, 'content-type': type })
  }

  #statusOf({ status }: WireError, { format, headers }: Exchange): number {
    // Browsers do not run a script that has an error status.
    if (format.name === 'jsonp') return 200
    return this.#config.errorStatus ?? ('allow' in headers ? 405 : status)
  }

  /** The default key is not secret, so it does not prove that a page may read the user's data. */
  #checkPage(apiKey: string, request: Request, { name }: Format): void {
    if (apiKey !== WELL_KNOWN) return
    const page = this.#config.origins.foreignPage(request, name === 'jsonp')
    if (page === undefined) return
    throw new KeyError(
      'not_allowed',
      `api_key - API key not allowed: "${WELL_KNOWN}" is not for pages of other origins (${quoted(page)}); make a key of its own by "keys.create", or name the origin in the option "cors"`,
    )
  }

  #respond(
    status: number,
    body: string | Uint8Array<ArrayBuffer> | null,
    more: Record<string, string>,
  ): Response {
    const headers = new Headers({ 'cache-control': 'no-store', ...more })
    if (body !== null) headers.set('content-length', String(Buffer.byteLength(body)))
    // Without this, a browser could show text that a caller wrote as a page.
    headers.set('x-content-type-options', 'nosniff')
    return new Response(body, { status, headers })
  }
}

interface Route {
  /** The address up to `/api/v4`. */
  base: string
  room: string
  name: string
}

function routeOf({ protocol, host, pathname }: URL): Route | undefined {
  const found = /^(.*?)\/api\/v4\/([^/]+)\/([^/]+)\/?$/.exec(pathname)
  if (!found) return undefined
  const [, before, room, name] = found as unknown as [string, string, string, string]
  // Not `URL.origin`, which is "null" for custom schemes.
  return { base: `${protocol}//${host}${before}`, room, name }
}

const HOST = /^([\w.~%-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i

/**
 * @throws {ParameterError} if the `Host` header, which analysis_url contains, is more than a host
 */
function checkHost({ headers }: Request): void {
  const host = headers.get('host')
  if (host === null || HOST.test(host)) return
  throw invalidParameter(
    'method',
    `the header Host is ${quoted(host)}; it must be a name or an IP address`,
  )
}
