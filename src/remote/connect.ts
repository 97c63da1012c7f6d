import type { IncomingMessage } from 'node:http'
import { connect as connectNet, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { WebSocket } from 'ws'
import type { EngineTarget } from '../kernel/other-engine.ts'
import { type AudileError, ClosedError, KeyError } from '../values/errors.ts'
import {
  RECEIVED_HEADER,
  readWelcome,
  SESSION_HEADER,
  WELCOME_HEADER,
  type Welcome,
} from './handshake.ts'
import { loadWebSockets, PROTOCOL } from './web-socket.ts'

/** Milliseconds that a server has to answer a new connection. */
const HANDSHAKE = 10_000
/** Bytes of the largest frame that a client takes: one answer may analyse many hours of audio. */
const MOST_BYTES = 2 ** 30
/** The most bytes that are read of a server's reason to refuse. */
const REASON_BYTES = 1_000

/** The session to resume, and the last frame that was received in it. */
interface Resumed {
  session: string
  received: number
}

/**
 * Connects to an engine. The socket does not keep the process alive.
 *
 * @param open - called before the first frame comes
 * @throws {KeyError} when the engine refuses the key
 * @throws {Unreachable} when no server answers, or the answer is not an engine's
 */
export async function connect<T>(
  { engine, apiKey, tls }: EngineTarget,
  resumed: Resumed | undefined,
  open: (socket: WebSocket, welcome: Welcome) => T,
): Promise<T> {
  const { WebSocket } = await loadWebSockets('engine')
  const unix = pathOf(engine)
  const headers: Record<string, string> = { authorization: `Bearer ${encodeURIComponent(apiKey)}` }
  if (resumed) {
    headers[SESSION_HEADER] = resumed.session
    headers[RECEIVED_HEADER] = String(resumed.received)
  }
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(unix === undefined ? engine : 'ws://localhost/', PROTOCOL, {
      headers,
      maxPayload: MOST_BYTES,
      perMessageDeflate: false,
      autoPong: false,
      handshakeTimeout: HANDSHAKE,
      followRedirects: false,
      createConnection: ((options: ConnectionOptions) =>
        rawSocket(engine, unix, {
          ...options,
          ...(tls as ConnectionOptions),
        }).unref()) as unknown as typeof connectNet,
    })
    let welcome: Welcome
    const fail = (error: NodeJS.ErrnoException) =>
      reject(
        new Unreachable(
          `The engine at ${engine} cannot be reached: ${error.message}${remedyOf(error)}`,
          { cause: error },
        ),
      )
    socket.once('error', fail)
    socket.once('unexpected-response', (_request, response) => {
      void refusal(engine, response).then((error) => {
        reject(error)
        socket.terminate()
      })
    })
    socket.once('upgrade', ({ headers }) => {
      try {
        welcome = readWelcome(String(headers[WELCOME_HEADER]))
      } catch (cause) {
        reject(new Unreachable(`What answers at ${engine} is no engine of audile.`, { cause }))
        socket.terminate()
      }
    })
    socket.once('open', () => {
      socket.off('error', fail)
      if (welcome !== undefined) resolve(open(socket, welcome))
    })
  })
}

/** The path of a `unix:` address; `undefined` for other addresses. */
export function pathOf(engine: string): string | undefined {
  return engine.startsWith('unix:') ? engine.slice('unix:'.length) : undefined
}

function rawSocket(engine: string, unix: string | undefined, options: ConnectionOptions): Socket {
  if (unix !== undefined) return connectNet({ path: unix })
  // `path` in the options is that of the request; `net.connect` would take it for a socket's.
  const { path: _, ...plain } = options
  const { hostname } = new URL(engine)
  if (!engine.startsWith('wss:')) return connectNet(plain as TcpNetConnectOpts)
  // A TLS server name must not be an IP address.
  const servername = isIP(hostname.replace(/^\[|\]$/g, '')) ? '' : hostname
  return connectTls({ servername, ...plain })
}

/** What to do about a failure of TLS, as a sentence to append. */
function remedyOf({ code = '' }: NodeJS.ErrnoException): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return '. Use a name that its certificate is for.'
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return '. Renew its certificate, or set the clock of this machine.'
  }
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return '. There is no TLS there, or the server refuses this client: use ws:, or tls.cert and tls.key.'
  }
  if (/^(?:ERR_SSL_TLS|ERR_SSL_SSL).*ALERT/.test(code)) {
    return '. The server wants a certificate of this client: give tls.cert and tls.key.'
  }
  if (!/CERT|ISSUER|SIGNATURE/.test(code)) return ''
  return '. If you trust its certificate, give its authority in the option tls.ca, or in NODE_EXTRA_CA_CERTS.'
}

/** The engine does not answer now, but may answer later. */
export class Unreachable extends ClosedError {}

async function refusal(engine: string, response: IncomingMessage): Promise<AudileError> {
  const { statusCode = 0, headers } = response
  let text = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk
      if (text.length > REASON_BYTES) break
    }
  } catch {
    // The status says enough.
  }
  // A proxy in front of the server refuses with its own pages.
  const why = headers['content-type']?.startsWith('text/plain') ? text.slice(0, REASON_BYTES) : ''
  if (statusCode === 401)
    return new KeyError('invalid_key', why || `The engine at ${engine} refuses the key.`)
  if (statusCode === 403)
    return new KeyError('not_allowed', why || `The engine at ${engine} refuses the caller.`)
  const said = why && `: ${why.replace(/\.$/, '')}`
  return new Unreachable(`The engine at ${engine} answers ${statusCode}${said}.`)
}
