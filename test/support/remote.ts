import { onTestFinished } from 'vitest'
import { Audile } from '../../src/host/audile.ts'
import { serveEngine } from '../../src/host/serve.ts'
import type { RemoteOptions } from '../../src/remote/open-options.ts'
import type { ServeOptions } from '../../src/remote/serve-options.ts'

/** Serves an engine on a free port, as to its owner, until the running test ends. */
export async function serve(music: Audile, options: Partial<ServeOptions> = {}) {
  const server = await serveEngine(music, { listen: { port: 0 }, trusted: true, ...options })
  onTestFinished(() => server.close())
  return server
}

/** Connects to an engine until the running test ends. */
export async function connect(address: string, options: Partial<RemoteOptions> = {}) {
  const engine = address as RemoteOptions['engine']
  const client = await Audile.open({ engine, ...options })
  onTestFinished(() => client.close())
  return client
}
