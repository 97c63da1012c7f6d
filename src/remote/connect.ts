import type { IncomingMessage } from 'node:http'
import { connect as connectNet, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { WebSocket } from 'ws'
import type { TlsOptions } from '../engine-address.ts'
import { type AudileError, ClosedError, KeyError } from '../errors.ts'
import { loadWebSockets, PROTOCOL } from './web-socket.ts'
import {
  RECEIVED_HEADER,
  readWelcome,
  SESSION_HEADER,
  WELCOME_HEADER,
  type Welcome,
} from './welcome.ts'

/** Milliseconds that a server has to answer a new connection. */
const HANDSHAKE = 10_000
/** Bytes of the largest frame that a client takes: the analysis of many hours is in one answer. */
const MOST_BYTES = 2 ** 30
/** Bytes that are read of the reason why a server refused. */
const REASON_BYTES = 1_000

/** Whom to connect to, and as whom. */
export interface Target {
  /** `unix:/path`, `ws://…` or `wss://…` */
  engine: string
  apiKey: string
  tls: TlsOptions
}

/** The session to go on with. */
interface Resumed {
  session: string
  received: number
}

/**
 * Connects to an engine. The socket does not keep the process alive.
 *
 * @param open - called before the first frame comes
 * @throws {KeyError} when the engine refuses the key
 * @throws {Unreachable} when nobody answers, or not as an engine does
 */
export async function connect<T>(
  { engine, apiKey, tls }: Target,
  resumed: Resumed | undefined,
  open: (socket: WebSocket, welcome: Welcome) => T,
): Promise<T> {
  const { WebSocket } = await loadWebSockets()
  const unix = pathOf(engine)
  const headers: Record<string, string> = { authorization: `Bearer ${encodeURIComponent(apiKey)}` }
  if (resumed) {
    headers[SESSION_HEADER] = resumed.session
    headers[RECEIVED_HEADER] = String(resumed.received)
  }
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(unix === undefined ? engine : 'ws://localhost/', PROTOCOL, {
      ...{ headers, maxPayload: MOST_BYTES, perMessageDeflate: false, autoPong: false },
      ...{ handshakeTimeout: HANDSHAKE, followRedirects: false },
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

/** The path of a socket in the file system. */
export function pathOf(engine: string): string | undefined {
  return engine.startsWith('unix:') ? engine.slice('unix:'.length) : undefined
}

function rawSocket(engine: string, unix: string | undefined, options: ConnectionOptions): Socket {
  if (unix !== undefined) return connectNet({ path: unix })
  // The path in the options is that of the request; for the net it would be a socket's.
  const { path: _, ...plain } = options
  const { hostname } = new URL(engine)
  if (!engine.startsWith('wss:')) return connectNet(plain as TcpNetConnectOpts)
  // TLS names no addresses.
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

/** An engine that does not answer now; it may later. */
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
  // A proxy before the server refuses with pages of its own.
  const why = headers['content-type']?.startsWith('text/plain') ? text.slice(0, REASON_BYTES) : ''
  if (statusCode === 401)
    return new KeyError('invalid_key', why || `The engine at ${engine} refuses the key.`)
  if (statusCode === 403)
    return new KeyError('not_allowed', why || `The engine at ${engine} refuses the caller.`)
  const said = why && `: ${why.replace(/\.$/, '')}`
  return new Unreachable(`The engine at ${engine} answers ${statusCode}${said}.`)
}
