import { LocalHost } from '../host.ts'
import type { ConnectOther } from '../kernel/other-engine.ts'

/** Seconds after a cut in which the engine is looked for before anybody asks for it. */
const RECONNECT_SECONDS = 60

/** Connects an engine to another one, which it only asks. */
export const connectOther: ConnectOther = async (given, log) => {
  // Loaded only for references that other processes serve.
  const { connectEngine } = await import('./client.ts')
  const host = new LocalHost({
    fetch: globalThis.fetch,
    logger: {
      info: (message, detail) => log('info', message, detail),
      warn: (message, detail) => log('warn', message, detail),
    },
  })
  const target = { ...given, reconnectSeconds: RECONNECT_SECONDS }
  const engine = await connectEngine(target, { host, emit: () => {} })
  return {
    call: (method, params, signal) => engine.call(method, params, { apiKey: given.apiKey, signal }),
    ended: engine.ended,
    get isLost() {
      return engine.isLost
    },
    close: () => engine.close(),
  }
}
