import type { AnalysisDocument } from '../analysis/document.ts'
import type { Audile } from '../host/audile.ts'
import type { MethodName, Params } from '../host/door.ts'
import { invalidParameter, KeyError } from '../values/errors.ts'
import { decodeEscaped, quoted } from '../values/text.ts'
import {
  analysisResponse,
  isSameSignature,
  NOT_ACCEPTABLE,
  signatureOf,
} from './analysis-document.ts'
import { toWireError, type WireError } from './errors.ts'
import { Exchange, type Gate } from './exchange.ts'
import { AddressGuard } from './guarded-download.ts'
import { type ServedMethod, servedMethods } from './methods.ts'
import { inWireNames, type JsonValue, toWire } from './names.ts'
import { resolveWireOptions, type WireConfig, type WireOptions } from './options.ts'
import { RateLimit } from './rate-limit.ts'
import { renderAnswer, type WireFormat } from './render.ts'
import type { XmlStyle } from './xml.ts'

/** Begins the addresses that the engine gives analysis documents. */
const ANALYSIS_PREFIX = 'audile:analysis/'
/** The default key, which is not secret. */
const DEFAULT_KEY = 'local'
/** Other names of rooms that some clients use. */
const ROOM_ALIASES: Readonly<Record<string, string>> = { tasteprofile: 'catalog' }
const NOT_FOUND = '<html><title>404: Not Found</title><body>404: Not Found</body></html>'
const SUCCESS: WireError = { code: 0, message: 'Success', status: 200 }
const WITHOUT_METHOD: AnswerStyle = {
  format: { name: 'json' },
  headers: {},
  method: { style: 'track' },
}

interface AnswerStyle {
  format: WireFormat
  headers: Record<string, string>
  method: { style: XmlStyle }
}

export class RequestHandler {
  readonly #music: Audile
  readonly #config: WireConfig
  readonly #stringifyDocument: (document: AnalysisDocument) => string
  readonly #guard: AddressGuard
  readonly #gate: Gate
  #methods: Promise<ReadonlyMap<string, ServedMethod>> | undefined

  /** @throws {ParameterError} on an unknown option or a value out of range */
  constructor(
    music: Audile,
    options: WireOptions,
    stringifyDocument: (document: AnalysisDocument) => string,
  ) {
    const config = resolveWireOptions(options)
    const { allowAddress, rateLimit, now } = config
    this.#music = music
    this.#config = config
    this.#stringifyDocument = stringifyDocument
    this.#guard = new AddressGuard(allowAddress)
    this.#gate = {
      check: (apiKey, request, format) => this.#checkPage(apiKey, request, format),
      rate: rateLimit === undefined ? undefined : new RateLimit(rateLimit, now),
      async admit(apiKey) {
        await music.as(apiKey).call('catalog/list', { results: 0 })
      },
    }
  }

  /** Never throws. */
  async handleRequest(request: Request): Promise<Response> {
    const response = await this.#answerRequest(request)
    const { status, headers } = response
    for (const [name, value] of Object.entries(this.#config.origins.headersFor(request))) {
      headers.append(name, value)
    }
    return request.method === 'HEAD' ? new Response(null, { status, headers }) : response
  }

  async #answerRequest(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const route = routeOf(url)
    if (route?.room === 'analysis') {
      const id = decodeEscaped(route.name)
      if (id !== undefined)
        return this.#answerPreflight(request) ?? this.#answerAnalysis(request, url, id)
    } else if (route) {
      let method: ServedMethod | undefined
      try {
        method = await this.#methodOf(route)
      } catch (error) {
        return this.#writeAnswer(WITHOUT_METHOD, this.#toReportedError(error, request))
      }
      const base = this.#config.baseUrl ?? route.base
      if (method) return this.#answerPreflight(request) ?? this.#answerCall(request, method, base)
    }
    return this.#makeResponse(404, NOT_FOUND, { 'content-type': 'text/html; charset=utf-8' })
  }

  async #methodOf({ room, name }: Route): Promise<ServedMethod | undefined> {
    this.#methods ??= this.#music.call('engine/describe', {}).then(servedMethods)
    try {
      return (await this.#methods).get(`${ROOM_ALIASES[room] ?? room}/${name}`)
    } catch (error) {
      this.#methods = undefined
      throw error
    }
  }

  #answerPreflight(request: Request): Response | undefined {
    if (request.method !== 'OPTIONS') return undefined
    return this.#makeResponse(204, null, this.#config.origins.preflightFor(request))
  }

  async #answerCall(request: Request, method: ServedMethod, base: string): Promise<Response> {
    const exchange = new Exchange(request, method, this.#config, this.#gate)
    try {
      checkHost(request)
      const { apiKey, params } = await exchange.readRequest()
      const answer = await method.call({
        music: this.#music.as(apiKey),
        params: params as Params<MethodName>,
        file: exchange.form.file,
        emptyFile: exchange.form.emptyFile,
        config: this.#config,
        guard: this.#guard,
        signal: request.signal,
      })
      const toWireText = (value: string, name: string) => this.#toWireText(value, name, base)
      const data = toWire(method.toMembers(answer), toWireText) as Record<string, JsonValue>
      return this.#writeAnswer(exchange, SUCCESS, data)
    } catch (error) {
      const wireError = this.#toReportedError(error, request)
      return this.#writeAnswer(exchange, {
        ...wireError,
        status: this.#statusOf(wireError, exchange),
      })
    } finally {
      await exchange.finish().catch(this.#config.onError)
    }
  }

  async #answerAnalysis(request: Request, url: URL, id: string): Promise<Response> {
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw invalidParameter('method', `"${request.method}"; ask for this one by GET`)
      }
      if (
        !isSameSignature(signatureOf(this.#config.secret, id), url.searchParams.get('signature'))
      ) {
        throw invalidParameter('signature', 'ask for the analysis_url of the track anew')
      }
      const document = await this.#music.call('track/analysis', { id }, { signal: request.signal })
      const answer = await analysisResponse(this.#stringifyDocument(document), request.headers)
      if (answer === undefined) return this.#writeAnswer(WITHOUT_METHOD, NOT_ACCEPTABLE)
      return this.#makeResponse(answer.status, answer.body, answer.headers)
    } catch (error) {
      return this.#writeAnswer(WITHOUT_METHOD, this.#toReportedError(error, request))
    }
  }

  /** Replaces the addresses and names of the engine by those of the wire. */
  #toWireText(value: string, name: string, base: string): string {
    if (name === 'analysis_url' && value.startsWith(ANALYSIS_PREFIX)) {
      const id = value.slice(ANALYSIS_PREFIX.length)
      const signature = signatureOf(this.#config.secret, id)
      return `${base}/api/v4/analysis/${encodeURIComponent(id)}?signature=${signature}`
    }
    return name === 'info' || name === 'details' ? inWireNames(value) : value
  }

  #toReportedError(error: unknown, request: Request): WireError {
    const wireError = toWireError(error)
    // Nobody gets the answer of an aborted request.
    if (wireError.code === -1 && !request.signal.aborted) this.#config.onError(error)
    return wireError
  }

  #writeAnswer(
    { format, headers, method }: AnswerStyle,
    { code, message, status }: WireError,
    data: Record<string, JsonValue> = {},
  ): Response {
    const { body, type } = renderAnswer(format, method.style, { code, message }, data)
    return this.#makeResponse(status, body, { ...headers, 'content-type': type })
  }

  #statusOf({ status }: WireError, { format, headers }: Exchange): number {
    // Browsers do not run a script that has an error status.
    if (format.name === 'jsonp') return 200
    return this.#config.errorStatus ?? ('allow' in headers ? 405 : status)
  }

  /** The default key is no secret, so it does not prove that a page may read the data. */
  #checkPage(apiKey: string, request: Request, { name }: WireFormat): void {
    if (apiKey !== DEFAULT_KEY) return
    const page = this.#config.origins.foreignPage(request, name === 'jsonp')
    if (page === undefined) return
    throw new KeyError(
      'not_allowed',
      `api_key - API key not allowed: "${DEFAULT_KEY}" is not for pages of other origins (${quoted(page)}); make a key of its own by "keys.create", or name the origin in the option "cors"`,
    )
  }

  #makeResponse(
    status: number,
    body: string | Uint8Array<ArrayBuffer> | null,
    ownHeaders: Record<string, string>,
  ): Response {
    const headers = new Headers({ 'cache-control': 'no-store', ...ownHeaders })
    if (body !== null) headers.set('content-length', String(Buffer.byteLength(body)))
    // Keeps browsers from showing a caller's text as a page.
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
  const match = /^(.*?)\/api\/v4\/([^/]+)\/([^/]+)\/?$/.exec(pathname)
  if (!match) return undefined
  const [, basePath, room, name] = match as unknown as [string, string, string, string]
  // Not `URL.origin`, which is "null" for custom schemes.
  return { base: `${protocol}//${host}${basePath}`, room, name }
}

const HOST_HEADER = /^([\w.~%-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i

/**
 * `analysis_url` contains the `Host` header.
 * @throws {ParameterError} if it is more than a host
 */
function checkHost({ headers }: Request): void {
  const host = headers.get('host')
  if (host === null || HOST_HEADER.test(host)) return
  throw invalidParameter(
    'method',
    `the header Host is ${quoted(host)}; it must be a name or an IP address`,
  )
}
