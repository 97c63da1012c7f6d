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

/** That a server has to answer a new connection. */
const HANDSHAKE_MILLISECONDS = 10_000
/** Of one frame: an answer may analyse many hours of audio. */
const MAX_PAYLOAD_BYTES = 2 ** 30
/** Read of a server's reason to refuse. */
const MAX_REASON_BYTES = 1_000

interface ResumedSession {
  session: string
  received: number
}

/**
 * The socket does not keep the process alive.
 * @param open - called before the first frame comes
 * @throws {KeyError} when the engine refuses the key
 * @throws {Unreachable} when no server answers, or the answer is not an engine's
 */
export async function connectSocket<T>(
  { engine, apiKey, tls }: EngineTarget,
  session: ResumedSession | undefined,
  open: (socket: WebSocket, welcome: Welcome) => T,
): Promise<T> {
  const { WebSocket } = await loadWebSockets('engine')
  const socketPath = socketPathOf(engine)
  const headers: Record<string, string> = { authorization: `Bearer ${encodeURIComponent(apiKey)}` }
  if (session) {
    headers[SESSION_HEADER] = session.session
    headers[RECEIVED_HEADER] = String(session.received)
  }
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(socketPath === undefined ? engine : 'ws://localhost/', PROTOCOL, {
      headers,
      maxPayload: MAX_PAYLOAD_BYTES,
      perMessageDeflate: false,
      autoPong: false,
      handshakeTimeout: HANDSHAKE_MILLISECONDS,
      followRedirects: false,
      createConnection: ((options: ConnectionOptions) =>
        openSocket(engine, socketPath, {
          ...options,
          ...(tls as ConnectionOptions),
        }).unref()) as unknown as typeof connectNet,
    })
    let welcome: Welcome
    const rejectWith = (error: NodeJS.ErrnoException) =>
      reject(
        new Unreachable(
          `The engine at ${engine} cannot be reached: ${error.message}${tlsRemedyOf(error)}`,
          { cause: error },
        ),
      )
    socket.once('error', rejectWith)
    socket.once('unexpected-response', (_request, response) => {
      void readRefusal(engine, response).then((error) => {
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
      socket.off('error', rejectWith)
      if (welcome !== undefined) resolve(open(socket, welcome))
    })
  })
}

/** Of a `unix:` address; `undefined` for others. */
export function socketPathOf(engine: string): string | undefined {
  return engine.startsWith('unix:') ? engine.slice('unix:'.length) : undefined
}

function openSocket(
  engine: string,
  socketPath: string | undefined,
  options: ConnectionOptions,
): Socket {
  if (socketPath !== undefined) return connectNet({ path: socketPath })
  // `path` in the options is that of the request; `net.connect` would take it for a socket's.
  const { path: _, ...plainOptions } = options
  const { hostname } = new URL(engine)
  if (!engine.startsWith('wss:')) return connectNet(plainOptions as TcpNetConnectOpts)
  // A TLS server name must not be an IP address.
  const servername = isIP(hostname.replace(/^\[|\]$/g, '')) ? '' : hostname
  return connectTls({ servername, ...plainOptions })
}

/** A sentence to append to a failure of TLS. */
function tlsRemedyOf({ code = '' }: NodeJS.ErrnoException): string {
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

/** It may answer later. */
export class Unreachable extends ClosedError {}

async function readRefusal(engine: string, response: IncomingMessage): Promise<AudileError> {
  const { statusCode = 0, headers } = response
  let text = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk
      if (text.length > MAX_REASON_BYTES) break
    }
  } catch {
    // The status says enough.
  }
  // A proxy in front of the server refuses with its own pages.
  const reason = headers['content-type']?.startsWith('text/plain')
    ? text.slice(0, MAX_REASON_BYTES)
    : ''
  if (statusCode === 401)
    return new KeyError('invalid_key', reason || `The engine at ${engine} refuses the key.`)
  if (statusCode === 403)
    return new KeyError('not_allowed', reason || `The engine at ${engine} refuses the caller.`)
  const suffix = reason && `: ${reason.replace(/\.$/, '')}`
  return new Unreachable(`The engine at ${engine} answers ${statusCode}${suffix}.`)
}
