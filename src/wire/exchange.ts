import { invalidParameter, KeyError, missingParameter } from '../values/errors.ts'
import { type Holder, tooLarge } from './buffered-bytes.ts'
import { Form, unreadable } from './form.ts'
import type { ServedMethod } from './methods.ts'
import { readMultipart } from './multipart.ts'
import type { WireConfig, WireLimits } from './options.ts'
import { readParameters } from './parameters.ts'
import type { RateLimit } from './rate-limit.ts'
import { type Format, formatOf } from './render.ts'
import { capped, RequestBody } from './request-body.ts'
import { readUrlencoded } from './urlencoded.ts'

const LONGEST_KEY = 256

export interface Gate {
  /** @throws {KeyError} if the page that sends the request may not use the key */
  check(apiKey: string, request: Request, format: Format): void
  rate: RateLimit | undefined
  /** @throws {KeyError} if there is no such key */
  admit(apiKey: string): Promise<void>
}

/** A request for a method: its parameters, and the format and headers of the answer. */
export class Exchange {
  readonly request: Request
  readonly method: ServedMethod
  readonly form: Form
  readonly headers: Record<string, string> = {}
  /** The format of the answer; JSON until another one is known. */
  format: Format = { name: 'json' }
  readonly #limits: WireConfig['limits']
  readonly #gate: Gate
  readonly #body: RequestBody | undefined

  constructor(request: Request, method: ServedMethod, { limits }: WireConfig, gate: Gate) {
    this.request = request
    this.method = method
    this.#limits = limits
    this.#gate = gate
    const { body, signal } = request
    this.#body = body ? new RequestBody(body, limits.stalledSeconds, signal) : undefined
    this.form = new Form(request.method === 'POST' ? method.fileParameter : undefined, limits)
  }

  /**
   * Reads the whole request, except a file that is its body.
   *
   * @throws {KeyError} before any other error, if the key is missing or wrong
   * @throws {ParameterError}
   */
  async read(): Promise<{ apiKey: string; params: Record<string, unknown> }> {
    const { request, method, form } = this
    for (const [name, value] of new URL(request.url).searchParams) form.add(name, value)
    this.#guessFormat()
    this.#requireVerb()
    // A wrong key in the URL is refused before the body is read.
    const inUrl = this.#valueOf('api_key')
    if (inUrl !== undefined) await this.#admit(inUrl)
    const type = request.headers.get('content-type') ?? ''
    if (this.#body) await readBody(this.#body, type, form, this.#limits)
    this.#guessFormat()
    const apiKey = inUrl ?? this.#valueOf('api_key')
    if (apiKey === undefined) {
      throw new KeyError('invalid_key', 'api_key - Missing key: every call needs an api_key')
    }
    if (inUrl === undefined) await this.#admit(apiKey)
    this.format = this.#askedFormat()
    const all = readParameters(form.pairs, method.kinds)
    const { apiKey: _key, format: _format, callback: _name, ...params } = all
    this.#requireAll()
    return { apiKey, params }
  }

  async end(): Promise<void> {
    await this.form.dispose()
    await this.#body?.drain()
  }

  #requireVerb(): void {
    const { verbs } = this.method
    const verb = this.request.method === 'HEAD' ? 'GET' : this.request.method
    if (verbs.includes(verb)) return
    this.headers.allow = verbs.join(', ')
    throw invalidParameter('method', `"${verb}"; ask for this one by ${verbs.join(' or ')}`)
  }

  #requireAll(): void {
    const { method, form } = this
    for (const name of method.required) {
      const given = form.fileParameter?.name === name ? form.file : this.#valueOf(name)
      if (given !== undefined) continue
      throw missingParameter(name, form.emptyFile ? 'what was sent is empty (0 bytes)' : undefined)
    }
  }

  async #admit(apiKey: string): Promise<void> {
    if (apiKey.length > LONGEST_KEY) {
      throw new KeyError('invalid_key', 'api_key - Invalid key: it is longer than any api key')
    }
    // Before the rate limit: a foreign page must not use up the calls of others.
    this.#gate.check(apiKey, this.request, this.format)
    const counted = this.#gate.rate?.count(apiKey)
    Object.assign(this.headers, counted?.headers)
    if (counted?.error) throw counted.error
    await this.#gate.admit(apiKey)
  }

  /** Sets the requested format as soon as it is known, because errors use it too. */
  #guessFormat(): void {
    try {
      this.format = this.#askedFormat()
    } catch {
      // `read` throws the error later.
    }
  }

  #askedFormat(): Format {
    const [format, callback] = [this.#valueOf('format'), this.#valueOf('callback')]
    return formatOf(this.method.formats, format, callback)
  }

  #valueOf(name: string): string | undefined {
    return this.form.pairs.find(([one]) => one === name)?.[1]
  }
}

/** Content types of a body that is the file itself. */
const RAW = /^(application\/(octet-stream|json)|audio\/.+|)$/
const ACCEPTED =
  'application/x-www-form-urlencoded, multipart/form-data, or application/octet-stream'

/**
 * Reads a body of any accepted type into a form.
 *
 * @param header - the content type
 */
async function readBody(
  body: RequestBody,
  header: string,
  form: Form,
  limits: Readonly<WireLimits>,
): Promise<void> {
  const type = (header.split(';')[0] as string).trim().toLowerCase()
  // Some clients declare multipart without a boundary, and send all parameters in the URL.
  if (await body.isEmpty()) {
    form.emptyFile = type !== '' && RAW.test(type)
    return
  }
  if (type === 'application/x-www-form-urlencoded') return readPairs(body, form, limits)
  if (type === 'multipart/form-data') return readMultipart(body, header, form, limits)
  const { fileParameter } = form
  if (fileParameter === undefined || !RAW.test(type)) {
    throw unreadable(`its type is ${JSON.stringify(type)}; send ${ACCEPTED}`)
  }
  const { name, limit } = fileParameter
  const most = limits[limit]
  form.addFile(capped(body, most, () => tooLarge(name, { name: limit, bytes: most })))
}

async function readPairs(
  body: AsyncIterable<Uint8Array>,
  form: Form,
  { parameterBytes }: Readonly<WireLimits>,
): Promise<void> {
  const { fileParameter } = form
  let name = ''
  let pieces: Uint8Array[] = []
  let size = 0
  let holder: Holder | undefined
  await readUrlencoded(body, {
    name(bytes) {
      name = text([bytes])
      const isFile = fileParameter?.text === true && fileParameter.name === name
      holder = isFile ? form.hold(fileParameter) : undefined
      pieces = []
      size = 0
    },
    value(bytes) {
      if (holder) return holder.write(bytes)
      size += bytes.length
      if (size > parameterBytes) throw form.exceeded('parameterBytes')
      pieces.push(bytes)
    },
    end() {
      if (!holder) form.add(name, text(pieces))
      else if (holder.size > 0) form.addFile(holder.held())
    },
  })
}

function text(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString('utf8')
}
