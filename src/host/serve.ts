import { parseServeOptions, type ServeOptions } from '../remote/serve-options.ts'
import type { EngineServer } from '../remote/server.ts'
import { ClosedError, invalidParameter } from '../values/errors.ts'
import type { Audile } from './audile.ts'
import { atCaller } from './caller.ts'

/**
 * Serves an open database to other processes, on this machine or others, over WebSockets. They open it
 * with its address as `engine`, and use it as they would their own. It needs the package `ws`.
 *
 * Every client must give a key of the database. Over a network, give each its own
 * (`music.keys.create()`), and serve behind TLS: with your own server, or a proxy in front of it.
 *
 * @throws {ParameterError} on an unknown option, a value out of range, an address that is in use, or
 * when the package `ws` is not installed
 * @throws {ClosedError} when the database is closed
 *
 * @example
 * ```ts
 * import { Audile, serveEngine } from 'audile'
 *
 * const server = await serveEngine(music, { listen: 'unix:/tmp/music.sock' })
 * const other = await Audile.open({ engine: 'unix:/tmp/music.sock' })
 * console.log(await other.tracks.list())
 * await other.close()
 * await server.close()
 * ```
 */
export async function serveEngine(music: Audile, options: ServeOptions): Promise<EngineServer> {
  let config: ReturnType<typeof parseServeOptions>
  try {
    requireOpen(music)
    config = parseServeOptions(options)
  } catch (error) {
    throw error instanceof Error ? atCaller(error) : error
  }
  const { openServer } = await import('../remote/server.ts')
  return openServer(music.core, config)
}

function requireOpen(music: Partial<Audile> | null | undefined): void {
  if (!music?.core) {
    throw invalidParameter('music', 'no open database; give what Audile.open resolves to')
  }
  if (music.core.engine.ended.aborted) throw new ClosedError()
}
