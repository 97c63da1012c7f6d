import type { AnalysisDocument } from '../analysis/document.ts'
import type { Audile } from '../audile.ts'
import { AddressGuard } from './address-guard.ts'
import { AnalysisAddress } from './analysis-address.ts'
import { toWireError, type WireError } from './errors.ts'
import { Exchange, type Gate } from './exchange.ts'
import type { WireMethod } from './method.ts'
import { inWireNames, type Json, toWire } from './names.ts'
import { resolveWireOptions, type WireConfig, type WireOptions } from './options.ts'
import { invalid } from './parameters.ts'
import { RateLimit } from './rate-limit.ts'
import { type Format, render } from './render.ts'
import { routeOf } from './route.ts'
import type { XmlStyle } from './xml.ts'

/** Where the engine says that the analysis of a track is. */
const ANALYSIS = 'audile:analysis/'
const NOT_FOUND = '<html><title>404: Not Found</title><body>404: Not Found</body></html>'
const SUCCESS: WireError = { code: 0, message: 'Success', status: 200 }

/** Serves requests in the specification's own terms. */
export class Handler {
  readonly #music: Audile
  readonly #config: WireConfig
  readonly #write: (document: AnalysisDocument) => string
  readonly #address: AnalysisAddress
  readonly #guard: AddressGuard
  readonly #gate: Gate

  /**
   * @param write - how an analysis document is written
   * @throws {ParameterError} on an unknown option or a value out of range
   */
  constructor(music: Audile, options: WireOptions, write: (document: AnalysisDocument) => string) {
    const config = resolveWireOptions(options)
    const { secret, allowAddress, rateLimit, now } = config
    this.#music = music
    this.#config = config
    this.#write = write
    this.#address = new AnalysisAddress(secret)
    this.#guard = new AddressGuard(allowAddress)
    this.#gate = {
      rate: rateLimit === undefined ? undefined : new RateLimit(rateLimit, now),
      async admit(apiKey) {
        await music.as(apiKey).call('catalog/list', { results: 0 })
      },
    }
  }

  /** Answers a request; whatever happens, with a response. */
  async serve(request: Request): Promise<Response> {
    const response = await this.#answer(request)
    if (request.method !== 'HEAD') return response
    const { status, headers } = response
    return new Response(null, { status, headers })
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const route = routeOf(url)
    if (route === undefined) return this.#respond(404, NOT_FOUND, 'text/html; charset=utf-8')
    if (request.method === 'OPTIONS') return this.#preflight()
    if ('analysisOf' in route) return this.#analysis(request, url, route.analysisOf)
    return this.#call(request, route.method, this.#config.baseUrl ?? route.base)
  }

  async #call(request: Request, method: WireMethod, base: string): Promise<Response> {
    const exchange = new Exchange(request, method, this.#config, this.#gate)
    try {
      const { apiKey, params } = await exchange.read()
      const data = await method.run({
        music: this.#music.as(apiKey),
        params,
        file: exchange.form.file,
        config: this.#config,
        guard: this.#guard,
        signal: request.signal,
      })
      const text = (value: string, name: string) => this.#text(value, name, base)
      return this.#envelope(exchange, SUCCESS, toWire(data, text) as Record<string, Json>)
    } catch (error) {
      return this.#envelope(exchange, this.#told(error, request))
    } finally {
      await exchange.end().catch(this.#config.onError)
    }
  }

  /** The analysis document of a track, for whoever was told its address. */
  async #analysis(request: Request, url: URL, id: string): Promise<Response> {
    const exchange = { format: { name: 'json' }, headers: {}, method: { style: 'track' } } as const
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw invalid('method', `"${request.method}"; ask for this one by GET`)
      }
      if (!this.#address.isSigned(id, url.searchParams.get('signature'))) {
        throw invalid('signature', 'ask for the analysis_url of the track anew')
      }
      const document = await this.#music.call('track/analysis', { id }, { signal: request.signal })
      return this.#respond(200, this.#write(document), 'application/json; charset=utf-8')
    } catch (error) {
      return this.#envelope(exchange, this.#told(error, request))
    }
  }

  /** A text of the engine as the wire writes it. */
  #text(value: string, name: string, base: string): string {
    if (name === 'analysis_url' && value.startsWith(ANALYSIS)) {
      return this.#address.of(base, value.slice(ANALYSIS.length))
    }
    return name === 'info' || name === 'details' ? inWireNames(value) : value
  }

  #told(error: unknown, request: Request): WireError {
    const told = toWireError(error)
    // Nobody waits any more for the answer of a request that was given up.
    if (told.code === -1 && !request.signal.aborted) this.#config.onError(error)
    return told
  }

  #envelope(
    exchange: { format: Format; headers: Record<string, string>; method: { style: XmlStyle } },
    { code, message, status }: WireError,
    data: Record<string, Json> = {},
  ): Response {
    const { format, headers, method } = exchange
    const { body, type } = render(format, method.style, { code, message }, data)
    // A script that is answered with an error status is not run, and nobody would be told.
    const shown = format.name === 'jsonp' ? 200 : 'allow' in headers ? 405 : status
    return this.#respond(shown, body, type, headers)
  }

  #preflight(): Response {
    const headers = {
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'content-type',
    }
    return this.#respond(204, null, undefined, headers)
  }

  #respond(
    status: number,
    body: string | null,
    type: string | undefined,
    more: Record<string, string> = {},
  ): Response {
    const { allowOrigin } = this.#config
    const headers = new Headers({ 'cache-control': 'no-store', ...more })
    if (type !== undefined) headers.set('content-type', type)
    // What a caller has written is never to be taken for a page.
    headers.set('x-content-type-options', 'nosniff')
    if (allowOrigin !== undefined) headers.set('access-control-allow-origin', allowOrigin)
    return new Response(body, { status, headers })
  }
}
