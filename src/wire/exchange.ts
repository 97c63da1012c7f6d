import { invalidParameter, KeyError, missingParameter } from '../values/errors.ts'
import { type ParameterBuffer, tooLarge } from './buffered-bytes.ts'
import { RequestForm, unreadableBody } from './form.ts'
import type { ServedMethod } from './methods.ts'
import { readMultipart } from './multipart.ts'
import type { WireConfig, WireLimits } from './options.ts'
import { readParameters } from './parameters.ts'
import type { RateLimit } from './rate-limit.ts'
import { formatOf, type WireFormat } from './render.ts'
import { limitBytes, RequestBody } from './request-body.ts'
import { readUrlencoded } from './urlencoded.ts'

const MAX_KEY_LENGTH = 256

export interface Gate {
  /** @throws {KeyError} if the requesting page may not use the key */
  check(apiKey: string, request: Request, format: WireFormat): void
  rate: RateLimit | undefined
  admit(apiKey: string): Promise<void>
}

/** A request for a method: its parameters, and the format and headers of the answer. */
export class Exchange {
  readonly request: Request
  readonly method: ServedMethod
  readonly form: RequestForm
  readonly headers: Record<string, string> = {}
  format: WireFormat = { name: 'json' }
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
    this.form = new RequestForm(
      request.method === 'POST' ? method.fileParameter : undefined,
      limits,
    )
  }

  /**
   * Reads the whole request, except a file that is its body.
   * @throws {KeyError} before any other error, if the key is missing or wrong
   * @throws {ParameterError}
   */
  async readRequest(): Promise<{ apiKey: string; params: Record<string, unknown> }> {
    const { request, method, form } = this
    for (const [name, value] of new URL(request.url).searchParams) form.addPair(name, value)
    this.#guessFormat()
    this.#requireVerb()
    // A wrong key in the URL is refused before the body is read.
    const keyInUrl = this.#valueOf('api_key')
    if (keyInUrl !== undefined) await this.#admitKey(keyInUrl)
    const type = request.headers.get('content-type') ?? ''
    if (this.#body) await readFormBody(this.#body, type, form, this.#limits)
    this.#guessFormat()
    const apiKey = keyInUrl ?? this.#valueOf('api_key')
    if (apiKey === undefined) {
      throw new KeyError('invalid_key', 'api_key - Missing key: every call needs an api_key')
    }
    if (keyInUrl === undefined) await this.#admitKey(apiKey)
    this.format = this.#askedFormat()
    const parameters = readParameters(form.pairs, method.kinds)
    const { apiKey: _key, format: _format, callback: _callback, ...params } = parameters
    this.#requireAll()
    return { apiKey, params }
  }

  async finish(): Promise<void> {
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
      const sentValue = form.fileParameter?.name === name ? form.file : this.#valueOf(name)
      if (sentValue !== undefined) continue
      throw missingParameter(name, form.emptyFile ? 'what was sent is empty (0 bytes)' : undefined)
    }
  }

  async #admitKey(apiKey: string): Promise<void> {
    if (apiKey.length > MAX_KEY_LENGTH) {
      throw new KeyError('invalid_key', 'api_key - Invalid key: it is longer than any api key')
    }
    // Before the rate limit: a foreign page must not use up the calls of others.
    this.#gate.check(apiKey, this.request, this.format)
    const countedCall = this.#gate.rate?.countCall(apiKey)
    Object.assign(this.headers, countedCall?.headers)
    if (countedCall?.error) throw countedCall.error
    await this.#gate.admit(apiKey)
  }

  /** Set early, because errors are written in this format too. */
  #guessFormat(): void {
    try {
      this.format = this.#askedFormat()
    } catch {
      // `readRequest` throws the error later.
    }
  }

  #askedFormat(): WireFormat {
    const [format, callback] = [this.#valueOf('format'), this.#valueOf('callback')]
    return formatOf(this.method.formats, format, callback)
  }

  #valueOf(name: string): string | undefined {
    return this.form.pairs.find(([pairName]) => pairName === name)?.[1]
  }
}

/** Types of a body that is the file itself. */
const FILE_TYPES = /^(application\/(octet-stream|json)|audio\/.+|)$/
const ACCEPTED_TYPES =
  'application/x-www-form-urlencoded, multipart/form-data, or application/octet-stream'

async function readFormBody(
  body: RequestBody,
  contentType: string,
  form: RequestForm,
  limits: Readonly<WireLimits>,
): Promise<void> {
  const type = (contentType.split(';')[0] as string).trim().toLowerCase()
  // Some clients declare multipart without a boundary and send all in the URL.
  if (await body.isEmpty()) {
    form.emptyFile = type !== '' && FILE_TYPES.test(type)
    return
  }
  if (type === 'application/x-www-form-urlencoded') return readPairs(body, form, limits)
  if (type === 'multipart/form-data') return readMultipart(body, contentType, form, limits)
  const { fileParameter } = form
  if (fileParameter === undefined || !FILE_TYPES.test(type)) {
    throw unreadableBody(`its type is ${JSON.stringify(type)}; send ${ACCEPTED_TYPES}`)
  }
  const { name, limit } = fileParameter
  const maxBytes = limits[limit]
  form.addFile(limitBytes(body, maxBytes, () => tooLarge(name, { name: limit, bytes: maxBytes })))
}

async function readPairs(
  body: AsyncIterable<Uint8Array>,
  form: RequestForm,
  { parameterBytes }: Readonly<WireLimits>,
): Promise<void> {
  const { fileParameter } = form
  let pairName = ''
  let pieces: Uint8Array[] = []
  let size = 0
  let buffer: ParameterBuffer | undefined
  await readUrlencoded(body, {
    startPair(bytes) {
      pairName = utf8Text([bytes])
      const isFile = fileParameter?.text === true && fileParameter.name === pairName
      buffer = isFile ? form.openBuffer(fileParameter) : undefined
      pieces = []
      size = 0
    },
    addValue(bytes) {
      if (buffer) return buffer.append(bytes)
      size += bytes.length
      if (size > parameterBytes) throw form.limitError('parameterBytes')
      pieces.push(bytes)
    },
    endPair() {
      if (!buffer) form.addPair(pairName, utf8Text(pieces))
      else if (buffer.size > 0) form.addFile(buffer.readBytes())
    },
  })
}

function utf8Text(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString('utf8')
}
