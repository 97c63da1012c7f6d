import type { RawData, WebSocket } from 'ws'
import { AudileError } from '../errors.ts'
import { clearInterval, setInterval } from '../kernel/timers.ts'
import { loadPackage, unsupported } from '../load-package.ts'

// In a variable, so that no bundler tries to resolve it. Webpack needs the comment below.
const PACKAGE = 'ws'

/** The part of the package `ws` that is used. */
export type WebSockets = Pick<typeof import('ws'), 'WebSocket' | 'WebSocketServer'>

/** @throws {AudileError} `internal` when the optional package is not installed */
export async function loadWebSockets(): Promise<WebSockets> {
  const reason = unsupported(PACKAGE)
  if (reason) throw new AudileError('internal', `An engine on a socket: ${reason}`)
  try {
    return await loadPackage<WebSockets>(PACKAGE, () => import(/* webpackIgnore: true */ PACKAGE))
  } catch (error) {
    const message = 'An engine on a socket needs the optional package ws: npm install ws'
    throw new AudileError('internal', message, { cause: error })
  }
}

/** The name and version of the protocol, which both sides must speak. */
export const PROTOCOL = 'audile.1'

/** Why a connection was closed, as codes of WebSocket; those from 4000 on are of this protocol. */
export const CLOSE = {
  /** The client needs it no more. */
  done: 1000,
  /** The engine or its server ends; it may come back. */
  leaving: 1001,
  /** A message is larger than is allowed. */
  tooLarge: 1009,
  /** What came is no frame. */
  badFrame: 4400,
  /** The key was revoked. */
  key: 4401,
  /** The client does not read what it is sent. */
  tooSlow: 4408,
} as const

/** Bytes that wait to be sent, above which a ping is not answered: what waits is sign enough of life. */
const MOST_BUFFERED = 65_536

/** What is told of a connection. */
interface ConnectionListener {
  onFrame(bytes: Uint8Array): void
  /** Called at each heartbeat. */
  onPulse(): void
  /** The connection is gone, for this or that reason. Called once. */
  onGone(code: number, reason: string): void
}

/**
 * One WebSocket: frames, heartbeats and its end. A connection over which nothing came for two
 * heartbeats is cut.
 */
export class Connection {
  readonly #socket: WebSocket
  readonly #heart: NodeJS.Timeout
  /** Resolves when the socket is closed. */
  readonly gone: Promise<void>
  #silent = 0
  #gone = false

  constructor(socket: WebSocket, heartbeatSeconds: number, listener: ConnectionListener) {
    this.#socket = socket
    this.#heart = setInterval(() => this.#beat(listener), heartbeatSeconds * 1000)
    this.#heart.unref()
    const alive = () => {
      this.#silent = 0
    }
    socket.on('ping', (data) => {
      alive()
      // Of pongs that the other side does not read, the memory would fill.
      if (socket.bufferedAmount < MOST_BUFFERED) socket.pong(data)
    })
    socket.on('pong', alive)
    socket.on('message', (data: RawData) => {
      this.#silent = 0
      // Frames that arrive after the decision to leave are sent again over the next connection.
      if (!this.#gone) listener.onFrame(data as Buffer)
    })
    let failure = ''
    let fault: number | undefined
    socket.on('error', (error: NodeJS.ErrnoException) => {
      failure = error.message
      if (error.code?.startsWith('WS_ERR_')) fault = CLOSE.badFrame
    })
    this.gone = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        clearInterval(this.#heart)
        resolve()
        if (this.#gone) return
        this.#gone = true
        listener.onGone(fault ?? code, reason.toString() || failure)
      })
    })
  }

  readonly send = (bytes: Uint8Array): void => {
    this.#socket.send(bytes)
  }

  /** Leaves with a reason; nothing more is told of the connection. */
  leave(code: number, reason: string): void {
    this.#gone = true
    clearInterval(this.#heart)
    this.#socket.close(code, reason)
  }

  /** Cuts the connection, without waiting for the other side; nothing more is told of it. */
  cut(): void {
    this.#gone = true
    clearInterval(this.#heart)
    this.#socket.terminate()
  }

  #beat(listener: ConnectionListener): void {
    if (++this.#silent > 2) {
      this.#socket.terminate()
      return
    }
    this.#socket.ping()
    listener.onPulse()
  }
}
