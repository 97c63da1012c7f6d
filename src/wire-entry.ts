/**
 * The old service's protocol, as a function from requests to responses.
 *
 * @module audile/wire
 */

import { stringifyAnalysis } from './analysis/document.ts'
import type { Audile } from './audile.ts'
import { Handler } from './wire/handler.ts'
import type { WireOptions } from './wire/options.ts'

export type { WireLimits, WireOptions } from './wire/options.ts'

/**
 * A handler that answers requests as the old service did: its paths, parameters, formats, envelope
 * and error codes. It opens no port. Electron mounts it with `protocol.handle`, a test calls it, any
 * framework or Node's own http server can serve it.
 *
 * The keys are those of the database. Over a network give a key of its own (`music.keys.create()`):
 * the default key `local` is no secret, and refused to pages of other origins than the handler's.
 * Over HTTP set `baseUrl`, so that the handler knows its own address.
 *
 * @param music - the open database that answers; closing it stays with the caller
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
  const handler = new Handler(music, options, stringifyAnalysis)
  return (request) => handler.serve(request)
}
