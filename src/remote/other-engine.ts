import { LocalHost } from '../host/host.ts'
import type { ConnectOther } from '../kernel/other-engine.ts'

/** Seconds of attempts to reconnect after a cut. */
const RECONNECT_SECONDS = 60

/** Connects an engine to another one, only for calls. */
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
