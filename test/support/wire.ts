import type { Audile } from '../../src/index.ts'
import { createHandler, type WireOptions } from '../../src/wire-entry.ts'

/** Parameters of a request; a list repeats its name. */
export type Query = Record<string, string | number | boolean | readonly string[]>

/** What a method answered. */
export interface Answer {
  http: number
  status: { version: string; code: number; message: string }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  data: any
  headers: Headers
  text: string
}

export const BASE = 'http://localhost/api/v4/'

/** Parameters as a query string or an urlencoded body. */
export function encoded(query: Query): URLSearchParams {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return new URLSearchParams(pairs)
}

/** Speaks to a handler as a client over HTTP would, with the key `local` unless another is given. */
export class Client {
  readonly handle: (request: Request) => Promise<Response>

  constructor(music: Audile, options: WireOptions = {}) {
    this.handle = createHandler(music, options)
  }

  get(path: string, query: Query = {}): Promise<Answer> {
    return this.send(new Request(`${BASE}${path}?${encoded({ api_key: 'local', ...query })}`))
  }

  /** The parameters as an urlencoded body. */
  post(path: string, query: Query = {}): Promise<Answer> {
    const body = encoded({ api_key: 'local', ...query })
    return this.send(new Request(BASE + path, { method: 'POST', body }))
  }

  /** The parameters, and files, as the parts of a multipart body. */
  postForm(path: string, query: Query, files: Record<string, Blob> = {}): Promise<Answer> {
    const body = new FormData()
    for (const [name, value] of encoded({ api_key: 'local', ...query })) body.append(name, value)
    for (const [name, file] of Object.entries(files)) body.append(name, file, 'file')
    return this.send(new Request(BASE + path, { method: 'POST', body }))
  }

  /** Bytes as the body, the parameters in the URL. */
  postBytes(path: string, query: Query, bytes: Uint8Array | string): Promise<Answer> {
    const url = `${BASE}${path}?${encoded({ api_key: 'local', ...query })}`
    const headers = { 'content-type': 'application/octet-stream' }
    return this.send(new Request(url, { method: 'POST', headers, body: bytes }))
  }

  /** Sends a request and reads the JSON envelope of its answer. */
  async send(request: Request): Promise<Answer> {
    const response = await this.handle(request)
    const text = await response.text()
    const { status, ...data } = JSON.parse(text).response
    return { http: response.status, status, data, headers: response.headers, text }
  }

  /** Sends a request as it is; a script of a page of the handler's own, where it asks for one. */
  async raw(path: string, query: Query = {}, init: RequestInit = {}): Promise<Response> {
    const headers = { ...(query.format === 'jsonp' && { referer: `${BASE}page` }), ...init.headers }
    const url = `${BASE}${path}?${encoded({ api_key: 'local', ...query })}`
    return this.handle(new Request(url, { ...init, headers }))
  }

  /** The text of an answer to GET. */
  async text(path: string, query: Query = {}): Promise<string> {
    return (await this.raw(path, query)).text()
  }
}
