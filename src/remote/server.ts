import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import { Deadline, onAbort } from '../kernel/abort.ts'
import { AudileError, ClosedError, KeyError, messageOf } from '../values/errors.ts'
import { decodeEscaped } from '../values/text.ts'
import { Fairness } from './fairness.ts'
import { FRAME_OVERHEAD_BYTES, isCount } from './frames.ts'
import { RECEIVED_HEADER, SESSION_HEADER, WELCOME_HEADER, type Welcome } from './handshake.ts'
import { listenOn } from './listen.ts'
import type { ServeConfig } from './serve-options.ts'
import { requireSecret, type ServedEngine, Session } from './session.ts'
import { CLOSE_CODES, Connection, loadWebSockets, PROTOCOL } from './web-socket.ts'

/** For a connection to send its request, and between two checks for late ones. */
const HANDSHAKE_TIMES = { headersTimeout: 10_000, connectionsCheckingInterval: 5_000 }
/** That running calls have to end when a server closes. */
const CALL_END_MILLISECONDS = 3_000
/** That clients then have to close their connections. */
const CLIENT_END_MILLISECONDS = 1_000

/** An engine that is served to other processes, by {@link serveEngine}. */
export interface EngineServer extends AsyncDisposable {
  /** The value of the clients' option `engine`. With your own server, only the path. */
  readonly address: string
  /** The number of clients that are connected now, or that may come back. */
  readonly clients: number
  /**
   * Ends the service; the engine stays open. Calls that change something have three seconds to end;
   * then the open calls are aborted. Clients try to reconnect as after a cut, but ten seconds later
   * their calls are rejected until the engine is back.
   */
  close(): Promise<void>
}

/** Until it is closed, or the engine ends. */
export async function openServer(
  served: ServedEngine,
  serving: ServeConfig,
): Promise<EngineServer> {
  const { WebSocketServer } = await loadWebSockets('serveEngine')
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: serving.messageBytes + FRAME_OVERHEAD_BYTES,
    perMessageDeflate: false,
    autoPong: false,
    handleProtocols: () => PROTOCOL,
  })
  const server = new SocketServer(served, serving, sockets)
  await server.open()
  return server
}

class SocketServer implements EngineServer {
  address = ''
  readonly #served: ServedEngine
  readonly #serving: ServeConfig
  readonly #sockets: WebSocketServer
  readonly #clients = new Map<string, Session>()
  readonly #fairness: Fairness
  #stopListening = () => {}
  #server: Server | undefined
  #ownsServer = false
  #closed: Promise<void> | undefined

  constructor(served: ServedEngine, serving: ServeConfig, sockets: WebSocketServer) {
    this.#served = served
    this.#serving = serving
    this.#sockets = sockets
    this.#fairness = new Fairness(serving.backlogBytes)
  }

  get clients(): number {
    return this.#clients.size
  }

  async open(): Promise<void> {
    const { listen } = this.#serving
    if (typeof listen === 'object' && 'server' in listen) {
      this.#server = listen.server
      this.address = listen.path ?? '/'
    } else {
      this.#server = createServer(HANDSHAKE_TIMES, (_request, response) => {
        response.writeHead(426, { connection: 'close' }).end()
      })
      this.#ownsServer = true
      this.address = await listenOn(this.#server, listen)
    }
    this.#server.on('upgrade', this.#upgrade)
    this.#stopListening = onAbort(this.#served.engine.ended, () => void this.close())
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeAll()
    return this.#closed
  }

  async #closeAll(): Promise<void> {
    this.#stopListening()
    const server = this.#server
    server?.off('upgrade', this.#upgrade)
    const ownServer = this.#ownsServer ? server : undefined
    // Another process may listen there from now on.
    const closed = ownServer && new Promise<void>((done) => ownServer.close(() => done()))
    const clients = [...this.#clients.values()]
    const { ended } = this.#served.engine
    if (!ended.aborted) {
      const leavingClients = clients.map((client) => client.leave())
      await new Deadline(CALL_END_MILLISECONDS).settled(Promise.all(leavingClients))
    }
    const connections = clients.flatMap(({ connection }) => connection ?? [])
    for (const client of clients) client.end()
    for (const connection of connections) {
      connection.leave(CLOSE_CODES.leaving, ended.aborted ? 'it has ended' : 'it is served no more')
    }
    await new Deadline(CLIENT_END_MILLISECONDS).settled(
      Promise.all(connections.map(({ gone }) => gone)),
    )
    // Also those dropped before, which their clients have not closed.
    for (const socket of this.#sockets.clients) socket.terminate()
    ownServer?.closeAllConnections()
    await closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  readonly #upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Other paths of the server belong to its other listeners.
    if (!this.#ownsServer && request.url?.split('?')[0] !== this.address) return
    // A client that leaves during the handshake is no error.
    const ignoreError = () => {}
    socket.on('error', ignoreError)
    this.#admitClient(request).then(
      (client) => {
        socket.off('error', ignoreError)
        const addWelcome = (headers: string[], headersOf: IncomingMessage) => {
          if (headersOf === request) headers.push(`${WELCOME_HEADER}: ${this.#welcomeText(client)}`)
        }
        this.#sockets.once('headers', addWelcome)
        this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
          this.#attachSocket(client, webSocket, request)
        })
        this.#sockets.off('headers', addWelcome)
      },
      (error: unknown) => refuseSocket(socket, error),
    )
  }

  async #admitClient(request: IncomingMessage): Promise<Session> {
    const { connections, authorize } = this.#serving
    requireProtocol(request)
    const apiKey = readKey(request)
    const knownClient = this.#clients.get(String(request.headers[SESSION_HEADER]))
    const resumedClient = knownClient?.apiKey === apiKey ? knownClient : undefined
    if (!resumedClient && this.#clients.size >= connections) throw new TooManyClients(connections)
    await this.#checkKey(apiKey)
    if (authorize && (await authorize(request)) !== true) {
      throw new KeyError('not_allowed', 'The server does not admit this client.')
    }
    this.#served.engine.ended.throwIfAborted()
    if (this.#closed) throw new ClosedError('The engine is served no more.')
    // The session may have ended meanwhile.
    if (resumedClient && this.#clients.get(resumedClient.id) === resumedClient) {
      // The client left the old connection before it made this one.
      resumedClient.connection?.cut()
      resumedClient.connection = undefined
      resumedClient.detach()
      return resumedClient
    }
    if (this.#clients.size >= connections) throw new TooManyClients(connections)
    return this.#addClient(apiKey)
  }

  /** @throws {KeyError} on a key that is unknown, revoked, or not secret */
  async #checkKey(apiKey: string): Promise<void> {
    if (!this.#serving.trusted) requireSecret(apiKey)
    await this.#served.engine.call('track/list', { results: 0 }, { apiKey, signal: undefined })
  }

  #addClient(apiKey: string): Session {
    const { trusted, calls, sessionSeconds } = this.#serving
    const client: Session = new Session(this.#served, {
      apiKey,
      trusted,
      calls,
      fairness: this.#fairness,
      patience: sessionSeconds * 1000,
      onEnd: (reason) => {
        this.#clients.delete(client.id)
        if (reason)
          this.#dropClient(client, CLOSE_CODES.tooSlow, 'it does not read what it is sent')
      },
    })
    this.#clients.set(client.id, client)
    return client
  }

  #welcomeText({ id, link }: Session): string {
    const { messageBytes, calls, heartbeatSeconds } = this.#serving
    return JSON.stringify({
      session: id,
      received: link.received,
      messageBytes,
      calls,
      heartbeatSeconds,
    } satisfies Welcome)
  }

  #attachSocket(client: Session, socket: WebSocket, { headers }: IncomingMessage): void {
    const connection = new Connection(socket, this.#serving.heartbeatSeconds, {
      onFrame: (bytes) => this.#guardFrames(client, () => client.link.receive(bytes)),
      onPulse: () => {
        client.link.pulse()
        this.#checkKey(client.apiKey).catch((error: unknown) => {
          if (error instanceof KeyError)
            this.#dropClient(client, CLOSE_CODES.key, 'the key was revoked')
        })
      },
      onGone: (code, reason) => {
        client.connection = undefined
        client.detach()
        if (code === CLOSE_CODES.done) client.end()
        else if (code === CLOSE_CODES.badFrame) this.#dropClient(client, code, reason)
      },
    })
    client.connection = connection
    const received = headers[SESSION_HEADER] === client.id ? readCount(headers[RECEIVED_HEADER]) : 0
    this.#guardFrames(client, () => client.attach(connection.send, received))
  }

  /** A client that sends invalid frames affects no other. */
  #guardFrames(client: Session, receive: () => void): void {
    try {
      receive()
    } catch (error) {
      this.#dropClient(client, CLOSE_CODES.badFrame, messageOf(error))
    }
  }

  #dropClient(client: Session, code: number, reason: string): void {
    this.#served.host.log('warn', `A client of the engine was dropped: ${reason}.`)
    client.connection?.leave(code, reason.slice(0, 100))
    client.connection = undefined
    client.end()
  }
}

class TooManyClients extends AudileError {
  constructor(connections: number) {
    super('rate_limited', `There are ${connections} clients already.`)
  }
}

/** Infinity, which no frame has, when there is none. */
function readCount(header: string | string[] | undefined): number {
  const count = Number(header)
  return isCount(count) ? count : Number.POSITIVE_INFINITY
}

/**
 * @throws {AudileError} when a client speaks another protocol: it would take a place until it
 * expires
 */
function requireProtocol({ headers }: IncomingMessage): void {
  const names = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? []
  if (names.includes(PROTOCOL)) return
  const remedy = 'use the version of audile that serves it'
  throw new AudileError('not_ready', `The engine speaks the protocol ${PROTOCOL} only; ${remedy}.`)
}

/** @throws {KeyError} when a request names no key */
function readKey({ headers }: IncomingMessage): string {
  const [, encodedKey] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? []
  const apiKey = encodedKey && decodeEscaped(encodedKey)
  if (apiKey) return apiKey
  throw new KeyError('invalid_key', 'A key is required: authorization: Bearer <key>')
}

function refuseSocket(socket: Duplex, error: unknown): void {
  const status = httpStatusOf(error)
  // The reason of a fault in the server is for its own log.
  const text = error instanceof AudileError ? error.message : 'It failed.'
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'connection: close',
      'content-type: text/plain; charset=utf-8',
      `content-length: ${Buffer.byteLength(text)}`,
      `\r\n${text}`,
    ].join('\r\n'),
  )
}

function httpStatusOf(error: unknown): number {
  if (error instanceof KeyError) return error.code === 'not_allowed' ? 403 : 401
  return error instanceof AudileError ? 503 : 500
}
