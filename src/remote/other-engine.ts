import { LocalHost } from '../host/host.ts'
import type { ConnectOther } from '../kernel/other-engine.ts'

/** After a cut. */
const RECONNECT_SECONDS = 60

/** Only for calls. */
export const connectOther: ConnectOther = async (address, log) => {
  // Loaded only for references that other processes serve.
  const { connectEngine } = await import('./client.ts')
  const host = new LocalHost({
    fetch: globalThis.fetch,
    logger: {
      info: (message, detail) => log('info', message, detail),
      warn: (message, detail) => log('warn', message, detail),
    },
  })
  const target = { ...address, reconnectSeconds: RECONNECT_SECONDS }
  const engine = await connectEngine(target, { host, emit: () => {} })
  return {
    call: (method, params, signal) =>
      engine.call(method, params, { apiKey: address.apiKey, signal }),
    ended: engine.ended,
    get isLost() {
      return engine.isLost
    },
    close: () => engine.close(),
  }
}
