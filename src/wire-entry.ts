/**
 * The HTTP protocol of the old service, as a function from `Request` to `Response`.
 *
 * @module audile/wire
 */

import { stringifyAnalysis } from './analysis/document.ts'
import type { Audile } from './host/audile.ts'
import { RequestHandler } from './wire/handler.ts'
import type { WireOptions } from './wire/options.ts'

export type { WireLimits, WireOptions } from './wire/options.ts'

/**
 * Makes a function that answers requests as the old service did, with its paths, parameters, formats,
 * envelope and error codes. It opens no port: mount it with Electron's `protocol.handle`, in any
 * framework, or in Node's own http server, or call it in a test.
 *
 * The keys are those of the database. Over a network, give each client its own key
 * (`music.keys.create()`): the default key `local` is not secret, and pages of other origins may not
 * use it. Over HTTP, set `baseUrl`, so that the handler knows its own address.
 *
 * @param music - the open database that answers; the caller closes it
 * @throws {ParameterError} on an unknown option or a value out of range
 *
 * @example
 * ```ts
 * import { createHandler } from 'audile/wire'
 *
 * const handle = createHandler(music)
 * const url = 'http://localhost/api/v4/song/search?api_key=local&title=help'
 * const answer = await handle(new Request(url))
 * console.log(answer.status, await answer.text())
 * ```
 */
export function createHandler(
  music: Audile,
  options: WireOptions = {},
): (request: Request) => Promise<Response> {
  const handler = new RequestHandler(music, options, stringifyAnalysis)
  return (request) => handler.handleRequest(request)
}
