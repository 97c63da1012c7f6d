import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { Audile } from '../../src/host/audile.ts'
import { serveEngine } from '../../src/host/serve.ts'
import type { AudileOptions } from '../../src/options/options.ts'
import { scratch } from './scratch.ts'

/** Whether tests speak to their engines over sockets, as other processes would. */
let overSockets = process.env.MODE === 'socket'

/** Has the tests of a part speak to their engines over sockets. */
export function speakOverSockets(): void {
  const before = overSockets
  beforeAll(() => {
    overSockets = true
  })
  afterAll(() => {
    overSockets = before
  })
}

/** Whether an engine is of this turn of the event loop: what it does and tells is there at once. */
export const isAtHand = (): boolean => !overSockets

/** An engine on this thread, closed when the running test is. */
export async function openInline(options: Partial<AudileOptions> = {}): Promise<Audile> {
  const music = await Audile.open({
    database: ':memory:',
    engine: 'inline',
    workers: 0,
    ...options,
  })
  onTestFinished(() => music.close())
  if (!overSockets) return music
  const { apiKey, logger } = options
  const { address } = await serveEngine(music, { listen: `unix:${join(scratch(), 'socket')}` })
  const engine = address as `unix:${string}`
  const client = await Audile.open({ engine, apiKey, logger })
  onTestFinished(() => client.close())
  // A test that closes its database goes on with the file.
  const close = client.close.bind(client)
  client.close = () => close().then(() => music.close())
  return client
}
